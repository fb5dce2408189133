// Stands for the call records of a conversation. `session-records` opens them before the first turn that has in-process tools,
// `recorded-calls` writes them, and `call-completion` reads them back. The last two are loaded only when they are needed.
import { AbortError, SessionClosedError } from '../../errors.js';
import { loadPart } from '../../util/load-part.js';
import type { LiveCli } from '../../live/live-cli.js';
import type { QueryOptions } from '../../live/tooling/name-tools.js';
import type { PendingPermission } from '../../answer/permissions/open-permission.js';
import type { PermissionQuestions } from '../../answer/permissions/permission-questions.js';
import type { LastTurn } from '../../record/history/transcript/transcript-state.js';
import { WITHDRAWN } from '../../wire/protocol/answer.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import type { AskedAgain } from './completion/ask-again.js';
import type { CallCompletion } from './completion/call-completion.js';
import type { Completion } from './completion/completion.js';
import type { Patience, PermissionChanges } from './completion/complete-calls.js';
import type { LostCall } from './completion/lost-calls.js';
import { OpenWaits } from './completion/open-waits.js';
import type { RecordedCalls } from './completion/recorded-calls.js';
import type { ConversationParts } from './conversation-parts.js';
import { PendingResults } from './pending-results.js';
import { RecordingScope } from './recording-scope.js';
import { SessionRecords } from './session-records.js';

/** One per conversation. */
export class CallRecording {
  readonly #parts: ConversationParts;
  readonly #scope: RecordingScope;
  readonly #records: SessionRecords;
  #completion: CallCompletion | undefined;
  /** Settles when the completion under way has ended; undefined while none is under way. */
  #completing: Promise<unknown> | undefined;
  /** The completion that holds the claim of the session until a CLI has the session. */
  #claimed: CallCompletion | undefined;
  #patience: Patience | undefined;
  #changes: PermissionChanges | undefined;
  #hasNamedHooks = false;
  /** The questions of a CLI that was let go, until the calls of its turn are completed. */
  #held: AskedAgain | undefined;
  /** Whether a turn that was cut off is being read, so that its calls may be completed next. */
  #isExpecting = false;
  /** Whether that turn, or the one of a CLI that was let go, was stopped before its completion began. */
  #isStopWanted = false;
  #wasStopped = false;
  #isOver = false;
  /** What each open call of the live turn does. */
  readonly waits = new OpenWaits();
  /** The calls whose results come later. */
  readonly pendingResults = new PendingResults(this, () => this.#records.opened);
  /** Messages for the calls that were completed since a CLI was last started. The trace of the next CLI begins with them. */
  readonly completed: SDKUserMessage[] = [];
  /** Called before the first question is asked without a CLI. */
  onAsking: ((questions: PermissionQuestions) => void) | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const scope = new RecordingScope(parts);
    this.#scope = scope;
    const onOpened = (): void => this.pendingResults.follow();
    this.#records = new SessionRecords({ parts, scope, waits: this.waits, onOpened });
  }

  /** Records the calls of the CLI; undefined as long as there is nothing to record. */
  get recorder(): RecordedCalls | undefined {
    return this.#records.opened?.recorder;
  }

  /** Questions that wait for an answer while there is no CLI. */
  get pending(): PendingPermission[] {
    return this.questions?.pending ?? [];
  }

  /** Holds those questions, for a page or a program that shows them. Undefined while no call is being completed. */
  get questions(): PermissionQuestions | undefined {
    return this.#held?.questions ?? this.#completion?.questions;
  }

  /** Holds the questions of a CLI that was let go. They stay open until they are answered or the turn is stopped. */
  hold(held: AskedAgain): void {
    this.#held = held;
    this.#isStopWanted = false;
  }

  /** Whether calls and questions of this session are recorded, so that they can go on without a CLI. */
  get isOpen(): boolean {
    return this.#records.opened !== undefined;
  }

  /** Notes that a turn that was cut off is being read. Its calls may be completed next, and it may be stopped before that. */
  expect(): void {
    this.#isExpecting = true;
  }

  /** Notes that the turn was taken up: its calls are completed, or there are none. */
  expectNothing(): void {
    this.#isExpecting = false;
    if (!this.#held) this.#isStopWanted = false;
  }

  /** Why nothing can be written into the transcript, even where there are no in-process tools. */
  get scope(): RecordingScope {
    return this.#scope;
  }

  /** Opens the records of a session, where it needs records that are not open. Never rejects. */
  prepare(sessionId: string | undefined): Promise<void> | undefined {
    return this.#records.prepare(sessionId);
  }

  /** Records that the turn of this message begins, so that its calls can be completed later. */
  cover(message: string, cliPid: number | undefined): void | Promise<void> {
    return this.recorder?.cover(message, cliPid);
  }

  /** Records the permission questions of a CLI that was just started. */
  follow(live: LiveCli): void {
    live.permissions.watch({
      asked: (requestId, question) => this.recorder?.questions.note(requestId, question),
      settled: (requestId, how) => this.recorder?.questions.settle(requestId, how),
    });
  }

  /**
   * Why calls cannot be completed although the conversation has in-process tools. Undefined where they can be completed, and
   * where there are no such tools.
   */
  get obstacle(): string | undefined {
    return this.#scope.hasTools ? this.#scope.obstacle : undefined;
  }

  /**
   * Whether the records belong to the program that opened the session, such as a cluster's worker. That program also tries
   * again when a completion fails.
   */
  get isFollowed(): boolean {
    return this.#records.opened?.records.readOnly === true;
  }

  /**
   * Reads what a completion depends on, and tries again where a read fails for a moment. Rejects with the error of the last
   * attempt, or once the turn is stopped.
   */
  async patiently<T>(read: () => Promise<T>): Promise<T> {
    this.#wasStopped = false;
    try {
      return await read();
    } catch (error) {
      if (!this.#scope.isRecorded || this.#isOver) throw error;
    }
    const part = await loadPart(() => import('./completion/complete-calls.js'));
    const patience = new part.Patience();
    this.#patience = patience;
    if (this.#isOver) patience.end(new SessionClosedError());
    if (this.#isStopWanted) patience.interrupt();
    try {
      return await patience.try(read);
    } finally {
      this.#wasStopped = patience.isInterrupted;
      this.#patience = undefined;
    }
  }

  /** Whether the last read ended because the turn was stopped. */
  get wasStopped(): boolean {
    return this.#wasStopped;
  }

  /** Completes the calls of a turn that was cut off; undefined where that is not possible. Rejects where it fails. */
  complete(sessionId: string, cliVersion: string | undefined): Promise<Completion | undefined> {
    const completing = this.#complete(sessionId, cliVersion);
    this.#completing = completing.finally(() => (this.#completing = undefined)).catch(() => {});
    return completing;
  }

  /** Stops a turn that waits without a CLI. Resolves when its transcript shows that, or at once where no turn waits. */
  async stopTurn(): Promise<void> {
    if (this.#completing) this.interrupt();
    await this.#completing;
  }

  async #complete(sessionId: string, cliVersion: string | undefined): Promise<Completion | undefined> {
    if (this.#isOver || this.#scope.obstacle !== undefined) return undefined;
    const part = await loadPart(() => import('./completion/complete-calls.js'));
    const patience = new part.Patience();
    this.#patience = patience;
    if (this.#isStopWanted) patience.interrupt();
    const held = this.#held;
    try {
      await this.#claimed?.release();
      await patience.try(() => this.#records.open(sessionId));
      const opened = this.#records.opened;
      if (!opened || this.#isOver) return undefined;
      // The conversation may have had in-process tools before, and their calls are completed as well.
      if (!this.#scope.hasTools && (await patience.try(() => opened.records.load())).length === 0)
        return undefined;
      const { warnings, journal } = this.#parts;
      const options = this.#scope.options;
      this.#changes ??= new part.PermissionChanges({
        options,
        warnings,
        onMode: (mode) => journal.note({ subtype: 'set_permission_mode', mode }),
      });
      const completion = part.completeCalls({
        opened,
        options,
        warnings,
        cliVersion,
        patience,
        changes: this.#changes,
        held,
        onHooksMissed: (hooks) => this.#nameHooks(hooks),
      });
      this.#completion = completion;
      const done = await completion?.run(() => {
        // The questions of a CLI that was let go are known already.
        if (!held) this.onAsking?.(completion.questions);
      });
      this.#claimed = completion;
      return done;
    } finally {
      this.#completion?.close(new SessionClosedError('The calls are completed'));
      this.#completion = undefined;
      this.#patience = undefined;
      this.dropHeld();
      if (this.#isOver) await this.#claimed?.release();
    }
  }

  /**
   * The calls of the turn that have begun and are not in its transcript. They are kept for the recorder, so that a tool with
   * `onRepeat` decides what becomes of each if the model makes it again.
   */
  async recall(sessionId: string, last: LastTurn, message?: string): Promise<LostCall[]> {
    if (this.#isOver || !this.#scope.isRecorded || this.#scope.obstacle !== undefined) return [];
    const part = await loadPart(() => import('./completion/complete-calls.js'));
    await this.#records.open(sessionId);
    const opened = this.#records.opened;
    if (!opened) return [];
    const lost = part.findLostCalls(sessionId, last, part.foldFacts(await opened.records.load()), message);
    for (const { callKey, begun, isWaiting, ended } of lost)
      opened.recorder?.earlier.remember(callKey, { begunAt: begun?.at, isWaiting, result: ended?.result });
    return lost;
  }

  /** The options of a start, with the permissions that people changed by their answers. */
  apply(options: QueryOptions): QueryOptions {
    return this.#changes?.apply(options) ?? options;
  }

  /** Gives up the claim, because a CLI has the session or none will be started. */
  async release(cliPid?: number): Promise<void> {
    const claimed = this.#claimed;
    this.#claimed = undefined;
    await claimed?.noteCli(cliPid);
  }

  /** Interrupts a completion under way, even while it waits for a person. Returns false where none is under way. */
  interrupt(): boolean {
    if (this.#held || this.#isExpecting) this.#isStopWanted = true;
    this.#patience?.interrupt();
    // Questions are withdrawn, also those that handlers ask: a queue must not keep them for another CLI.
    const reason = new AbortError('The turn was interrupted', { cause: WITHDRAWN });
    this.#held?.close(reason);
    this.cancelKept(reason);
    return this.#patience !== undefined;
  }

  /** Forgets the questions of a CLI that was let go, because its turn goes on or is over. */
  dropHeld(): void {
    this.#held?.close(new SessionClosedError('The calls are completed'));
    this.#held = undefined;
    this.#isStopWanted = false;
  }

  /** Cancels the handlers of a CLI that is gone, because no turn will use their results. */
  cancelKept(reason: Error): void {
    this.recorder?.cancelKept(reason);
  }

  /** The conversation is over: ends the completion, cancels its handlers, and closes the records. */
  stop(reason: Error): void {
    this.#isOver = true;
    this.#patience?.end(reason);
    this.#completion?.close(reason);
    this.#held?.close(reason);
    this.recorder?.stop(reason);
    void this.release()
      .then(() => this.#records.close())
      .catch(() => {});
  }

  #nameHooks(hooks: readonly string[]): void {
    if (this.#hasNamedHooks) return;
    this.#hasNamedHooks = true;
    this.#parts.warnings.emit({
      code: 'SETTINGS_HOOKS_NOT_RUN',
      message: `A call was completed without a CLI, so hooks of settings that would have run after it did not: ${hooks.join(', ')}`,
    });
  }
}
