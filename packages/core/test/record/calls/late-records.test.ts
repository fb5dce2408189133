// Records in files as programs make them: the part that writes is loaded by the first fact.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileCallRecords, type CallFact } from '@inboard/inboard/index.js';
import { describeCallRecords } from '@inboard/inboard/testing.js';

const root = mkdtempSync(join(tmpdir(), 'late-records-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

describeCallRecords(
  'createFileCallRecords of the package',
  () => {
    const folder = join(root, String((folders += 1)));
    const [records, other] = [createFileCallRecords({ folder }), createFileCallRecords({ folder })];
    return {
      records,
      open: () => other,
      close: async () => {
        await records.close();
        await other.close();
      },
    };
  },
  { describe, it },
);

describe('createFileCallRecords', () => {
  it('keeps the order of facts that were added before it was loaded', async () => {
    await using records = createFileCallRecords({ folder: join(root, 'order') });
    const facts: CallFact[] = Array.from({ length: 5 }, (_, at) => ({ type: 'waiting', callKey: 'c', at }));
    await Promise.all(facts.map(async (fact) => await records.add(fact)));
    expect(await records.load()).toEqual(facts);
    expect(records.add({ type: 'working', callKey: 'c', at: 5 })).toBeUndefined();
    const claim = await records.claim({ owner: 'x', ttlMs: 1000 });
    if (!('renew' in claim)) throw new Error('held');
    expect(await records.compact({ claim, isDelivered: () => true })).toBe(false);
  });

  it('refuses arguments at once, before anything is loaded', () => {
    expect(() => createFileCallRecords({} as { folder: string })).toThrow(/folder must be a path/);
    const records = createFileCallRecords({ folder: join(root, 'wrong') });
    expect(() => records.add({ type: 'ended', callKey: 'a' } as CallFact)).toThrow(/not a fact about a call/);
  });
});
