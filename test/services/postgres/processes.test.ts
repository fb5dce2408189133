// Real processes on one journal, some of which forget their leases and write too late.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';
import { checkHistory } from '../../../packages/cluster/src/journal/check-history.js';
import type { ConversationHistory } from '../../../packages/cluster/src/journal/records.js';
import { nameSchema, openJournal } from '../support/journals.js';

const WORKER = fileURLToPath(import.meta.resolve('./racing-worker.mjs'));
const keys = Array.from({ length: 12 }, (_, at) => `conversation ${at}`);
const ids = ['one', 'two', 'three'];

it('lose nothing, end nothing twice, and keep the order', async () => {
  const schema = nameSchema('processes');
  const journal = openJournal({ schema });
  for (const id of ids)
    for (const key of keys)
      await journal.enqueue({ key, id, content: id, start: { agent: 'a', data: null } });
  const run = promisify(execFile);
  const workers = await Promise.all(
    ['a', 'b', 'c'].map((owner) => run(process.execPath, [WORKER, inject('postgresUrl'), schema, owner])),
  );
  const counts = workers.map(({ stdout }) => JSON.parse(stdout) as { leases: number; refused: number });
  const sum = (name: 'leases' | 'refused'): number => counts.reduce((all, each) => all + each[name], 0);
  expect(sum('leases')).toBeGreaterThanOrEqual(keys.length * ids.length);
  // Those that came too late were told so.
  expect(sum('refused')).toBeGreaterThan(0);
  const histories: ConversationHistory[] = [];
  for (const key of keys) {
    const history = await journal.history(key);
    if (history) histories.push(history);
  }
  expect(histories).toHaveLength(keys.length);
  expect(checkHistory(histories, { sent: keys.flatMap((key) => ids.map((id) => ({ key, id }))) })).toEqual(
    [],
  );
  for (const { turns, events } of histories) {
    expect(turns.map(({ id, state }) => `${id} ${state}`)).toEqual(ids.map((id) => `${id} ended`));
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => at + 1));
  }
  expect(await journal.spent()).toBe(keys.length * ids.length * 0.5);
});
