// Structured output, a CLI started before its prompt, and disposal by the methods behind `await using`.
import assert from 'node:assert/strict';
import { query, run, startup } from 'inboard';
import { gate, held, text, toolUse } from 'inboard/testing';
import { z } from 'zod';
import { isRunning, onStage, pidOf, readAll } from './stage.mjs';

const Weather = z.object({ city: z.string(), celsius: z.number(), seen: z.array(z.string()).default([]) });

await onStage(
  [toolUse('StructuredOutput', { city: 'Oslo', celsius: -4 }), text('Cold.')],
  async ({ options }) => {
    const { output } = await run({ prompt: 'How is the weather?', options: { ...options, output: Weather } });
    assert.deepEqual(output, { city: 'Oslo', celsius: -4, seen: [] });
  },
);

await onStage([text('I was warm.')], async ({ options }) => {
  const warm = await startup({ options });
  const { pid } = warm;
  assert.ok(isRunning(pid));
  const messages = await readAll(warm.query('Now.'));
  assert.equal(messages.at(-1).result, 'I was warm.');
  await warm[Symbol.asyncDispose]();
  assert.equal(isRunning(pid), false);
});

const never = gate();
await onStage([held(text('This is never said.'), never)], async ({ options }) => {
  const q = query({ prompt: 'Wait.', options });
  await never.reached;
  const pid = pidOf(q);
  await q[Symbol.asyncDispose]();
  assert.equal(isRunning(pid), false);
});
