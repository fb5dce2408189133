// Random sessions: a CLI that says anything at any time, and a host that does the same. Whatever they do, everything ends by
// itself once the CLI has given its last result, and every waiter is told.
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { InboardError } from '../../src/errors.js';
import type { Options } from '../../src/options/options.js';
import type { PermissionResult } from '../../src/wire/protocol/control/permission-question.js';
import { outcomeOf, useScenes } from '../../../../test/support/scene.js';
import {
  AWAIT_END,
  ask,
  assistant,
  canUseTool,
  emit,
  exit,
  expectLine,
  handshake,
  hookCallback,
  init,
  lifecycle,
  reply,
  result,
  state,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, useVirtualClock } from '../../../../test/support/virtual-clock.js';

/** Longer than any clock of a session: ten minutes of work, then ten more to leave, then the signals. */
const LONG_ENOUGH_MS = 2 * 3_600_000;

const task = (subtype: string, task_type: string): object => ({
  type: 'system',
  subtype,
  task_id: task_type,
  task_type,
  status: 'completed',
});

/** What a CLI may say in between, in any order and any number. */
const saying: fc.Arbitrary<Step> = fc.oneof(
  fc
    .constantFrom('idle' as const, 'running' as const, 'requires_action' as const)
    .map((value) => emit(state(value))),
  fc.constant(emit(init())),
  fc.constant(emit(assistant('so'))),
  fc.constant(emit(result())),
  fc.constant(emit(result({ is_error: true, user_message_uuids: ['$uuid:1', 'unknown'] }))),
  fc
    .tuple(fc.constantFrom('queued', 'started', 'completed', 'cancelled'), fc.nat(2))
    .map(([value, index]) => emit(lifecycle(`$uuid:${index}`, value))),
  fc
    .tuple(fc.constantFrom('task_started', 'task_notification'), fc.constantFrom('local_agent', 'local_bash'))
    .map(([subtype, type]) => emit(task(subtype, type))),
  fc.constant(emit({ type: 'system', subtype: 'background_tasks_changed', tasks: [] })),
  fc.constantFrom<Step>(
    { do: 'raw', text: 'noise\nnull\n{"type":"control_response"}\n' },
    { do: 'raw', text: '{"type":"keep_alive"}\n' },
  ),
  fc.nat(3).map((id) => ask(`p${id}`, canUseTool())),
  fc.nat(3).map((id) => ask(`h${id}`, hookCallback())),
  fc.constantFrom('p0', 'p1', 'h0', 'h1').map((id): Step => ({ do: 'cancel', id })),
);

/** How a callback decides, and after how long. */
const deciding = fc.record({
  answer: fc.constantFrom('allow', 'deny', 'null', 'throw', 'nonsense'),
  afterMs: fc.constantFrom(0, 0, 1, 7000, 700_000),
});

const session = fc.record({
  messages: fc.nat(3),
  fed: fc.nat(2),
  fedAfterMs: fc.constantFrom(0, 1, 6000, 700_000),
  requests: fc.nat(2),
  answeredRequests: fc.nat(2),
  middle: fc.array(saying, { maxLength: 12 }),
  deciding,
  end: fc.record({
    how: fc.constantFrom('by itself', 'by itself', 'close', 'abort', 'return'),
    afterMs: fc.constantFrom(0, 1, 3000, 20_000, 800_000),
  }),
  leaving: fc.constantFrom<Step[]>(
    [AWAIT_END, exit(0)],
    [AWAIT_END, exit(1)],
    [AWAIT_END, { do: 'kill', signal: 'SIGSEGV' }],
    [AWAIT_END, { do: 'ignoreEnd' }, { do: 'hang' }],
    [exit(0)],
    [exit(1)],
  ),
});

const ANSWERS: Record<string, () => unknown> = {
  allow: () => ({ behavior: 'allow' }),
  deny: () => ({ behavior: 'deny', message: 'no' }),
  null: () => null,
  throw: () => {
    throw new Error('callback');
  },
  nonsense: () => 7n,
};

function makeOptions({ answer, afterMs }: { answer: string; afterMs: number }): Options {
  const decide = async (): Promise<unknown> => {
    if (afterMs > 0) await pause(afterMs);
    return ANSWERS[answer]?.();
  };
  return {
    canUseTool: () => decide() as Promise<PermissionResult | null>,
    hooks: { PreToolUse: [{ hooks: [() => decide() as Promise<object>] }] },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function* feed(count: number, afterMs: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) {
    await pause(afterMs);
    yield `fed ${index}`;
  }
}

describe('any session', () => {
  useVirtualClock();
  const play = useScenes();

  it('ends, once, for everybody who waits', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (plan) => {
        const abortController = new AbortController();
        const users = Array.from({ length: plan.messages }, () => expectLine('user'));
        const answers = Array.from({ length: Math.min(plan.requests, plan.answeredRequests) }, () => [
          expectLine('set_model'),
          reply({}),
        ]).flat();
        const { q, cli } = play({
          kind: 'memory',
          prompt: Array.from({ length: plan.messages }, (_, index) => `message ${index}`),
          steps: [
            ...handshake(),
            ...users,
            ...plan.middle,
            ...answers,
            ...Array.from({ length: plan.fed }, () => expectLine('user')),
            emit(result()),
            ...plan.leaving,
          ],
          options: { ...makeOptions(plan.deciding), abortController },
        });
        const ending = collectEnd(q);
        const open = [
          q.initializationResult(),
          q.streamInput(feed(plan.fed, plan.fedAfterMs)),
          ...Array.from({ length: plan.requests }, () => q.setModel('m')),
        ].map(outcomeOf);
        if (plan.end.how !== 'by itself') {
          await elapse(plan.end.afterMs);
          if (plan.end.how === 'abort') abortController.abort();
          else void (plan.end.how === 'close' ? q.close() : q.return());
        }
        let isOver = false;
        void Promise.all([ending, ...open]).then(() => (isOver = true));
        await elapse(LONG_ENOUGH_MS);
        expect(isOver).toBe(true);
        expect(cli.isGone()).toBe(true);
        expect(vi.getTimerCount()).toBe(0);
        const { error, ends } = await ending;
        expect(ends).toBe(1);
        if (error !== undefined) expect(error).toBeInstanceOf(InboardError);
      }),
      { numRuns: 150, seed: 20_260_101 },
    );
  });
});

/** Asks on after the end, to see that there is one only. */
async function collectEnd(q: AsyncIterator<unknown>): Promise<{ error: unknown; ends: number }> {
  let error: unknown;
  let ends = 0;
  try {
    for (let step = await q.next(); !step.done;) step = await q.next();
    ends += 1;
  } catch (thrown) {
    error = thrown;
    ends += 1;
  }
  for (let more = 0; more < 3; more += 1) {
    const step = await outcomeOf(q.next());
    if (step.error !== undefined || (step.value as IteratorResult<unknown>).done !== true) ends += 1;
  }
  return { error, ends };
}
