// The handlers that run in this process, by the key of their call: whoever completes a call that has begun here waits for its handler
// instead of running it another time, also where another session object of the same conversation began it.
import type { RecordedResult } from '../../../wire/protocol/config/call-records.js';

const running = new Map<string, Promise<RecordedResult | undefined>>();

export const runningCalls = {
  /** A handler began; `result` never stays open longer than it runs, and is undefined where it was cancelled. */
  add(callKey: string, result: Promise<RecordedResult | undefined>): void {
    running.set(callKey, result);
    const forget = (): void => {
      if (running.get(callKey) === result) running.delete(callKey);
    };
    result.then(forget, forget);
  },
  /** The result of a handler that runs here, once it has ended; undefined where none runs. */
  find(callKey: string): Promise<RecordedResult | undefined> | undefined {
    return running.get(callKey);
  },
};
