// Budgets on PostgreSQL: sixteen turns that begin at the same moment, on two workers, share one budget.
import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../packages/cluster/src/create-cluster.js';
import type { Budgets } from '../../../packages/cluster/src/limits/budgets.js';
import { createFakeCli } from '../../../packages/testing/src/fake-cli/fake-cli.js';
import { text } from '../../../packages/testing/src/script/reply.js';
import { nameSchema, openJournal } from '../support/journals.js';

const AT_ONCE = 16;

/** Sends a message to each of sixteen conversations, and returns how the turns ended and what they cost together. */
async function runAtOnce(budgets: Budgets, maxBudgetUsd?: number) {
  const clis: { close(options: { verify: boolean }): Promise<void> }[] = [];
  const limits: number[] = [];
  const schema = nameSchema('budgets');
  const create = () =>
    createCluster({
      journal: openJournal({ schema }),
      budgets,
      agents: {
        support: () => ({
          ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
          transport: (request) => {
            limits.push(
              Number(request.args.find((arg) => arg.startsWith('--max-budget-usd'))?.split('=')[1]),
            );
            const fake = createFakeCli([text('Hello.')]);
            clis.push(fake);
            return fake.transport(request);
          },
        }),
      },
    });
  await using one = create();
  await using two = create();
  const turns = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) =>
      one.conversation(`chat-${at}`, { agent: 'support', tenant: 'ann' }).send('Hi'),
    ),
  );
  await Promise.all([one, two].map((cluster) => cluster.work({ concurrency: AT_ONCE, keepWarmMs: 0 })));
  const outcomes = await Promise.all(turns.map((turn) => turn.outcome()));
  const { totalCostUsd } = await one.stats();
  for (const cli of clis) await cli.close({ verify: false });
  return { totalCostUsd, limits, kinds: outcomes.map(({ ok, error }) => (ok ? 'ok' : error?.code)) };
}

// What a turn of the fake CLI costs. Before turns reserved anything, all sixteen ran, and spent eight times the budget.
const TURN_USD = 0.00014;
const BUDGET_USD = 2 * TURN_USD;

describe('sixteen turns at once', () => {
  it.each([
    ['each with a reservation', { reserveUsd: TURN_USD }, undefined, TURN_USD],
    ['each with the limit of its agent', {}, TURN_USD, TURN_USD],
    ['one after the other', {}, undefined, BUDGET_USD],
  ])(
    'keep to their budget: %s',
    async (_how, more, ownUsd, largest) => {
      const { totalCostUsd, limits, kinds } = await runAtOnce({ tenant: BUDGET_USD, ...more }, ownUsd);
      expect(totalCostUsd).toBeCloseTo(BUDGET_USD, 9);
      expect(kinds.filter((kind) => kind === 'ok')).toHaveLength(2);
      expect(kinds.filter((kind) => kind === 'BUDGET_EXCEEDED')).toHaveLength(AT_ONCE - 2);
      expect(Math.max(...limits)).toBeCloseTo(largest, 9);
    },
    60_000,
  );

  it('of which no more than two may run at once are refused instead, if that is wanted', async () => {
    const budgets = { cluster: BUDGET_USD, reserveUsd: TURN_USD, whenReserved: 'refuse' } as const;
    const { totalCostUsd, kinds } = await runAtOnce(budgets);
    expect(totalCostUsd).toBeCloseTo(BUDGET_USD, 9);
    expect(new Set(kinds)).toEqual(new Set(['ok', 'BUDGET_RESERVED']));
  }, 60_000);
});
