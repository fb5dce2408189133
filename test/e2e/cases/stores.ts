// Sessions that live in a store: mirrored while they run, resumed from it where no file of theirs is.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { InMemorySessionStore, text, UnsupportedOptionError } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest, resultsOf } from '../support/talk.js';

async function resumeFromAStore(cli: Cli): Promise<void> {
  const store = new InMemorySessionStore();
  const script = cli.version === '2.1.325' ? [text('Blue.'), text('You said blue.')] : [];
  await onStage(cli, { script }, async (stage) => {
    const first = await readRest(stage.start('My colour is blue.', { sessionStore: store }).query);
    if (cli.version === '2.1.33') {
      expect(first.error, 'it cannot mirror, and that is said').toBeInstanceOf(UnsupportedOptionError);
      return;
    }
    expect(first.error).toBeUndefined();
    const sessionId = resultsOf(first.messages)[0]?.session_id ?? '';
    const projects = join(stage.home.configDir, 'projects');
    const projectKey = readdirSync(projects)[0] ?? '';
    // Everything the CLI has on disk is in the store once the result was seen; then the disk forgets it.
    expect(store.getEntries({ projectKey, sessionId }).length).toBeGreaterThan(1);
    rmSync(projects, { recursive: true });
    const again = stage.start('Which colour?', { sessionStore: store, resume: sessionId });
    const { messages, error } = await readRest(again.query);
    expect(error).toBeUndefined();
    expect(again.warnings).toEqual([]);
    expect(resultsOf(messages)).toMatchObject([{ result: 'You said blue.', session_id: sessionId }]);
    expect(JSON.stringify(stage.lastRequest().messages)).toContain('My colour is blue.');
    expect(existsSync(projects), 'the restored copy was elsewhere, and is gone').toBe(false);
  });
}

export const storeCases: CaseSet = { 'resumes a session that only a store has': resumeFromAStore };
