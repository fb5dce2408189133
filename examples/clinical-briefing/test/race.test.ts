// The shutdown race that made programs catch errors after a good result: gone, in every interleaving.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, listInterleavings, playInterleaving, type LateRequest } from './race/interleavings.js';
import { listenForOutcry } from './race/outcry.js';
import { runOnRealCli } from './race/real-runs.js';

test('no error follows a result, whatever request is open or comes late', async () => {
  const all = [...listInterleavings()];
  assert.equal(all.length, 300);
  const heard = await listenForOutcry(async () => {
    for (const interleaving of all) {
      const late = await playInterleaving(interleaving);
      assert.equal(judge(interleaving, late), undefined, JSON.stringify({ interleaving, late }));
    }
  });
  assert.deepEqual(heard, []);
});

test('five briefings on the real CLI, one cancelled, end cleanly and leave no process', async () => {
  let problems: string[] = [];
  const heard = await listenForOutcry(async () => {
    problems = await runOnRealCli(5);
  });
  assert.deepEqual([...problems, ...heard], []);
});

test('what would be a race is seen', () => {
  const interleaving = {
    request: 'a tool call',
    arrives: 'before the result',
    fate: 'is answered',
    consumer: 'reads on',
  } as const;
  const good = { wasHandled: true, end: 'returned', warnings: [], answers: 1 } as const;
  const see = (change: Partial<LateRequest>) => judge(interleaving, { ...good, warnings: [], ...change });
  assert.equal(see({}), undefined);
  assert.match(see({ answers: 2 }) ?? '', /answered 2 times/);
  assert.match(see({ answers: 0 }) ?? '', /lost/);
  assert.match(see({ end: undefined }) ?? '', /left running/);
  assert.match(see({ end: 'was told to stop' }) ?? '', /answered and cancelled/);
  assert.match(see({ warnings: ['INPUT_BROKEN'] }) ?? '', /INPUT_BROKEN/);
});

test('an outcry is heard', async () => {
  // A rejection would fail the test by itself; a warning goes the same way.
  const heard = await listenForOutcry(async () => process.emitWarning('nobody reads this'));
  assert.deepEqual(heard, ['warning: nobody reads this']);
});
