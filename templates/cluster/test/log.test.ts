// What an operator reads: an outage as one line with its cause and one that counts, and the command that this project has.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WorkerEvent } from 'inboard/cluster';
import { createLog, describe } from '../src/log.ts';

const AWAY = new Error('The database cannot be reached.', {
  cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
});

it('tells the same trouble once, with its cause, and then how often it came again', () => {
  const lines: object[] = [];
  const log = createLog((line) => lines.push({ ...line, at: 0 }));
  const trouble = (error: unknown): void =>
    log({ at: 0, worker: 'w1', type: 'trouble', where: 'journal', error } as WorkerEvent);
  for (let times = 0; times < 31; times += 1) trouble(AWAY);
  trouble(new Error('Something else.'));
  log({ at: 0, worker: 'w1', type: 'ended' });
  const away = {
    at: 0,
    worker: 'w1',
    type: 'trouble',
    where: 'journal',
    message: 'The database cannot be reached.',
    cause: 'connect ECONNREFUSED 127.0.0.1:5432',
  };
  const { message: _message, cause: _cause, ...facts } = away;
  assert.deepEqual(JSON.parse(JSON.stringify(lines)), [
    away,
    { ...facts, message: 'Something else.' },
    { ...away, repeated: 30 },
    { at: 0, worker: 'w1', type: 'ended' },
  ]);
});

it('names the command that creates the tables of this project', () => {
  const message =
    'The tables of the journal are missing. Run "inboard cluster migrate" as the role that owns them.';
  assert.match(describe(new Error(message)).message, /^The tables .* missing\. Run "npm run migrate" with /);
});
