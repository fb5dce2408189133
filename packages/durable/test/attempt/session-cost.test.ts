// What a turn has cost that has no result yet, as its CLI tells it.
import { expect, it } from 'vitest';
import { openSession } from '../../../inboard/src/index.js';
import { createFakeCli, text } from '../../../inboard/src/testing.js';
import { TurnCostMeter } from '../../src/attempt/session-cost.js';

async function readCost(controls: Record<string, unknown>): Promise<number> {
  await using fake = createFakeCli([text('Hello.')], {
    controls,
    allowEarlyEnd: true,
  });
  await using session = openSession({ options: { transport: fake.transport } });
  await session.send('Hi').outcome();
  return await new TurnCostMeter(0.5).read(session);
}

const shown = { text: 'Total cost:            $1.23\nTotal duration (API):  0s' };

it('counts the number, not the rounded text for display', async () => {
  const get_usage = { session: { total_cost_usd: 1.2345, model_usage: {} } };
  expect(await readCost({ get_usage, get_session_cost: shown })).toBeCloseTo(0.7345, 6);
});

it('counts the text of a CLI without the number', async () => {
  expect(await readCost({ get_usage: {}, get_session_cost: shown })).toBeCloseTo(0.73, 6);
});

it('counts nothing where the CLI tells nothing', async () => {
  expect(await readCost({ get_usage: {}, get_session_cost: {} })).toBe(0);
});
