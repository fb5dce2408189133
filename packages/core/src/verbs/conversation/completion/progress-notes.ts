// Records how far detached handlers have got. A handler may report often, so a call gets one fact in a second at most. The last
// report is never left out.
import type { ToolProgress } from '../../../answer/mcp/tool/tool-events.js';
import { clock } from '../../../util/system/clock.js';
import type { CallFact } from '../../../wire/protocol/config/call-records.js';
import { withoutUndefined } from '../../../util/without-undefined.js';

const PAUSE_MS = 1000;

/** One per recorder. */
export class ProgressNotes {
  readonly #add: (fact: CallFact) => void | Promise<void>;
  /** The calls that were noted a moment ago, and what each reported since. */
  readonly #resting = new Map<string, { timer: NodeJS.Timeout; latest: ToolProgress | undefined }>();

  constructor(add: (fact: CallFact) => void | Promise<void>) {
    this.#add = add;
  }

  note(callKey: string, progress: ToolProgress): void {
    const resting = this.#resting.get(callKey);
    if (resting) resting.latest = progress;
    else this.#write(callKey, progress);
  }

  /** Notes that the call has ended. Its result says all that is needed. */
  end(callKey: string): void {
    clock.clearTimeout(this.#resting.get(callKey)?.timer);
    this.#resting.delete(callKey);
  }

  #write(callKey: string, { progress, total, message }: ToolProgress): void {
    const at = clock.Date.now();
    void this.#add(withoutUndefined({ type: 'progress' as const, callKey, progress, total, message, at }));
    const timer = clock.setTimeout(() => {
      const latest = this.#resting.get(callKey)?.latest;
      this.#resting.delete(callKey);
      if (latest) this.#write(callKey, latest);
    }, PAUSE_MS);
    timer.unref();
    this.#resting.set(callKey, { timer, latest: undefined });
  }
}
