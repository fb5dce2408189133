// Owns the CLI of a conversation, one process after the other. Starts it, suspends it, and starts it again after a crash, with
// the same conversation and settings. Its observer handles turns and messages.
import { AbortError } from '../../errors.js';
import type { SDKMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { onAbort } from '../../util/on-abort.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import { describeLeaving, type EndCause } from '../../live/ending.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { ReleasedQuestions } from '../../live/release-cli.js';
import { clock } from '../../util/system/clock.js';
import type { CliObserver } from './cli-observer.js';
import { CliReadiness } from './cli-readiness.js';
import { closedBecause } from './closed-because.js';
import type { AskedAgain } from './completion/ask-again.js';
import type { SessionState, WaitReason } from './conversation-event.js';
import type { Continuation } from './continuation.js';
import type { RecordingParts } from './recording-parts.js';
import { CrashRecord } from './crash-record.js';
import { runCli } from './run-cli.js';
import { StartPlanner } from './start-planner.js';
import type { TurnQueue } from './turns/turn-queue.js';

/** One process at a time; never two on the same conversation. */
export class ConversationCli {
  readonly #parts: RecordingParts;
  readonly #continuation: Continuation;
  readonly #planner: StartPlanner;
  readonly #crashes: CrashRecord;
  readonly #over: Deferred<void> = createDeferred();
  #observer: CliObserver | undefined;
  #forgetAbort: () => void = () => {};
  readonly #ready = new CliReadiness();
  #live: LiveCli | undefined;
  #lastLive: LiveCli | undefined;
  #state: SessionState = 'suspended';
  /** Whether a CLI is needed as soon as the one that is being suspended is gone. */
  #isWanted = false;
  #isClosing = false;
  #streamsText: boolean;
  #endedTasks = 0;
  readonly #early: SDKMessage[] = [];
  /** Settles when a turn that waits without a CLI goes on, or is over. Undefined while none waits. */
  #waiting: Promise<void> | undefined;
  /** Resolves when the CLI that was let go is gone. */
  #leaving: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: RecordingParts, continuation: Continuation) {
    this.#parts = parts;
    this.#streamsText = parts.options.streamText === true;
    this.#continuation = continuation;
    this.#planner = new StartPlanner(parts.options);
    this.#crashes = new CrashRecord(parts);
    const signal = parts.options.abortController?.signal;
    if (signal) {
      this.#forgetAbort = onAbort(signal, () => {
        // A running CLI listens to the signal itself.
        if (!this.#live) this.#finish(new AbortError(undefined, { cause: signal.reason }));
      });
    }
  }

  /** Sets the receiver of messages and changes. Call it before the first start. */
  observe(observer: CliObserver): void {
    this.#observer = observer;
  }

  get state(): SessionState {
    return this.#state;
  }

  get sessionId(): string | undefined {
    return this.#planner.sessionId;
  }

  /** The session id. Before a CLI has reported one, it is the id of the session that is resumed. */
  get knownId(): string | undefined {
    return this.#planner.sessionId ?? this.#planner.resumedId;
  }

  /** The running process, if there is one. */
  get live(): LiveCli | undefined {
    return this.#live;
  }

  /** The last process that completed its handshake, even if it has ended since. */
  get lastLive(): LiveCli | undefined {
    return this.#lastLive;
  }

  /** Makes the CLI send its answers in pieces, from its next start on. */
  streamText(): void {
    this.#streamsText = true;
    this.#live?.streamText();
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Starts the CLI if there is none. Throws for wrong options. */
  start(): void {
    if (this.#state === 'suspending' || this.#state === 'waiting') this.#isWanted = true;
    if (this.#state === 'suspended') this.#begin();
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
    return this.#ready.promise;
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
    if (this.#state === 'suspended') return true;
    const live = this.#live;
    if (this.#state !== 'ready' || !live) return false;
    this.#state = 'suspending';
    this.#endedTasks = endedTasks;
    this.#ready.renew();
    await live.close({ kind: 'closed' });
    return true;
  }

  /**
   * Ends the CLI as a crash would, because its turn only waits. The turn goes on with the next CLI, which is started when
   * nothing of the turn waits any more. `hold` makes the table for the questions that stay open.
   */
  letGo(waitsFor: readonly WaitReason[], hold: (released: ReleasedQuestions) => AskedAgain): void {
    const live = this.#live;
    if (this.#state !== 'ready' || !live) return;
    const { turns, recording, gate } = this.#parts;
    this.#state = 'waiting';
    this.#ready.renew();
    this.#live = undefined;
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
    if (this.#state !== 'waiting') return undefined;
    this.#parts.recording.interrupt();
    return this.#waiting;
  }

  /** Completes the calls of a turn that waits, and starts the CLI that goes on with it. */
  async #wait({ over, version }: LiveCli, waitsFor: readonly WaitReason[]): Promise<void> {
    // Nothing is read or written before the CLI is gone. It was killed, so this takes only a moment.
    await over;
    if (this.#state !== 'waiting') return;
    const { turns, recording, emit } = this.#parts;
    emit({ type: 'suspended', waitsFor });
    await this.#continuation.prepare(this.#planner.resumedId, version);
    recording.dropHeld();
    if (this.#state !== 'waiting') return;
    if (this.#continuation.failure) throw this.#continuation.failure;
    if (turns.continuing.length > 0 && !turns.isClosed) {
      this.#state = 'starting';
      void this.#launchPrepared().catch((error: unknown) => this.#finish(error));
    } else this.#rest();
  }

  /** Has no CLI until one is needed, because the turn that waited was stopped. */
  #rest(): void {
    this.#state = 'suspended';
    void this.#parts.recording.release();
    this.#observer?.onGone();
    if (this.#isWanted && !this.#parts.turns.isClosed) void this.whenReady();
    this.#isWanted = false;
    this.#observer?.onCut();
  }

  /** Ends the conversation; resolves when the CLI is gone. */
  async close(cause: EndCause = { kind: 'closed' }): Promise<void> {
    this.#isClosing = true;
    if (this.#live) await this.#live.close(cause);
    else this.#finish(undefined);
    await this.#over.promise;
    await this.#leaving;
  }

  #begin(): void {
    this.#state = 'starting';
    if (!this.#parts.gate && !this.#continuation.isDue) this.#launch();
    else this.#launchLater().catch((error: unknown) => this.#finish(error));
  }

  async #launchLater(): Promise<void> {
    const continuation = this.#continuation;
    if (continuation.isDue) await continuation.prepare(this.#planner.resumedId, this.#lastLive?.version);
    if (continuation.failure) throw continuation.failure;
    await this.#launchPrepared();
  }

  async #launchPrepared(): Promise<void> {
    const continuation = this.#continuation;
    const { admission, gate } = this.#parts;
    // The turn runs as soon as its CLI does, so it needs its place in the group before that.
    if (continuation.found) await admission.enter(continuation.found);
    await gate?.beforeStart();
    this.#launchAdmitted();
  }

  #launchAdmitted(): void {
    try {
      if (this.#state === 'starting') this.#launch();
      else this.#parts.gate?.onGone();
    } catch (error) {
      this.#parts.gate?.onGone();
      throw error;
    }
  }

  #launch(): void {
    const { recording } = this.#parts;
    const live: LiveCli = runCli({
      parts: this.#parts,
      options: { ...this.#continuation.apply(this.#planner.plan()), streamText: this.#streamsText },
      onIgnored: (uuid) => this.#observer?.onIgnored(uuid),
      onHandshake: (ready) => (this.#lastLive = ready),
      onReady: (ready, reply) => this.#noteReady(ready, reply.session_state === 'running'),
      onMessage: (message) => this.#receive(message),
      onEnd: (error) => this.#end(live, error),
    });
    this.#live = live;
    // The records must be open before the first message is written.
    void recording.prepare(this.knownId);
    recording.follow(live);
    this.#observer?.onLaunch(live);
  }

  #noteReady(live: LiveCli, isRunning: boolean): void {
    if (this.#live !== live || this.#state !== 'starting') return;
    this.#state = 'ready';
    void this.#parts.recording.release(live.pid);
    const isFirst = !this.#planner.hasBeenReady;
    this.#planner.noteReady();
    const { conversation, sessionId } = this.#planner;
    this.#crashes.recover({ conversation, sessionId, pid: live.pid });
    const continued = this.#continuation.takeUp({ conversation, isRunning });
    if (continued || isRunning) this.#planner.noteWrite();
    this.#ready.resolve(live);
    if (isFirst) this.#observer?.onContinued(continued);
    this.#observer?.onReady();
    this.#passEarly();
  }

  /** A CLI that goes on by itself may speak before the turn is taken up. The turn gets these messages then. */
  #receive(message: SDKMessage): void {
    if (this.#state === 'starting' && this.#continuation.isDue) this.#early.push(message);
    else this.#pass(message);
  }

  #passEarly(): void {
    for (const message of this.#early.splice(0)) this.#pass(message);
  }

  #pass(message: SDKMessage): void {
    // The id changes when the conversation is cleared.
    if (message.type === 'system' && message.subtype === 'init') {
      this.#planner.noteId(message.session_id);
      void this.#parts.recording.prepare(message.session_id);
    }
    this.#observer?.onMessage(message);
  }

  /** Decides what follows the end of a process. */
  #end(live: LiveCli, error: unknown): void {
    // A CLI that was let go is not the one of this conversation any more.
    const isCurrent = this.#live === live;
    if (isCurrent) {
      this.#passEarly();
      this.#live = undefined;
      void this.#parts.recording.release();
      this.#observer?.onGone();
    }
    this.#parts.warnings.call('withTelemetry', () => this.#parts.onCliEnd?.(error));
    this.#parts.gate?.onGone();
    if (!isCurrent) return;
    if (this.#isClosing) {
      this.#finish(undefined);
      return;
    }
    const signal = this.#parts.options.abortController?.signal;
    if (this.#state === 'suspending' && signal?.aborted) {
      this.#finish(new AbortError(undefined, { cause: signal.reason }));
      return;
    }
    if (this.#state === 'suspending') {
      this.#state = 'suspended';
      const endedTasks = this.#endedTasks || undefined;
      this.#parts.emit(withoutUndefined({ type: 'suspended', endedTasks }));
      if (this.#isWanted) void this.whenReady();
      this.#isWanted = false;
      return;
    }
    if (this.#state === 'ready') {
      this.#ready.renew();
      this.#restartAfter(error);
    } else this.#reconsider(error);
  }

  /** Decides what follows a start that failed. */
  #reconsider(error: unknown): void {
    const next = this.#planner.reconsider(error, this.#parts.restart?.whenLost);
    if (next === undefined) this.#restartAfter(error);
    else if (next === 'again') this.#beginAgain();
    else {
      this.#cut(error, false);
      this.#finish(next);
    }
  }

  #restartAfter(error: unknown): void {
    const delayMs = this.#planner.hasBeenReady ? this.#crashes.delayAfter(error) : undefined;
    const cut = this.#cut(error, delayMs !== undefined);
    if (delayMs === undefined) {
      // The CLI exited by itself before it was sent the waiting messages. Their senders get the reason.
      const isMissed = error === undefined && this.#parts.turns.waiting.length > 0;
      this.#finish(isMissed ? describeLeaving(this.#lastLive?.end) : error);
      return;
    }
    if (!this.#continuation.isDue) this.#parts.recording.cancelKept(closedBecause(error));
    this.#state = 'restarting';
    this.#crashes.note({ error, delayMs, ...cut });
    this.#timer = clock.setTimeout(() => this.#beginAgain(), delayMs);
  }

  #cut(error: unknown, goesOn: boolean): ReturnType<TurnQueue['cut']> {
    const cut = this.#parts.turns.cut(error, goesOn);
    this.#observer?.onCut();
    return cut;
  }

  #beginAgain(): void {
    this.#timer = undefined;
    try {
      this.#begin();
    } catch (error) {
      this.#finish(error);
    }
  }

  #finish(error: unknown): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#forgetAbort();
    clock.clearTimeout(this.#timer);
    const closed = closedBecause(error);
    this.#parts.recording.stop(closed);
    // A CLI may have been starting when the conversation ended.
    void this.#live?.close({ kind: 'closed' });
    this.#ready.end(closed);
    this.#observer?.onOver(error);
    this.#parts.warnings.reportEnd(error);
    this.#over.resolve();
  }
}
