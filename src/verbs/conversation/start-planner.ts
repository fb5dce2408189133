// How the CLI of a long session is started: the first time, and each time after, so that it goes on with the
// conversation under the same id. Knows no process.
import { randomUUID } from 'node:crypto';
import { SessionNotFoundError } from '../../errors.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import { saysIdInUse, saysNoConversation } from './restart-policy.js';

/** What only the first start is told. */
const ONLY_AT_FIRST = [
  'sessionId',
  'continue',
  'forkSession',
  'resumeSessionAt',
  'resumeDropsTurn',
  'title',
] as const;

/** Keeps what is known of the conversation; one per session. */
export class StartPlanner {
  readonly #options: QueryOptions;
  #sessionId: string | undefined;
  #conversation: 'resumed' | 'new' = 'new';
  #hasBeenReady = false;
  /** Whether anything was said, so that there may be something to resume. */
  #hasWritten = false;
  /** The CLI does not have it, although something was said. */
  #mustStartAnew = false;
  /** Another id was taken since the CLI was last ready. */
  #hasFreshId = false;
  #answers = 0;

  constructor(options: QueryOptions) {
    this.#options = withSessionId(options);
    this.#sessionId = this.#options.sessionId;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** What the last start was. */
  get conversation(): 'resumed' | 'new' {
    return this.#conversation;
  }

  /** Whether a start has ever succeeded. */
  get hasBeenReady(): boolean {
    return this.#hasBeenReady;
  }

  /** The CLI named the conversation; another than before when it was cleared. */
  noteId(sessionId: string): void {
    this.#sessionId = sessionId;
  }

  noteReady(): void {
    this.#hasBeenReady = true;
    this.#mustStartAnew = false;
    this.#hasFreshId = false;
  }

  noteWrite(): void {
    this.#hasWritten = true;
  }

  noteAnswer(): void {
    this.#answers += 1;
  }

  /** The options of the next start: the first ones until something was said, then those that go on with it. */
  plan(): QueryOptions {
    const options = this.#planOptions();
    this.#conversation = options.resume !== undefined || options.continue === true ? 'resumed' : 'new';
    return options;
  }

  /**
   * What follows a start that failed: `again`, in another way, because the conversation was cut before it was
   * written down; an error, because it had answers that must not be forgotten in silence; undefined, because
   * the failure is of another kind.
   */
  reconsider(
    error: unknown,
    whenLost: 'fail' | 'startAnew' = 'fail',
  ): 'again' | SessionNotFoundError | undefined {
    if (this.#mustStartAnew) {
      // Once: a CLI that refuses any id would be started without end.
      if (!saysIdInUse(error) || this.#hasFreshId) return undefined;
      // 2.1.33, killed in its first turn: there is a file, so the id is taken, and nothing in it to resume.
      this.#sessionId = randomUUID();
      this.#hasFreshId = true;
      return 'again';
    }
    if (!this.#hasBeenReady || this.#conversation === 'new' || !saysNoConversation(error)) return undefined;
    if (this.#answers > 0 && whenLost === 'fail') return this.#describeLoss(error);
    this.#mustStartAnew = true;
    this.#answers = 0;
    return 'again';
  }

  #planOptions(): QueryOptions {
    const sessionId = this.#sessionId;
    if (!this.#hasWritten || sessionId === undefined) return this.#options;
    if (this.#mustStartAnew)
      return this.#options.sessionId === undefined ? this.#options : { ...this.#options, sessionId };
    const resumed: QueryOptions = { ...this.#options, resume: sessionId };
    for (const key of ONLY_AT_FIRST) delete resumed[key];
    return resumed;
  }

  #describeLoss(cause: unknown): SessionNotFoundError {
    const id = String(this.#sessionId);
    return new SessionNotFoundError(
      id,
      `The CLI no longer has the conversation ${id}, of which ${this.#answers} turns were answered, so the session ` +
        'cannot go on. Start a new one, or set restart.whenLost to "startAnew" to go on without its memory.',
      { cause },
    );
  }
}

/** A session of our own gets its id from us, so that it can be resumed whatever happens. */
function withSessionId(options: QueryOptions): QueryOptions {
  const isAnothers = options.resume !== undefined || options.continue === true;
  if (options.sessionId !== undefined || (isAnothers && options.forkSession !== true)) return options;
  return { ...options, sessionId: randomUUID() };
}
