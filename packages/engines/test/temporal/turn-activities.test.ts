// Which failures of an attempt Temporal tries again, on a stand-in for its library of activities.
import { expect, it, vi } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import { turnActivities } from '../../src/temporal/turn-activities.js';
import { TURN_FAILURES } from '../../src/temporal/workflow/message-names.js';

vi.mock('@inboard/engines/temporal/activity-library.js', () => ({
  loadActivityLibrary: () =>
    Promise.resolve({
      Context: {
        current: () => ({
          info: {},
          cancellationSignal: new AbortController().signal,
          heartbeat: () => undefined,
        }),
      },
      ApplicationFailure: { create: (facts: { message: string }) => Object.assign(new Error(), facts) },
    }),
}));

const TURN = { conversation: 'chat', agent: 'support', id: '1', content: 'Hello' };

it.each([
  ['a turn without content', { turn: { ...TURN, content: '' } }, TURN_FAILURES.invalidTurn, true],
  ['an answer without a result', { answers: [{ id: 'q' }] }, TURN_FAILURES.invalidTurn, true],
  [
    'an agent that this worker does not have',
    { turn: { ...TURN, agent: 'suport' } },
    TURN_FAILURES.agentUnusable,
    undefined,
  ],
  [
    'an agent with wrong options',
    { turn: { ...TURN, agent: 'broken' } },
    TURN_FAILURES.agentUnusable,
    undefined,
  ],
])('%s', async (_name, more, type, nonRetryable) => {
  const agents = { support: {}, broken: { maxTurns: 'many' as never } };
  const activities = turnActivities({ agents, ledger: createMemoryLedger() });
  const failure: unknown = await activities
    .inboardAttempt({ turn: TURN, answers: [], ...more } as never)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ type });
  expect((failure as { nonRetryable?: boolean }).nonRetryable).toBe(nonRetryable);
});
