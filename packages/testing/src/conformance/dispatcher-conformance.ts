// The conformance suite for dispatchers, as cases that any test runner can run. Each case uses a queue of its own, so the
// cases can run on a shared server.
import type { Dispatcher } from '@inboard/cluster/dispatch/dispatcher.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { Witness, type DispatcherCheck, type DispatcherGround } from './dispatcher-check.js';
import { WAKE_CASES } from './dispatcher-wake-cases.js';
import { WORK_CASES } from './dispatcher-work-cases.js';
import type { TestRunner } from './session-store-conformance.js';

/**
 * Makes a dispatcher to test. It is closed after its case. Dispatchers with the same queue name share wakes, and others
 * do not.
 */
export type DispatcherFactory = (queue: string) => Dispatcher | Promise<Dispatcher>;

/** One thing a dispatcher must do. */
export interface DispatcherCase {
  readonly name: string;
  /** Whether the case needs two dispatchers that share their wakes, as in two processes. */
  readonly isShared: boolean;
  /** Resolves if the dispatcher passes. Otherwise it rejects with an AssertionError. */
  readonly run: (createDispatcher: DispatcherFactory) => Promise<void>;
}

/** The test runner, and what the dispatcher can do. */
export interface DescribeDispatcherOptions extends TestRunner {
  /**
   * False for a dispatcher that wakes only workers of its own process. Cases with several processes are then left out.
   * Default true.
   */
  readonly isShared?: boolean | undefined;
}

/** All cases, for a test runner other than vitest, jest or node:test. */
export function dispatcherCases(): readonly DispatcherCase[] {
  return [...WAKE_CASES, ...WORK_CASES].map((check) => ({
    name: check.name,
    isShared: check.isShared ?? false,
    run: (createDispatcher) => runCheck(check, createDispatcher),
  }));
}

/** Declares a test for every case: `describeDispatcher('mine', (queue) => myDispatcher(queue), { describe, it })`. */
export function describeDispatcher(
  name: string,
  createDispatcher: DispatcherFactory,
  { describe, it, isShared = true }: DescribeDispatcherOptions,
): void {
  const cases = dispatcherCases().filter((each) => isShared || !each.isShared);
  describe(name, () => {
    for (const each of cases) it(each.name, () => each.run(createDispatcher));
  });
}

async function runCheck(check: DispatcherCheck, createDispatcher: DispatcherFactory): Promise<void> {
  const queue = `conformance-${randomUUID()}`;
  const made: Dispatcher[] = [];
  const witnesses: Witness[] = [];
  const create = async (): Promise<Dispatcher> => {
    const dispatcher = await createDispatcher(queue);
    made.push(dispatcher);
    return dispatcher;
  };
  const dispatcher = await create();
  const ground: DispatcherGround = {
    dispatcher,
    another: create,
    async startWorker({ on = dispatcher, concurrency = 1, handler } = {}) {
      const witness = new Witness(handler);
      witness.work = await on.work(witness.handle, { concurrency, onError: witness.onError });
      witnesses.push(witness);
      return witness;
    },
  };
  try {
    await check.run(ground);
  } finally {
    await Promise.all(witnesses.map(({ work }) => work.close()));
    await Promise.all(made.map((each) => each.close()));
  }
}
