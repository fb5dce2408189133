// The handlers that run in this process, by the keys of their calls. A completion waits for such a handler instead of
// running it again, even if another session object of the same conversation began it.
import type { RecordedResult } from '../../../wire/protocol/config/call-records.js';

const running = new Map<string, Promise<RecordedResult | undefined>>();

export const runningCalls = {
  /** Notes a handler that began. `result` settles when the handler ends, with undefined where it was cancelled. */
  add(callKey: string, result: Promise<RecordedResult | undefined>): void {
    running.set(callKey, result);
    const forget = (): void => {
      if (running.get(callKey) === result) running.delete(callKey);
    };
    result.then(forget, forget);
  },
  /** The result of a handler that runs here, once it has ended. Undefined where none runs. */
  find(callKey: string): Promise<RecordedResult | undefined> | undefined {
    return running.get(callKey);
  },
};
