// Ends a live CLI, whether the caller asks for the end or the CLI exits on its own. Only this file does so, and only once per
// CLI. It closes the parts, ends the process, removes files, and ends the streams. `ending` decides which error the consumer
// gets.
import { SessionStoreError, SessionClosedError, WireError, type InboardError } from '../errors.js';
import type { InboardWarning } from '../options/check/warning.js';
import type { WarningReporter } from '../options/check/warning-reporter.js';
import type { Options } from '../options/options.js';
import type { PrivateConfig } from '../record/history/store/private-config.js';
import { createDeferred, type Deferred } from '../util/deferred.js';
import { onAbort } from '../util/on-abort.js';
import type { TransportEnd } from '../wire/transport/transport.js';
import { decideEnding, errorForWaiters, isAskedFor, isAtOnce, type EndCause } from './ending.js';
import type { LateParts } from './late-parts.js';
import type { Launched } from './launch.js';
import type { LiveParts } from './live-parts.js';
import type { LiveState } from './live-state.js';

/**
 * How long a child may take to exit before SIGTERM, for causes that override the options. A caller who aborts wants a quick
 * end.
 */
const GRACE_MS: Partial<Record<EndCause['kind'], number>> = {
  aborted: 250,
  abandoned: 0,
  released: 0,
  refused: 0,
  lingered: 0,
  wedged: 0,
};
/**
 * How long a child may take between SIGTERM and SIGKILL, for causes that override the options. With any time left after
 * SIGTERM, a CLI would still record that its turn was stopped, so an abandoned, released or refused one gets none. A CLI without a sign
 * of life needs little time.
 */
const KILL_MS: Partial<Record<EndCause['kind'], number>> = {
  abandoned: 0,
  released: 0,
  refused: 0,
  wedged: 500,
};
/** How long a child that no longer reads its input may finish its output. */
const INPUT_BROKEN_GRACE_MS = 5000;

const NOT_TAKEN = 'The session store did not take the whole transcript (see the messages mirror_error), ';

/** One per live CLI. Only this object changes the `end` of the CLI's state. */
export class LiveEnd {
  readonly #state: LiveState;
  readonly #late: LateParts;
  readonly #warnings: WarningReporter;
  readonly #over: Deferred<void> = createDeferred();
  #removing: Promise<void> | undefined;
  /** Resolves when the CLI is gone and everything of it is cleaned up. Never rejects. */
  readonly over = this.#over.promise;
  /** Stops a launch that is still under way when the CLI is over. */
  readonly #unwanted = new AbortController();
  #discardFiles: () => void = () => {};
  #config: Launched['config'];
  #transportEnd: TransportEnd | undefined;
  #forgetAbort: () => void = () => {};

  constructor(state: LiveState, late: LateParts, warnings: WarningReporter) {
    this.#state = state;
    this.#late = late;
    this.#warnings = warnings;
    state.end.onRequest((cause) => void this.close(cause));
  }

  /** Aborts when the CLI is not wanted any more. */
  get unwanted(): AbortSignal {
    return this.#unwanted.signal;
  }

  /** How the child ended, once it has. */
  get transportEnd(): TransportEnd | undefined {
    return this.#transportEnd;
  }

  get #parts(): LiveParts {
    return this.#late.get();
  }

  /** Ends the CLI when the signal aborts. A signal that has already aborted prevents the start. */
  follow(signal: AbortSignal): void {
    this.#forgetAbort = onAbort(signal, () => void this.close({ kind: 'aborted', reason: signal.reason }));
    if (signal.aborted) this.#state.end.decide({ kind: 'aborted', reason: signal.reason });
  }

  /** Takes over the private files and the config folder of the launch, to remove them at the end. */
  adopt({ discard, config }: Pick<Launched, 'discard' | 'config'>): void {
    this.#discardFiles = discard;
    this.#config = config;
  }

  /**
   * Ends the CLI, whatever it is doing. Only the first cause counts, but a later one may shorten the time that the child has
   * left. Resolves when the child is gone.
   */
  close(cause: EndCause): Promise<void> {
    const { end, connection, progress } = this.#state;
    if (end.isOver) return this.over;
    const first = end.cause === undefined;
    end.decide(cause);
    if (!connection.transport) {
      // Nothing has been started, and nothing will be.
      this.finish(undefined);
      return this.over;
    }
    if (first) {
      if (progress.phase === 'running' && !isAtOnce(cause)) this.#stopTurn();
      this.#closeParts(errorForWaiters(cause));
    }
    connection.terminate(graceOf(cause, this.#parts.options));
    return this.over;
  }

  /** Takes a fault that the transport reports. Only broken input ends the CLI. */
  receiveFault(error: InboardError): void {
    this.#parts.warnings.observe(error);
    // Nothing reaches a CLI that no longer reads. It may finish its output and is then ended.
    if (error.code === 'INPUT_BROKEN') {
      const { killGraceMs } = this.#parts.options;
      this.#state.connection.terminate({ graceMs: INPUT_BROKEN_GRACE_MS, killMs: killGraceMs });
    }
  }

  /**
   * Notes that the child is gone. An answer to the handshake that came in the same tick is still being delivered, so
   * the end waits for a microtask.
   */
  receiveEnd(end: TransportEnd): void {
    const { connection, progress } = this.#state;
    connection.tap?.end(end);
    if (progress.phase === 'handshake') queueMicrotask(() => this.finish(end));
    else this.finish(end);
  }

  /** Notes that an error ends the CLI, unless there is a reason for its end already. */
  noteFailure(error: unknown): void {
    this.#state.end.decide({ kind: 'failed', error });
  }

  /** Ends the CLI after an unforeseen error in this process, so that no consumer waits for ever. */
  abandon(error: unknown): void {
    this.noteFailure(error);
    this.#state.connection.terminate({ graceMs: 0 });
    this.finish(undefined);
  }

  /** Ends the CLI if its parts could not be made although all checks passed. Without parts, only waiting callers are told. */
  breakOff(error: unknown): void {
    const { connection } = this.#state;
    this.noteFailure(error);
    this.#becomeOver();
    connection.terminate({ graceMs: 0 });
    this.#state.failWaiting(error);
    this.discard(this.#discardFiles);
    this.#removing = this.#config?.remove();
    this.#warnings.reportEnd(error);
    this.#becomeCleanedUp();
  }

  /** Completes the end. `transportEnd` is undefined if no child was started, or if its end is not waited for. */
  finish(transportEnd: TransportEnd | undefined): void {
    const { end, progress, ignored } = this.#state;
    if (end.isOver) return;
    this.#transportEnd = transportEnd;
    this.#becomeOver();
    const { cause } = end;
    const { lastResult, unanswered } = this.#parts.lifetime;
    const decided = decideEnding({
      cause,
      end: transportEnd,
      phase: progress.phase,
      lastResult,
      unanswered,
      ignored: ignored.uuids,
    });
    this.#closeParts(decided instanceof Error ? decided : new SessionClosedError());
    const leftOver = transportEnd?.error;
    // The end came as requested, but something may be left of the CLI.
    if (leftOver && cause && decided !== leftOver && !(leftOver instanceof WireError))
      this.#parts.warnings.report(leftOver);
    this.discard(this.#discardFiles);
    this.#parts.mirror.finish((refusal) => {
      const leaving = this.#leaveConfig();
      const endStreams = (): void => this.#endStreams(decided, refusal);
      if (leaving) void leaving.then(endStreams);
      else endStreams();
    });
  }

  /** Removes private files of a launch. */
  discard(discardFiles: () => void): void {
    try {
      discardFiles();
    } catch (cause) {
      // A file that cannot be removed must not keep the CLI from being over.
      this.#warnings.report(new Error('The private files of the session could not be removed', { cause }));
    }
  }

  #becomeOver(): void {
    this.#state.end.noteOver();
    this.#forgetAbort();
    this.#unwanted.abort();
  }

  /**
   * Interrupts the turn, because the end of input alone does not end it. A CLI in the middle of a tool call would ask
   * the model once more. A CLI that waits for the model would stay until it is killed, and would not have written the
   * turn to its transcript.
   */
  #stopTurn(): void {
    const { lifetime, channel } = this.#parts;
    if (lifetime.inputEnded || !lifetime.isAtWork) return;
    channel.request({ subtype: 'interrupt' }).catch(() => {});
  }

  #closeParts(error: Error): void {
    this.#parts.close(error);
    this.#state.failWaiting(error);
  }

  /**
   * Removes the config folder, but keeps its transcript if the store failed to take all of it. Entries that the store refused
   * for good do not count: they belong to the process from which it now accepts entries.
   */
  #leaveConfig(): Promise<void> | undefined {
    const { mirror, warnings } = this.#parts;
    if (this.#config && mirror.hasLost)
      return keepTranscript(this.#config, (warning) => warnings.emit(warning));
    this.#removing = this.#config?.remove();
    return undefined;
  }

  #endStreams(decided: unknown, refusal: Error | undefined): void {
    const { end, connection } = this.#state;
    const { messages, texts, warnings } = this.#parts;
    // After a refusal the result was not delivered, so the end is not clean. A caller who asked for the end does not get that
    // error.
    const error = refusal && !isAskedFor(end.cause) ? refusal : decided;
    for (const stream of [messages, texts]) {
      if (error === undefined) stream.end();
      else stream.fail(error);
    }
    warnings.reportEnd(error);
    connection.tap?.over(error);
    this.#becomeCleanedUp();
  }

  /** The config folder has a transcript and perhaps a login, so the CLI is not over before it is gone. */
  #becomeCleanedUp(): void {
    if (this.#removing) void this.#removing.then(this.#over.resolve);
    else this.#over.resolve();
  }
}

/** Milliseconds before SIGTERM, and from SIGTERM to SIGKILL. Undefined if the transport decides. */
interface EndGrace {
  graceMs: number | undefined;
  killMs: number | undefined;
}

function graceOf({ kind }: EndCause, { closeGraceMs, killGraceMs }: Options): EndGrace {
  return { graceMs: GRACE_MS[kind] ?? closeGraceMs, killMs: KILL_MS[kind] ?? killGraceMs };
}

/**
 * Keeps a transcript that the session store did not take as a whole. Warns where it is, or that there is none to
 * keep. Never rejects.
 */
async function keepTranscript(config: PrivateConfig, warn: (warning: InboardWarning) => void): Promise<void> {
  const tell = (code: 'TRANSCRIPT_KEPT' | 'TRANSCRIPT_LOST', end: string, cause?: unknown): void => {
    const message = NOT_TAKEN + end;
    const error = new SessionStoreError('append', message, { cause });
    warn({ code, message, options: ['sessionStore'], error });
  };
  try {
    const kept = await config.keep();
    if (kept === undefined)
      tell(
        'TRANSCRIPT_LOST',
        "and the CLI's own is not on this machine: the CLI ran elsewhere, where its folder is deleted with the session. What the store did not take is lost.",
      );
    else
      tell(
        'TRANSCRIPT_KEPT',
        `so the CLI's own is kept in ${kept}. To store it, set CLAUDE_CONFIG_DIR to this folder and call importSessionToStore(). Then delete it.`,
      );
  } catch (error) {
    tell(
      'TRANSCRIPT_KEPT',
      `and the CLI's own could not be moved: it is in ${config.configDir}, and is deleted when the next process starts a CLI after this one has ended.`,
      error,
    );
  }
}
