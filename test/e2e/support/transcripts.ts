// The transcripts in a home: whether something was written down yet.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until.js';
import type { IsolatedEnvironment } from './inboard.js';

/** Resolves when the transcript of a session holds the words; a CLI writes it a little after it has spoken. */
export async function written(home: IsolatedEnvironment, sessionId: string, words: string): Promise<void> {
  const projects = join(String(home.env['CLAUDE_CONFIG_DIR']), 'projects');
  const holds = (): boolean =>
    existsSync(projects) &&
    readdirSync(projects).some((folder) => {
      const file = join(projects, folder, `${sessionId}.jsonl`);
      return existsSync(file) && readFileSync(file, 'utf8').includes(words);
    });
  await waitUntil(holds, 60_000, `"${words}" in the transcript of ${sessionId}`);
}
