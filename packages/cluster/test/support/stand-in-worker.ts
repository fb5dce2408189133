// A worker without a CLI: it takes leases and turns from the journal as a real one does, and answers by a script of the test.
import type { DispatcherWork } from '../../src/dispatch/dispatcher.js';
import type { Working } from '../../src/join-cluster.js';
import type { Fence, TurnOutcome, TurnRecord } from '../../src/journal/records.js';
import type { HostParts } from '../../src/work/host/host-parts.js';
import type { StepEnd, SteppedTurn } from '../../src/work/host/work-options.js';
import type { Journal } from '../../src/journal/journal.js';

/** What the worker does with a turn; undefined leaves it parked. */
export type Play = (
  turn: TurnRecord,
  tools: { fence: Fence; journal: Journal; signal: AbortSignal },
) => Promise<TurnOutcome | undefined>;

/** The outcome of a turn that went well. */
export function answered(text: string, turnCostUsd = 0): TurnOutcome {
  return { ok: true, kind: 'success', text, turnCostUsd };
}

/** Says the text back, as one event and as the outcome. */
export const echo: Play = async (turn, { fence, journal }) => {
  const text = `you said: ${JSON.stringify(turn.content)}`;
  await journal.publish(fence, [{ turn: turn.id, type: 'text', text }]);
  return answered(text);
};

/** What works, in a test. */
export function standIn(play: Play = echo): Working {
  const step = async (parts: HostParts, key: string, signal: AbortSignal): Promise<StepEnd> => {
    const { journal } = parts;
    const lease = await journal.lease(key, { owner: 'stand-in', ms: 60_000 });
    if (lease.state === 'paused' || lease.state === 'held')
      return { state: 'busy', why: lease.state, until: Date.now() + lease.forMs, turns: [] };
    if (lease.state !== 'granted') return { state: lease.state };
    const { fence, conversation } = lease;
    const ended: SteppedTurn[] = [];
    for (let turn = await journal.next(fence); turn; turn = await journal.next(fence)) {
      const admission = await parts.admit(turn, conversation, { fence });
      if (!admission.admitted && !admission.outcome) {
        const { afterMs } = admission;
        await journal.release(fence, { turn: turn.id, turnCostUsd: 0, afterMs });
        return { state: 'busy', why: 'budget', until: Date.now() + afterMs, turns: ended };
      }
      const outcome = !admission.admitted
        ? admission.outcome
        : turn.stop
          ? { ...answered(''), ok: false, kind: 'interrupted' }
          : await play(turn, { fence, journal, signal });
      if (!outcome) break;
      await journal.finish(fence, turn.id, { outcome });
      ended.push({ id: turn.id, outcome });
    }
    await journal.release(fence);
    // A question may have been answered between parking and giving back: a real worker's sweep finds that.
    const { turns = 0 } = (await journal.conversation(key)) ?? {};
    if (
      turns > ended.length &&
      (await journal.questions({ key, answered: true })).some(({ answer }) => answer)
    )
      await parts.dispatcher.wake(key);
    const outcome = ended.at(-1)?.outcome;
    return outcome ? { state: 'ended', outcome, turns: ended } : { state: 'idle' };
  };
  return {
    createSteps: () => ({
      step: (parts, key, { signal = new AbortController().signal }) => step(parts, key, signal),
      close: async () => {},
    }),
    startWorker: async (parts, { concurrency = 4 }, onEnded) => {
      const work: DispatcherWork = await parts.dispatcher.work(
        async (key, signal) => {
          await step(parts, key, signal);
        },
        { concurrency },
      );
      const close = (): Promise<void> => work.close().finally(onEnded);
      return {
        name: 'stand-in',
        stats: () => ({
          running: 0,
          warm: 0,
          leases: 0,
          takeovers: 0,
          lost: 0,
          turns: 0,
          parked: 0,
          handedOver: 0,
        }),
        drain: close,
        untilSignal: close,
        close,
        [Symbol.asyncDispose]: close,
      };
    },
  };
}
