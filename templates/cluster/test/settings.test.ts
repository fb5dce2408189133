// What a process reads from its environment.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readAmount, readRetention } from '../src/settings.ts';

it('takes small amounts, and refuses what is none', () => {
  const read = (text: string): number => {
    process.env['BUDGET'] = text;
    return readAmount('BUDGET', 20);
  };
  assert.deepEqual(['', '5', '0.001'].map(read), [20, 5, 0.001]);
  for (const text of ['0', '-1', '1e3', 'x'])
    assert.throws(() => read(text), /^Error: BUDGET must be a number above 0/);
});

it('keeps everything, unless told for how many days', () => {
  assert.deepEqual(readRetention(), {});
  process.env['RETENTION_DAYS'] = '30';
  assert.equal(readRetention().retention?.auditMs, 30 * 86_400_000);
});
