// Transcripts that a process was killed in the middle of: what is said about a session whose title, summary or prompt
// stands behind a line that was cut, or on the edge of what is read of a large file.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as ours from '../../packages/inboard/src/index.js';
import { idOf } from '../../packages/core/test/record/history/support/entries.js';
import { createCutTranscripts, type CutTranscript } from './cut-transcripts.js';
import { loadOfficial, type SessionFunctions } from './official-sdk.js';

let official: SessionFunctions;
let root: string;
beforeAll(async () => {
  official = await loadOfficial();
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cut-lines-'));
  vi.stubEnv('CLAUDE_CONFIG_DIR', root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** All transcripts in one project: thousands of them are described by one call. */
function writeAll(transcripts: readonly CutTranscript[]): void {
  const project = join(root, 'projects', '-p');
  mkdirSync(project, { recursive: true });
  for (const [index, { bytes }] of transcripts.entries()) {
    const path = join(project, `${idOf(index + 1)}.jsonl`);
    writeFileSync(path, bytes);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
  }
}

describe('a session behind a cut line', () => {
  it.each(Object.entries(createCutTranscripts()))('%s', async (_, transcripts) => {
    writeAll(transcripts);
    const told = async ({
      listSessions,
    }: Pick<SessionFunctions, 'listSessions'>): Promise<Map<string, string>> =>
      new Map(
        (await listSessions()).map((info) => [
          info.sessionId,
          JSON.stringify(info, Object.keys(info).sort()),
        ]),
      );
    const [mine, theirs] = [await told(ours), await told(official)];
    const differing = transcripts.flatMap(({ name }, index) => {
      const id = idOf(index + 1);
      return mine.get(id) === theirs.get(id)
        ? []
        : [`${name}\n  ours:   ${mine.get(id)}\n  theirs: ${theirs.get(id)}`];
    });
    expect(theirs.size).toBeGreaterThan(0);
    expect(differing.slice(0, 20), `${differing.length} of ${transcripts.length} differ`).toEqual([]);
  });
});
