// How a live CLI ends: asked for or by itself, the end is decided here alone, and once. Parts are closed, the process is
// ended, files are removed, and the streams end with what `ending` makes of it.
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

/** How long a child may take to leave before SIGTERM, where the options do not decide. A caller who aborts wants to be rid of it. */
const GRACE_MS: Partial<Record<EndCause['kind'], number>> = {
  aborted: 250,
  abandoned: 0,
  refused: 0,
  lingered: 0,
  wedged: 0,
};
/**
 * The same between SIGTERM and SIGKILL. A CLI that is told to leave would still write down that its turn was stopped. One
 * without a sign of life does nothing any more.
 */
const KILL_MS: Partial<Record<EndCause['kind'], number>> = { abandoned: 0, refused: 0, wedged: 500 };
/** How long a child that no longer reads may finish what it writes. */
const INPUT_BROKEN_GRACE_MS = 5000;

const NOT_TAKEN = 'The session store did not take the whole transcript (see the messages mirror_error), ';

/** One per live CLI: the only one who changes the `end` of its state. */
export class LiveEnd {
  readonly #state: LiveState;
  readonly #late: LateParts;
  readonly #warnings: WarningReporter;
  readonly #over: Deferred<void> = createDeferred();
  /** Resolves when the CLI is gone and nothing of it is left; never rejects. */
  readonly over = this.#over.promise;
  /** Stops a launch that is under way when all is over. */
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

  /** Ends the CLI when the signal aborts. One that has aborted keeps it from being started. */
  follow(signal: AbortSignal): void {
    this.#forgetAbort = onAbort(signal, () => void this.close({ kind: 'aborted', reason: signal.reason }));
    if (signal.aborted) this.#state.end.decide({ kind: 'aborted', reason: signal.reason });
  }

  /** The CLI is started: what its launch wrote is removed at the end. */
  adopt({ discard, config }: Pick<Launched, 'discard' | 'config'>): void {
    this.#discardFiles = discard;
    this.#config = config;
  }

  /** Ends it, whatever it is doing; the first cause counts. Resolves when the child is gone. */
  close(cause: EndCause): Promise<void> {
    const { end, connection, progress } = this.#state;
    if (end.isOver) return this.over;
    const first = end.cause === undefined;
    end.decide(cause);
    if (!connection.transport) {
      // Nothing is started yet, and nothing will be.
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

  /** The transport reports a fault, which ends only a CLI whose input is broken. */
  receiveFault(error: InboardError): void {
    this.#parts.warnings.observe(error);
    // Nothing more reaches a CLI that no longer reads: it may finish what it is writing, then it goes.
    if (error.code === 'INPUT_BROKEN') {
      const { killGraceMs } = this.#parts.options;
      this.#state.connection.terminate({ graceMs: INPUT_BROKEN_GRACE_MS, killMs: killGraceMs });
    }
  }

  /** The child is gone. An answer to the handshake that came in the same tick as the end is still on its way. */
  receiveEnd(end: TransportEnd): void {
    const { connection, progress } = this.#state;
    connection.tap?.end(end);
    if (progress.phase === 'handshake') queueMicrotask(() => this.finish(end));
    else this.finish(end);
  }

  /** The start failed: there will be no CLI. */
  noteFailure(error: unknown): void {
    this.#state.end.decide({ kind: 'failed', error });
  }

  /** Something unforeseen broke here; a consumer must not wait for ever because of it. */
  abandon(error: unknown): void {
    this.noteFailure(error);
    this.#state.connection.terminate({ graceMs: 0 });
    this.finish(undefined);
  }

  /** The parts could not be made, though everything was checked: only those who wait can be told. */
  breakOff(error: unknown): void {
    const { connection, progress, version } = this.#state;
    this.noteFailure(error);
    this.#becomeOver();
    connection.terminate({ graceMs: 0 });
    progress.fail(error);
    version.end();
    this.discard(this.#discardFiles);
    void this.#config?.remove();
    this.#warnings.reportEnd(error);
    this.#over.resolve();
  }

  /** The one place where a CLI whose parts are made becomes over: the child is gone, or none was started. */
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
    // What was asked for happened, but something may be left of the CLI.
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
   * The end of input alone does not end a turn: a CLI in the middle of a tool call asks the model once more,
   * and one that waits for the model stays until it is killed, without having written the turn down.
   */
  #stopTurn(): void {
    const { lifetime, channel } = this.#parts;
    if (lifetime.inputEnded || !lifetime.isAtWork) return;
    channel.request({ subtype: 'interrupt' }).catch(() => {});
  }

  #closeParts(error: Error): void {
    this.#parts.close(error);
    this.#state.progress.fail(error);
    this.#state.version.end();
  }

  /** Deletes only what the store has. What the store has refused for good belongs to the process that it takes entries from now. */
  #leaveConfig(): Promise<void> | undefined {
    const config = this.#config;
    if (!config) return undefined;
    const { mirror, warnings } = this.#parts;
    if (mirror.hasLost) return keepTranscript(config, (warning) => warnings.emit(warning));
    void config.remove();
    return undefined;
  }

  #endStreams(decided: unknown, refusal: Error | undefined): void {
    const { end, connection } = this.#state;
    const { messages, texts, warnings } = this.#parts;
    // The result was not delivered, so this is no clean end; a caller who asked for the end gets what was asked for.
    const error = refusal && !isAskedFor(end.cause) ? refusal : decided;
    for (const stream of [messages, texts]) {
      if (error === undefined) stream.end();
      else stream.fail(error);
    }
    warnings.reportEnd(error);
    connection.tap?.over(error);
    this.#over.resolve();
  }
}

/** Milliseconds before SIGTERM, and from there to SIGKILL; undefined where the transport decides. */
interface EndGrace {
  graceMs: number | undefined;
  killMs: number | undefined;
}

function graceOf({ kind }: EndCause, { closeGraceMs, killGraceMs }: Options): EndGrace {
  return { graceMs: GRACE_MS[kind] ?? closeGraceMs, killMs: KILL_MS[kind] ?? killGraceMs };
}

/** Keeps a transcript that the session store did not take as a whole, and warns where it is, or that there is none to keep. Never rejects. */
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
