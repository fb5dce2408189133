// What the error of an aborted run says about the turns until then.
import { expect, it } from 'vitest';
import { createFakeCli, endTurn, stall, text } from '@inboard/inboard/testing.js';
import { AbortError } from '../../../src/errors.js';
import type { AbortedRunOutcome } from '../../../src/verbs/query/aborted-run.js';
import { run } from '../../../src/verbs/query/run.js';

const PRICES = { 'fake-model': { input: 1_000_000, output: 1_000_000 } };

/** Runs two prompts, and aborts once the model has begun to answer the second. */
async function abortInSecondTurn(usage: object): Promise<AbortError<AbortedRunOutcome>> {
  const fake = createFakeCli([text('One.'), endTurn(), text('Two, and'), stall()]);
  const abortController = new AbortController();
  const error: unknown = await run({
    prompt: ['first', 'second'],
    options: { transport: fake.transport, abortController, usage, onWarning: () => {} },
    onMessage: (message) => {
      if (message.type === 'assistant' && JSON.stringify(message).includes('Two'))
        abortController.abort('enough');
    },
  }).catch((thrown: unknown) => thrown);
  await fake.close({ verify: false });
  expect(error).toBeInstanceOf(AbortError);
  return error as AbortError<AbortedRunOutcome>;
}

it('has the turns that ended, and what the one that was cut off used', async () => {
  const error = await abortInSecondTurn({});
  expect(error).toMatchObject({ code: 'ABORTED', cause: 'enough' });
  expect(Object.keys(error)).not.toContain('outcome');
  const { outcome } = error;
  expect(outcome).toMatchObject({
    ok: false,
    kind: 'interrupted',
    reason: 'aborted',
    retryable: false,
    turns: 1,
    turnCostUsd: 0,
    sessionId: outcome?.all[0]?.sessionId,
    all: [{ ok: true, text: 'One.' }],
  });
  expect(outcome?.turnUsage.outputTokens).toBeGreaterThan(0);
  expect(outcome?.totalCostUsd).toBe(outcome?.all[0]?.totalCostUsd);
});

it('has what the turn that was cut off cost where the prices are known', async () => {
  const { outcome } = await abortInSecondTurn({ prices: PRICES });
  const { inputTokens = 0, outputTokens = 0 } = outcome?.turnUsage ?? {};
  expect(outcome?.turnCostUsd).toBe(inputTokens + outputTokens);
  expect(outcome?.totalCostUsd).toBe((outcome?.all[0]?.totalCostUsd ?? 0) + inputTokens + outputTokens);
});

it('is there although nothing was started', async () => {
  const abortController = new AbortController();
  abortController.abort();
  const error: unknown = await run({ prompt: 'x', options: { abortController } }).catch(
    (thrown: unknown) => thrown,
  );
  expect((error as AbortError<AbortedRunOutcome>).outcome).toMatchObject({
    turns: 0,
    totalCostUsd: 0,
    sessionId: undefined,
    all: [],
  });
});
