// The ways to end a query early: abort, close() and leaving the loop. Each leaves no process behind.
import assert from 'node:assert/strict';
import { AbortError, query } from 'inboard';
import { gate, held, text } from 'inboard/testing';
import { isRunning, onStage, pidOf, readAll } from './stage.mjs';

/** Runs `body` with a query in the middle of a turn, and with the process id of its CLI. */
async function inTurn(extra, body) {
  const never = gate();
  await onStage([held(text('This is never said.'), never)], async ({ options }) => {
    const q = query({ prompt: 'Wait.', options: { ...options, ...extra } });
    await never.reached;
    const pid = pidOf(q);
    await body(q);
    assert.equal(isRunning(pid), false, 'the CLI is still there');
  });
}

const abortController = new AbortController();
await inTurn({ abortController }, async (q) => {
  abortController.abort();
  await assert.rejects(readAll(q), AbortError);
  await q.close();
});

await inTurn({}, async (q) => {
  const reading = readAll(q);
  await q.close();
  await reading;
});

await inTurn({}, async (q) => {
  for await (const _ of q) break;
});
