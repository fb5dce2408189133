// Owns the CLI of a conversation, one process after the other: when it is started, suspended, let go and closed. `cli-starter` starts
// it, with the same conversation and settings, and `cli-restart` decides what follows a crash. Its observer handles turns and messages.
import { AbortError } from '../../errors.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { onAbort } from '../../util/on-abort.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { EndCause } from '../../live/ending.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { ReleasedQuestions } from '../../live/release-cli.js';
import type { CliObserver } from './cli-observer.js';
import { CliRestart } from './cli-restart.js';
import { CliStarter } from './cli-starter.js';
import { closedBecause } from './closed-because.js';
import type { AskedAgain } from './completion/ask-again.js';
import type { SessionState, WaitReason } from './conversation-event.js';
import type { Continuation } from './continuation.js';
import type { RecordingParts } from './recording-parts.js';
import { CrashRecord } from './crash-record.js';
import { CurrentCli } from './current-cli.js';
import { StartPlanner } from './start-planner.js';

/** One process at a time; never two on the same conversation. */
export class ConversationCli {
  readonly #parts: RecordingParts;
  readonly #continuation: Continuation;
  readonly #planner: StartPlanner;
  readonly #crashes: CrashRecord;
  readonly #over: Deferred<void> = createDeferred();
  readonly #current = new CurrentCli();
  readonly #starter: CliStarter;
  readonly #restart: CliRestart;
  #forgetAbort: () => void = () => {};
  /** Whether a CLI is needed as soon as the one that is being suspended is gone. */
  #isWanted = false;
  #isClosing = false;
  #endedTasks = 0;
  /** Settles when a turn that waits without a CLI goes on, or is over. Undefined while none waits. */
  #waiting: Promise<void> | undefined;
  /** Resolves when the CLI that was let go is gone. */
  #leaving: Promise<void> | undefined;

  constructor(parts: RecordingParts, continuation: Continuation) {
    this.#parts = parts;
    this.#continuation = continuation;
    const planner = new StartPlanner(parts.options);
    const crashes = new CrashRecord(parts);
    this.#planner = planner;
    this.#crashes = crashes;
    const shared = { parts, continuation, planner, crashes, current: this.#current };
    const onOver = (error: unknown): void => this.#finish(error);
    this.#starter = new CliStarter({
      ...shared,
      onEnd: (live, error) => this.#end(live, error),
      onFailure: onOver,
    });
    this.#restart = new CliRestart({ ...shared, starter: this.#starter, onOver });
    const signal = parts.options.abortController?.signal;
    if (signal) {
      this.#forgetAbort = onAbort(signal, () => {
        // A running CLI listens to the signal itself.
        if (!this.#current.live) this.#finish(new AbortError(undefined, { cause: signal.reason }));
      });
    }
  }

  /** Sets the receiver of messages and changes. Call it before the first start. */
  observe(observer: CliObserver): void {
    this.#current.observer = observer;
  }

  get state(): SessionState {
    return this.#current.state;
  }

  get sessionId(): string | undefined {
    return this.#planner.sessionId;
  }

  /** The session id. Before a CLI has reported one, it is the id of the session that is resumed. */
  get knownId(): string | undefined {
    return this.#planner.knownId;
  }

  /** The running process, if there is one. */
  get live(): LiveCli | undefined {
    return this.#current.live;
  }

  /** The last process that completed its handshake, even if it has ended since. */
  get lastLive(): LiveCli | undefined {
    return this.#current.lastLive;
  }

  /** Makes the CLI send its answers in pieces, from its next start on. */
  streamText(): void {
    this.#starter.streamText();
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Starts the CLI if there is none. Throws for wrong options. */
  start(): void {
    if (this.#current.state === 'suspending' || this.#current.state === 'waiting') this.#isWanted = true;
    if (this.#current.state === 'suspended') this.#starter.begin();
  }

  /**
   * Resolves with a CLI that has completed its handshake and has got all changes again. Starts one where there is none.
   * Rejects once the conversation is over.
   */
  whenReady(): Promise<LiveCli> {
    try {
      this.start();
    } catch (error) {
      this.#finish(error);
    }
    return this.#current.ready.promise;
  }

  /** Whether a turn was cut off before the session was opened, and the session group has not let it go on yet. */
  get mayHaveCutOff(): boolean {
    return this.#parts.gate !== undefined && this.#continuation.isOpening;
  }

  /** Whether the next CLI may go on with a turn that was cut off, before any message that waits. */
  get mayContinue(): boolean {
    return this.#continuation.isDue;
  }

  /** Lets the turn that was cut off go on. Resolves with true once it does, and with false when there is no such turn. */
  async takeUpCutOff(): Promise<boolean> {
    const continuation = this.#continuation;
    await continuation.prepare(this.#planner.resumedId);
    if (!continuation.found) return false;
    await this.whenReady().catch(() => {});
    return true;
  }

  async write(live: LiveCli, message: SDKUserMessage): Promise<void> {
    this.#planner.noteWrite();
    await live.streamInput([message]);
  }

  /** Notes that a turn was answered. Earlier crashes no longer count after that. */
  noteAnswer(): void {
    this.#planner.noteAnswer();
    this.#crashes.reset();
  }

  /** Ends the CLI and its `endedTasks` background tasks, but keeps the conversation. False when no CLI can be ended now. */
  async suspend(endedTasks = 0): Promise<boolean> {
    if (this.#current.state === 'suspended') return true;
    const live = this.#current.live;
    if (this.#current.state !== 'ready' || !live) return false;
    this.#current.state = 'suspending';
    this.#endedTasks = endedTasks;
    this.#current.ready.renew();
    await live.close({ kind: 'closed' });
    return true;
  }

  /**
   * Ends the CLI as a crash would, because its turn only waits. The turn goes on with the next CLI, which is started when
   * nothing of the turn waits any more. `hold` makes the table for the questions that stay open.
   */
  letGo(waitsFor: readonly WaitReason[], hold: (released: ReleasedQuestions) => AskedAgain): void {
    const live = this.#current.live;
    if (this.#current.state !== 'ready' || !live) return;
    const { turns, recording, gate } = this.#parts;
    this.#current.state = 'waiting';
    this.#current.ready.renew();
    this.#current.live = undefined;
    turns.letGo();
    recording.hold(hold(live.release()));
    gate?.lend();
    this.#leaving = live.over;
    const waiting = this.#wait(live, waitsFor).catch((error: unknown) => this.#finish(error));
    this.#waiting = waiting;
  }

  /**
   * Stops the turn that waits without a CLI. Resolves when its transcript shows that, and the turn is over. Undefined where
   * no turn waits.
   */
  stopWaiting(): Promise<void> | undefined {
    if (this.#current.state !== 'waiting') return undefined;
    this.#parts.recording.interrupt();
    return this.#waiting;
  }

  /** Completes the calls of a turn that waits, and starts the CLI that goes on with it. */
  async #wait({ over, version }: LiveCli, waitsFor: readonly WaitReason[]): Promise<void> {
    // Nothing is read or written before the CLI is gone. It was killed, so this takes only a moment.
    await over;
    if (this.#current.state !== 'waiting') return;
    const { turns, recording, emit } = this.#parts;
    emit({ type: 'suspended', waitsFor });
    await this.#continuation.prepare(this.#planner.resumedId, version);
    recording.dropHeld();
    if (this.#current.state !== 'waiting') return;
    if (this.#continuation.failure) throw this.#continuation.failure;
    if (turns.continuing.length > 0 && !turns.isClosed) this.#starter.goOn();
    else this.#rest();
  }

  /** Has no CLI until one is needed, because the turn that waited was stopped. */
  #rest(): void {
    this.#current.state = 'suspended';
    void this.#parts.recording.release();
    this.#current.observer?.onGone();
    if (this.#isWanted && !this.#parts.turns.isClosed) void this.whenReady();
    this.#isWanted = false;
    this.#current.observer?.onCut();
  }

  /** Ends the conversation; resolves when the CLI is gone. */
  async close(cause: EndCause = { kind: 'closed' }): Promise<void> {
    this.#isClosing = true;
    if (this.#current.live) await this.#current.live.close(cause);
    else this.#finish(undefined);
    await this.#over.promise;
    await this.#leaving;
  }

  /** Decides what follows the end of a process. */
  #end(live: LiveCli, error: unknown): void {
    // A CLI that was let go is not the one of this conversation any more.
    const isCurrent = this.#current.live === live;
    if (isCurrent) {
      this.#starter.passEarly();
      this.#current.live = undefined;
      void this.#parts.recording.release();
      this.#current.observer?.onGone();
    }
    this.#parts.warnings.call('withTelemetry', () => this.#parts.onCliEnd?.(error));
    this.#parts.gate?.onGone();
    if (!isCurrent) return;
    if (this.#isClosing) {
      this.#finish(undefined);
      return;
    }
    const signal = this.#parts.options.abortController?.signal;
    if (this.#current.state === 'suspending' && signal?.aborted) {
      this.#finish(new AbortError(undefined, { cause: signal.reason }));
      return;
    }
    if (this.#current.state === 'suspending') {
      this.#current.state = 'suspended';
      const endedTasks = this.#endedTasks || undefined;
      this.#parts.emit(withoutUndefined({ type: 'suspended', endedTasks }));
      if (this.#isWanted) void this.whenReady();
      this.#isWanted = false;
      return;
    }
    if (this.#current.state === 'ready') {
      this.#current.ready.renew();
      this.#restart.afterCrash(error);
    } else this.#restart.afterFailedStart(error);
  }

  #finish(error: unknown): void {
    if (this.#current.state === 'closed') return;
    this.#current.state = 'closed';
    this.#forgetAbort();
    this.#restart.stop();
    const closed = closedBecause(error);
    this.#parts.recording.stop(closed);
    // A CLI may have been starting when the conversation ended.
    void this.#current.live?.close({ kind: 'closed' });
    this.#current.ready.end(closed);
    this.#current.observer?.onOver(error);
    this.#parts.warnings.reportEnd(error);
    this.#over.resolve();
  }
}
