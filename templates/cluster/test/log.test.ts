// What an operator reads: an outage as one line with its cause and one that counts, and the command that this project has.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { WorkerEvent } from 'inboard/cluster';
import { createLog, createTroubleLog, describe } from '../src/log.ts';

const AWAY = new Error('The database cannot be reached.', {
  cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
});

const timeOf = (at: number): string => new Date(at).toISOString();

it('tells the same trouble once, with its cause, and then how often it came again', () => {
  const lines: object[] = [];
  const log = createLog((line) => lines.push(line));
  const trouble = (error: unknown, at: number): void =>
    log({ at, worker: 'w1', type: 'trouble', where: 'journal', error } as WorkerEvent);
  for (let times = 0; times < 31; times += 1) trouble(AWAY, times);
  trouble(new Error('Something else.'), 31);
  log({ at: 99, worker: 'w1', type: 'ended' });
  const away = {
    at: timeOf(0),
    worker: 'w1',
    type: 'trouble',
    where: 'journal',
    message: 'The database cannot be reached.',
    cause: 'connect ECONNREFUSED 127.0.0.1:5432',
  };
  const { message: _message, cause: _cause, ...facts } = away;
  assert.deepEqual(JSON.parse(JSON.stringify(lines)), [
    away,
    { ...facts, at: timeOf(31), message: 'Something else.' },
    { ...away, at: timeOf(30), firstAt: timeOf(0), repeated: 30 },
    { at: timeOf(99), worker: 'w1', type: 'ended' },
  ]);
});

it('tells why a turn has failed and what became of a call, but not what people wrote', () => {
  const lines: object[] = [];
  const log = createLog((line) => lines.push(line));
  const about = { at: 0, worker: 'w1', key: 'chat-1', turn: 'm1' };
  const error = { code: 'BUDGET_EXCEEDED', message: 'The budget is used up.' };
  const outcome = { ok: false, kind: 'refused', text: 'A secret.', error, turnCostUsd: 0 };
  log({ ...about, type: 'turn-ended', outcome });
  const call = { toolName: 'refund', callKey: 'k', how: 'denied', delivered: true } as const;
  log({ ...about, ...call, type: 'call-completed', reason: 'A secret.' });
  const told = { ...about, at: timeOf(0) };
  assert.deepEqual(lines, [
    { ...told, type: 'turn-ended', kind: 'refused', turnCostUsd: 0, ...error },
    { ...told, ...call, type: 'call-completed' },
  ]);
});

it('says with the first of the same errors of requests which path was asked for', () => {
  const lines: object[] = [];
  const tell = createTroubleLog('request', (line) => lines.push(line));
  for (const path of ['/conversations/ann', '/conversations/bo']) tell(new Error('Too slow.'), { path });
  const [line, ...rest] = lines as { at: string }[];
  assert.deepEqual(line, { at: line?.at, type: 'request', message: 'Too slow.', path: '/conversations/ann' });
  assert.equal(rest.length, 0);
});

it('names the command that creates the tables of this project', () => {
  const message =
    'The tables of the journal are missing. Run "inboard cluster migrate" as the role that owns them.';
  assert.match(describe(new Error(message)).message, /^The tables .* missing\. Run "npm run migrate" with /);
});
