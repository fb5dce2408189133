// Chooses the options for each start of a conversation's CLI. Later starts resume the conversation under the same id. Starts
// no process itself.
import { randomUUID } from '../../util/random-uuid.js';
import { join, parse } from 'node:path';
import { ProcessExitError, ResultError, SessionNotFoundError } from '../../errors.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { TraceOption } from '../../record/trace/recorder/trace-option.js';
import { disk } from '../../util/system/disk.js';

/** Options that only the first start gets. */
const ONLY_AT_FIRST = [
  'sessionId',
  'continue',
  'forkSession',
  'resumeSessionAt',
  'resumeDropsTurn',
  'title',
] as const;

/** Remembers what is known of one conversation. */
export class StartPlanner {
  readonly #options: QueryOptions;
  #sessionId: string | undefined;
  #conversation: 'resumed' | 'new' = 'new';
  #hasBeenReady = false;
  /** Whether a message was written, so that there may be a conversation to resume. */
  #hasWritten = false;
  /** Whether the CLI has lost the conversation, although messages were written. */
  #mustStartAnew = false;
  /** Whether the id was replaced since the CLI was last ready. */
  #hasFreshId = false;
  #answers = 0;
  #starts = 0;

  constructor(options: QueryOptions) {
    this.#options = withSessionId(options);
    this.#sessionId = this.#options.sessionId;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The id of the conversation that the next start resumes; undefined where it is not known. */
  get resumedId(): string | undefined {
    return this.#planOptions().resume;
  }

  /** The session id. Before a CLI has reported one, it is the id of the session that is resumed. */
  get knownId(): string | undefined {
    return this.#sessionId ?? this.resumedId;
  }

  /** Whether the last start resumed the conversation. */
  get conversation(): 'resumed' | 'new' {
    return this.#conversation;
  }

  /** Whether a start has ever succeeded. */
  get hasBeenReady(): boolean {
    return this.#hasBeenReady;
  }

  /** Notes the session id that the CLI reported. It changes when the conversation is cleared. */
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

  /** The options of the next start: the original ones until a message is written, and those that resume after that. */
  plan(): QueryOptions {
    const options = { ...this.#planOptions() };
    this.#conversation = options.resume !== undefined || options.continue === true ? 'resumed' : 'new';
    // The end of one process is not the end of the conversation.
    delete options.onEnd;
    this.#starts += 1;
    if (options.trace !== undefined) options.trace = numberTrace(options.trace, this.#starts);
    return options;
  }

  /**
   * Decides what follows a start that failed. `again`: start with other options, because the CLI does not have the
   * conversation. An error: the conversation had answers, which must not be lost silently. Undefined: the start failed for
   * another reason.
   */
  reconsider(
    error: unknown,
    whenLost: 'fail' | 'startAnew' = 'fail',
  ): 'again' | SessionNotFoundError | undefined {
    if (this.#mustStartAnew) {
      // A new id is tried only once, because a CLI that refuses every id would be started forever.
      if (!saysIdInUse(error) || this.#hasFreshId) return undefined;
      // CLI 2.1.33, if killed in its first turn, leaves a file that cannot be resumed and still takes the id.
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
      `The CLI no longer has the conversation ${id}, in which ${this.#answers} turns were answered, so the session ` +
        'cannot continue. Start a new one, or set restart.whenLost to "startAnew" to continue without its memory.',
      { cause },
    );
  }
}

/** Gives a new conversation its id before the CLI does, so that it can be resumed whenever its CLI ends. */
function withSessionId(options: QueryOptions): QueryOptions {
  const isResumed = options.resume !== undefined || options.continue === true;
  if (options.sessionId !== undefined || (isResumed && options.forkSession !== true)) return options;
  return { ...options, sessionId: randomUUID() };
}

/** Whether the CLI does not have the conversation it was to resume. */
function saysNoConversation(error: unknown): boolean {
  if (error instanceof SessionNotFoundError) return true;
  return error instanceof ResultError && error.message.includes('No conversation found');
}

/** Whether the CLI refused to begin a conversation because it considers the id taken. */
function saysIdInUse(error: unknown): boolean {
  return error instanceof ProcessExitError && error.stderrTail?.includes('already in use') === true;
}

/**
 * The trace option for the start with this number, counted from 1. Each later start gets a file of its own, so that it does not
 * replace the one before. A folder gets a file for each start anyway, and a sink takes all starts.
 */
export function numberTrace(option: TraceOption, start: number): TraceOption {
  if (start === 1) return option;
  if (typeof option === 'string') return numberFile(option, start);
  return 'write' in option ? option : { ...option, file: numberFile(option.file, start) };
}

function numberFile(path: string, start: number): string {
  if (isFolder(path)) return path;
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}-${start}${ext}`);
}

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || disk.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
