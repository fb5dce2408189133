// A CLI behind a program that only starts it, as version managers put one in its place: nothing there tells its version, and
// it is started before anybody knows it.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findExecutable } from '../../../packages/core/src/wire/process/find/find-executable.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { text } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

/** Writes such a program, which also notes each start with its arguments. */
function wrap({ options }: Cli, { home }: Stage): { path: string; starts: () => string[] } {
  const path = join(home.home, 'claude-wrapper');
  const log = join(home.home, 'starts');
  const found = findExecutable({ explicit: options.pathToClaudeCodeExecutable, env: {} });
  const runtime = found.kind === 'script' ? `'${process.execPath}' ` : '';
  writeFileSync(path, `#!/bin/sh\necho "$*" >> '${log}'\nexec ${runtime}'${found.path}' "$@"\n`);
  chmodSync(path, 0o755);
  return { path, starts: () => readFileSync(log, 'utf8').trim().split('\n') };
}

const promptOf = ({ lastRequest }: Stage): string => JSON.stringify(lastRequest().body['system']);

export const unaskedCases: CaseSet = {
  'is started once, says itself which one it is, and takes the prompt as one whose version is known': (cli) =>
    onStage(cli, { script: [text('one'), text('two'), text('three')] }, async (stage) => {
      const { path, starts } = wrap(cli, stage);
      const unasked = stage.start('Go.', { pathToClaudeCodeExecutable: path });
      expect(await readRest(unasked.query)).toMatchObject({ error: undefined });
      expect(starts()).toHaveLength(1);
      expect((await unasked.query.capabilities()).version).toBe(cli.version);
      expect(unasked.warnings).toEqual([]);
      const empty = promptOf(stage);
      expect(empty).not.toContain('interactive');
      const known = stage.start('Go.');
      await readRest(known.query);
      expect(promptOf(stage)).toBe(empty);
      // Another file of the same kind, of which nothing was heard yet.
      writeFileSync(path, `${readFileSync(path, 'utf8')}\n`);
      const own = stage.start('Go.', { pathToClaudeCodeExecutable: path, systemPrompt: 'Only this.' });
      await readRest(own.query);
      expect(promptOf(stage)).toContain('Only this.');
      expect(starts()).toHaveLength(2);
    }),

  'is asked first where an option needs a newer one': (cli) =>
    onStage(cli, { script: cli.isOld ? [] : [text('one')] }, async (stage) => {
      const { path, starts } = wrap(cli, stage);
      const { query } = stage.start('Go.', { pathToClaudeCodeExecutable: path, title: 'T' });
      const { error } = await readRest(query);
      if (cli.isOld) expect(error).toMatchObject({ option: 'title', versionFound: '2.1.33' });
      else expect(error).toBeUndefined();
      expect(starts()[0]).toBe('--version');
      expect(starts()).toHaveLength(cli.isOld ? 1 : 2);
    }),
};
