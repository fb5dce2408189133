// The CLI of a long session, whichever process that is at the moment: started, suspended, started again after
// a crash, brought back to the same conversation and state. What is said in it is the conversation's business.
import { AbortError, SessionClosedError } from '../../errors.js';
import type { SDKMessage, SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { onAbort } from '../../util/on-abort.js';
import { CrashRecord } from './crash-record.js';
import type { Launch } from '../../live/launch.js';
import { LiveCli } from '../../live/live-cli.js';
import { nameTools, type QueryOptions } from '../../live/tooling/name-tools.js';
import { numberTrace } from './number-trace.js';
import { canRestartAfter, delayBefore, type RestartPolicy } from './restart-policy.js';
import type { CrashedEvent, SessionEvent } from './conversation-event.js';
import { StartPlanner } from './start-planner.js';
import { WarningReporter } from '../../options/check/warning-reporter.js';

/** Whether there is a CLI: `restarting` waits before the next start, `suspended` has none until it is needed. */
export type SessionState = 'starting' | 'ready' | 'restarting' | 'suspending' | 'suspended' | 'closed';

/** Who is told what, and asked before a process is started. */
export interface ConversationCliOptions {
  options: QueryOptions;
  restart: RestartPolicy | undefined;
  launch?: Launch | undefined;
  /** Awaited before each start; each is followed by one `onGone`. */
  beforeStart?: (() => Promise<void>) | undefined;
  onGone?: (() => void) | undefined;
  /** Brings a CLI that has shaken hands up to date; gives what failed. */
  introduce(live: LiveCli): Promise<Error[]>;
  onMessage(message: SDKMessage): void;
  onReady(): void;
  /** The CLI ended unasked; gives the ids of the messages that are lost and of those sent again. */
  onCut(error: unknown, goesOn: boolean): Pick<CrashedEvent, 'lost' | 'resent'>;
  onEvent(event: SessionEvent): void;
  /** Called once, last. */
  onOver(error: unknown): void;
}

/** One process at a time; never two on the same conversation. */
export class ConversationCli {
  readonly #given: ConversationCliOptions;
  readonly #next: StartPlanner;
  readonly #warnings: WarningReporter;
  readonly #over: Deferred<void> = createDeferred();
  #forgetAbort: () => void = () => {};
  #ready: Deferred<LiveCli>;
  #live: LiveCli | undefined;
  #state: SessionState = 'suspended';
  /** Somebody needs a CLI although one is just being put to sleep. */
  #isWanted = false;
  #isClosing = false;
  #endedTasks = 0;
  #starts = 0;
  readonly #crashes = new CrashRecord();
  #timer: NodeJS.Timeout | undefined;

  constructor(given: ConversationCliOptions) {
    this.#given = given;
    this.#next = new StartPlanner(given.options);
    this.#warnings = new WarningReporter(nameTools(given.options));
    this.#ready = createReady();
    const signal = given.options.abortController?.signal;
    if (signal) {
      this.#forgetAbort = onAbort(signal, () => {
        // A CLI that runs is told by its own session.
        if (!this.#live) this.#finish(new AbortError(undefined, { cause: signal.reason }));
      });
    }
  }

  get state(): SessionState {
    return this.#state;
  }

  get sessionId(): string | undefined {
    return this.#next.sessionId;
  }

  /** The process there is now. */
  get live(): LiveCli | undefined {
    return this.#live;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Starts the CLI if there is none; throws for wrong options. */
  start(): void {
    if (this.#state === 'suspending') this.#isWanted = true;
    if (this.#state === 'suspended') this.#begin();
  }

  /** A CLI that has shaken hands and knows of all changes; started if need be. Rejects once the session is over. */
  whenReady(): Promise<LiveCli> {
    try {
      this.start();
    } catch (error) {
      this.#finish(error);
    }
    return this.#ready.promise;
  }

  /** Writes a message to the CLI there is. */
  async write(live: LiveCli, message: SDKUserMessage): Promise<void> {
    this.#next.noteWrite();
    await live.streamInput([message]);
  }

  /** A turn was answered: whatever went wrong before is over. */
  noteAnswer(): void {
    this.#next.noteAnswer();
    this.#crashes.reset();
  }

  /** Ends the CLI, and with it that many background tasks, and keeps the conversation; false when there is none that could be ended now. */
  async suspend(endedTasks = 0): Promise<boolean> {
    if (this.#state === 'suspended') return true;
    const live = this.#live;
    if (this.#state !== 'ready' || !live) return false;
    this.#state = 'suspending';
    this.#endedTasks = endedTasks;
    this.#ready = createReady();
    await live.close({ kind: 'closed' });
    return true;
  }

  /** Ends everything; resolves when the CLI is gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#live) await this.#live.close({ kind: 'closed' });
    else this.#finish(undefined);
    await this.#over.promise;
  }

  #begin(): void {
    this.#state = 'starting';
    const { beforeStart } = this.#given;
    if (!beforeStart) this.#launch();
    else {
      beforeStart().then(
        () => this.#launchLater(),
        (error: unknown) => this.#finish(error),
      );
    }
  }

  #launchLater(): void {
    try {
      if (this.#state === 'starting') this.#launch();
      else this.#given.onGone?.();
    } catch (error) {
      this.#given.onGone?.();
      this.#finish(error);
    }
  }

  #launch(): void {
    const options = { ...this.#next.plan() };
    // A process is not the session: whoever wants to know of its end is told below, once.
    delete options.onEnd;
    this.#starts += 1;
    if (options.trace !== undefined) options.trace = numberTrace(options.trace, this.#starts);
    const { launch } = this.#given;
    const live = new LiveCli({ prompt: undefined, options, ...(launch ? { launch } : {}) });
    this.#live = live;
    void this.#read(live);
    void this.#greet(live);
  }

  async #greet(live: LiveCli): Promise<void> {
    try {
      await live.initialized;
    } catch (error) {
      // Whoever reads its messages learns why; one that speaks and never answered would stay for ever.
      void live.close({ kind: 'failed', error });
      return;
    }
    for (const error of await this.#given.introduce(live)) this.#warnings.report(error);
    if (this.#live !== live || this.#state !== 'starting') return;
    this.#state = 'ready';
    this.#next.noteReady();
    this.#tellReady(live);
    this.#ready.resolve(live);
    this.#given.onReady();
  }

  #tellReady(live: LiveCli): void {
    const facts = { conversation: this.#next.conversation, sessionId: this.#next.sessionId, pid: live.pid };
    const crash = this.#crashes.recover();
    if (!crash) {
      this.#given.onEvent({ type: 'ready', ...facts });
      return;
    }
    const event = { ...crash, ...facts };
    this.#given.onEvent(event);
    this.#warnings.call('restart.onRestart', () => this.#given.restart?.onRestart?.(event));
  }

  async #read(live: LiveCli): Promise<void> {
    let error: unknown;
    try {
      for (let step = await live.messages.next(); !step.done; step = await live.messages.next()) {
        const message = step.value;
        // It changes when the conversation is cleared.
        if (message.type === 'system' && message.subtype === 'init') this.#next.noteId(message.session_id);
        this.#given.onMessage(message);
      }
    } catch (thrown) {
      error = thrown;
      await live.close({ kind: 'failed', error });
    }
    await live.over;
    this.#end(error);
  }

  /** The one place where it is decided what follows the end of a process. */
  #end(error: unknown): void {
    this.#live = undefined;
    this.#given.onGone?.();
    if (this.#isClosing) {
      this.#finish(undefined);
      return;
    }
    const signal = this.#given.options.abortController?.signal;
    if (this.#state === 'suspending' && signal?.aborted) {
      this.#finish(new AbortError(undefined, { cause: signal.reason }));
      return;
    }
    if (this.#state === 'suspending') {
      this.#state = 'suspended';
      const endedTasks = this.#endedTasks;
      this.#given.onEvent({ type: 'suspended', ...(endedTasks > 0 ? { endedTasks } : {}) });
      if (this.#isWanted) void this.whenReady();
      this.#isWanted = false;
      return;
    }
    if (this.#state === 'ready') {
      this.#ready = createReady();
      this.#restartAfter(error);
    } else this.#reconsider(error);
  }

  /** A start failed. */
  #reconsider(error: unknown): void {
    const next = this.#next.reconsider(error, this.#given.restart?.whenLost);
    if (next === undefined) this.#restartAfter(error);
    else if (next === 'again') this.#beginAgain();
    else {
      this.#given.onCut(error, false);
      this.#finish(next);
    }
  }

  #restartAfter(error: unknown): void {
    const { restart } = this.#given;
    const mayGoOn = restart !== undefined && this.#next.hasBeenReady && canRestartAfter(error);
    const delayMs = mayGoOn ? delayBefore(this.#crashes.inARow + 1, restart) : undefined;
    const cut = this.#given.onCut(error, delayMs !== undefined);
    if (delayMs === undefined) {
      this.#finish(error);
      return;
    }
    this.#state = 'restarting';
    this.#given.onEvent(this.#crashes.note({ error, delayMs, ...cut }));
    this.#timer = setTimeout(() => this.#beginAgain(), delayMs);
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
    clearTimeout(this.#timer);
    // One that is up to a start that can no longer happen.
    void this.#live?.close({ kind: 'closed' });
    const closed = new SessionClosedError(undefined, error === undefined ? {} : { cause: error });
    this.#ready.reject(closed);
    // The one that was kept is not to be had any more.
    this.#ready = createReady();
    this.#ready.reject(closed);
    this.#given.onOver(error);
    this.#warnings.tellEnd(error);
    this.#over.resolve();
  }
}

/** Nobody may be waiting for it. */
function createReady(): Deferred<LiveCli> {
  const ready = createDeferred<LiveCli>();
  ready.promise.catch(() => {});
  return ready;
}
