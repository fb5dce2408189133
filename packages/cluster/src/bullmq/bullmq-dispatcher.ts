// Carries wakes between machines through BullMQ. A wake may be lost when the server or a worker dies. That does no harm: the
// journal has the work that is due, and the sweep of a worker finds it.
import { ClusterError } from '@inboard/core/errors.js';
import { settleQuietly } from '@inboard/core/util/settle-quietly.js';
import { refuseFurtherArguments } from '@inboard/core/util/options-object.js';
import { checkWake, checkWork } from '../dispatch/check-wake.js';
import type {
  Dispatcher,
  DispatcherWork,
  WakeHandler,
  WakeOptions,
  WorkSettings,
} from '../dispatch/dispatcher.js';
import { endWork } from '../dispatch/end-work.js';
import { WakeRunner } from '../dispatch/wake-runner.js';
import { DISPATCHER_CALL, readBullmqOptions, type BullmqDispatcherOptions } from './bullmq-options.js';
import type { WakeData } from './bullmq-parts.js';
import { BullmqQueue } from './bullmq-queue.js';
import { BullmqTaker } from './bullmq-taker.js';

/**
 * A dispatcher on BullMQ: on Redis, or on PostgreSQL. Connects when the first wake is sent, and once for each worker. Close it
 * when you are done.
 */
export function bullmqDispatcher(options: BullmqDispatcherOptions): Dispatcher;
export function bullmqDispatcher(
  options: BullmqDispatcherOptions,
  ...others: readonly unknown[]
): Dispatcher {
  refuseFurtherArguments(others, DISPATCHER_CALL);
  const settings = readBullmqOptions(options);
  const queue = new BullmqQueue(settings);
  const works = new Set<DispatcherWork>();
  let closing: Promise<void> | undefined;

  const checkOpen = (): void => {
    if (closing !== undefined)
      throw new ClusterError('CLUSTER_CLOSED', 'The dispatcher is closed and no longer wakes workers.');
  };

  return {
    async wake(key: string, wakeOptions: WakeOptions = {}): Promise<void> {
      const afterMs = checkWake(key, wakeOptions);
      checkOpen();
      await queue.add(wakeOptions.urgent ? { key, urgent: true } : { key }, afterMs);
    },

    async work(handler: WakeHandler, workSettings: WorkSettings): Promise<DispatcherWork> {
      checkWork(handler, workSettings);
      checkOpen();
      // If the server does not accept the wake, the sweep of a worker finds the conversation.
      const putBack = (wake: WakeData, afterMs = 0): void => void settleQuietly(queue.add(wake, afterMs));
      const runner = new WakeRunner({
        ...workSettings,
        handler,
        wakeAgain: (key, { afterMs }) => putBack({ key }, afterMs),
        onRoom: () => taker.tellRoom(),
      });
      const taker = new BullmqTaker(settings, {
        room: () => runner.room,
        run: ({ key }) => runner.run(key),
        putBack,
        onTrouble: (error) => runner.report(error),
      });
      const work: DispatcherWork = {
        pause: () => taker.stop(),
        async close() {
          runner.abort();
          await Promise.all([taker.stop(), runner.whenIdle()]);
          works.delete(work);
        },
        [Symbol.asyncDispose]: () => work.close(),
      };
      await taker.start();
      works.add(work);
      return work;
    },

    close(): Promise<void> {
      closing ??= endWork(works).then(() => queue.close());
      return closing;
    },
  };
}
