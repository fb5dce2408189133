// What Inboard records of calls lies in the folder beside a transcript: to both sets of functions the session is what it was without it.
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import * as ours from '../../packages/inboard/src/index.js';
import { idOf } from '../../packages/core/test/record/history/support/entries.js';
import { loadOfficial, type SessionFunctions } from './official-sdk.js';

let official: SessionFunctions;
let root: string;
beforeAll(async () => {
  official = await loadOfficial();
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'call-records-'));
  vi.stubEnv('CLAUDE_CONFIG_DIR', root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

it('is no session, no message and no subagent, and goes with the session', async () => {
  const id = idOf(1);
  const project = join(root, 'projects', '-p');
  const folder = join(project, id);
  mkdirSync(project, { recursive: true });
  const message = { role: 'user', content: 'Hello.' };
  const entry = { type: 'user', uuid: idOf(2), parentUuid: null, sessionId: id, cwd: '/p', message };
  writeFileSync(
    join(project, `${id}.jsonl`),
    `${JSON.stringify({ ...entry, timestamp: '2026-01-02T03:04:05.678Z' })}\n`,
  );
  utimesSync(join(project, `${id}.jsonl`), 1_700_000_000, 1_700_000_000);

  const look = async (
    functions: Pick<SessionFunctions, 'listSessions' | 'getSessionMessages' | 'listSubagents'>,
  ) => ({
    sessions: await functions.listSessions(),
    messages: await functions.getSessionMessages(id),
    subagents: await functions.listSubagents(id),
  });
  const before = [await look(ours), await look(official)];
  expect(before[1]?.sessions).toHaveLength(1);

  const records = ours.createFileCallRecords({ folder });
  const result = { content: [{ type: 'text', text: 'x'.repeat(300_000) }] };
  await records.add({ type: 'covers', message: idOf(2), at: 1 });
  await records.add({ type: 'ended', callKey: 'c', result, at: 1 });
  await records.claim({ owner: 'desk', ttlMs: 1000 });
  await records.close();
  expect(readdirSync(folder)).toHaveLength(3);
  expect([await look(ours), await look(official)]).toEqual(before);

  await official.deleteSession(id);
  expect(readdirSync(project)).toEqual([]);
});
