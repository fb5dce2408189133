// The shutdown race that made programs catch errors after a good result: gone, in every interleaving.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge, listInterleavings, playInterleaving } from './race/interleavings.js';
import { listenForOutcry } from './race/outcry.js';
import { runOnRealCli } from './race/real-runs.js';

test('no error follows a result, whatever request is open or comes late', async () => {
  const all = [...listInterleavings()];
  assert.equal(all.length, 200);
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

test('an outcry is heard', async () => {
  // A rejection would fail the test by itself; a warning goes the same way.
  const heard = await listenForOutcry(async () => process.emitWarning('nobody reads this'));
  assert.deepEqual(heard, ['warning: nobody reads this']);
});
