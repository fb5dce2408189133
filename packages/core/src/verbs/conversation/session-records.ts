// Opens the call records of a conversation for each session id that it has, and closes those of the id before.
import { loadPart } from '../../util/load-part.js';
import type { OpenedRecords } from './completion/open-records.js';
import type { OpenWaits } from './completion/open-waits.js';
import type { ConversationParts } from './conversation-parts.js';
import type { RecordingScope } from './recording-scope.js';

interface SessionRecordsInput {
  readonly parts: ConversationParts;
  readonly scope: RecordingScope;
  /** Is told what each open call does. */
  readonly waits: OpenWaits;
  /** Called whenever records were opened. */
  readonly onOpened: () => void;
}

/** One per conversation. */
export class SessionRecords {
  readonly #input: SessionRecordsInput;
  #opened: OpenedRecords | undefined;
  #opening: { sessionId: string; done: Promise<void> } | undefined;

  constructor(input: SessionRecordsInput) {
    this.#input = input;
  }

  /** The records that are open; undefined as long as there is nothing to record. */
  get opened(): OpenedRecords | undefined {
    return this.#opened;
  }

  /**
   * Opens the records of a session. Returns undefined where the session needs no records, or has them open already. Never
   * rejects: a failure is reported as a warning.
   */
  prepare(sessionId: string | undefined): Promise<void> | undefined {
    if (sessionId === undefined || !this.#input.scope.isRecorded || this.#opened?.sessionId === sessionId)
      return undefined;
    if (this.#opening?.sessionId !== sessionId) {
      const done = this.#openOrWarn(sessionId).finally(() => (this.#opening = undefined));
      this.#opening = { sessionId, done };
    }
    return this.#opening.done;
  }

  /** Opens the records, unless they are open already. Rejects where that fails. */
  async open(sessionId: string): Promise<void> {
    await this.#opening?.done;
    if (this.#opened?.sessionId !== sessionId) await this.#openNow(sessionId);
  }

  close(): Promise<void> | undefined {
    return this.#opened?.close();
  }

  async #openOrWarn(sessionId: string): Promise<void> {
    try {
      await this.#openNow(sessionId);
    } catch (cause) {
      const message =
        'The calls of this session cannot be recorded, so those that are cut off have an unknown outcome';
      this.#input.parts.warnings.report(new Error(message, { cause }));
    }
  }

  async #openNow(sessionId: string): Promise<void> {
    const { parts, scope, waits, onOpened } = this.#input;
    const { warnings, calls } = parts;
    const { openRecords } = await loadPart(() => import('./completion/open-records.js'));
    const identify: typeof calls.identify = (call) => calls.identify(call);
    await this.#opened?.close();
    this.#opened = await openRecords({ sessionId, options: scope.options, warnings, identify, waits });
    onOpened();
  }
}
