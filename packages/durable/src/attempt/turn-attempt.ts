// The work of one attempt under its fence: finds the turn in the transcript, opens a session that begins or continues it, and
// follows the turn until it ends, waits, or is left.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { AbortError, InboardError, SessionClosedError } from '@inboard/core/errors.js';
import { toUserMessage } from '@inboard/core/live/input/user-message.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { deriveUuid } from '@inboard/core/util/derive-uuid.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { Uuid } from '@inboard/core/wire/protocol/messages/message-values.js';
import type { LedgerFence, TakenConversation } from '../ledger/ledger.js';
import { askAgent } from './ask-agent.js';
import type { AttemptEnd } from './attempt-end.js';
import type { AttemptSettings } from './attempt-input.js';
import { describeAttemptOutcome, interruptedOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { AttemptQuestions } from './attempt-questions.js';
import { AttemptState } from './attempt-state.js';
import { AttemptTranscript } from './attempt-transcript.js';
import { AttemptWaits, type AwaitedCall } from './attempt-waits.js';
import { CliActivity } from './cli-activity.js';
import { watchFence } from './fence-watch.js';
import { heldSessionOptions, openHeldSession, type HeldSessionStart } from './held-session.js';
import { HeldStore, LEDGER_PROJECT_KEY } from './held-store.js';
import { createAroundTool } from './repeated-calls.js';
import { removeLocalCopy } from './local-copy.js';
import { findOwnTool } from './own-tool.js';
import { saysRunning } from './running-elsewhere.js';
import { TurnCostMeter } from './session-cost.js';

/** How long a CLI may take to save the model's last message. */
const SAVE_LIMIT_MS = 2000;
/** How long a CLI may take to end its turn after an interrupt. */
const STOP_LIMIT_MS = 10_000;
/** When to try again if another CLI of this machine still has the session. */
const BUSY_MS = 5000;

/** One attempt. */
export class TurnAttempt {
  readonly #settings: AttemptSettings;
  readonly #fence: LedgerFence;
  readonly #sessionId: string;
  readonly #uuid: Uuid;
  readonly #state: AttemptState;
  readonly #store: HeldStore;
  readonly #transcript: AttemptTranscript;
  readonly #questions: AttemptQuestions;
  readonly #waits: AttemptWaits;
  readonly #cost = new TurnCostMeter();
  #session: Session | undefined;
  #activity: CliActivity | undefined;
  /** The uuid of the model's newest message. Its entry in the transcript has the same uuid. */
  #newest: string | undefined;
  #waiting: { questions: ApprovalQuestion[]; pending: AwaitedCall[] } | undefined;
  #own: QueryOptions | undefined;
  /** The turn in the session, once a CLI has or gets it. */
  #handle: Turn | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  /** What the CLI cost that was left because a person stopped the turn. */
  #stoppedCostUsd = 0;
  readonly #over: Deferred<void> = createQuietDeferred();

  readonly #demand = (): void => this.#state.demand();
  readonly epoch: number;

  constructor(settings: AttemptSettings, { fence, sessionId }: TakenConversation) {
    this.epoch = fence.epoch;
    this.#settings = settings;
    this.#fence = fence;
    this.#sessionId = sessionId;
    this.#uuid = deriveUuid(`turn ${sessionId} ${settings.turn.id}`) as Uuid;
    const state = new AttemptState(fence);
    this.#state = state;
    const review = (): void => this.#review();
    this.#waits = new AttemptWaits(review);
    this.#questions = new AttemptQuestions({
      answers: settings.answers,
      demand: this.#demand,
      onChange: review,
    });
    this.#store = new HeldStore({
      store: settings.ledger.store(fence),
      state,
      onFact: (fact) => this.#waits.note(fact),
    });
    this.#transcript = new AttemptTranscript({
      sessionId,
      uuid: this.#uuid,
      store: this.#store,
      dropCalls: () => settings.ledger.dropCalls(fence),
    });
  }

  async run(): Promise<AttemptEnd> {
    const { signal, interrupt, ledger } = this.#settings;
    const ends = [
      watchFence(ledger, this.#fence, () => this.#state.leave({ why: 'lost' })),
      ...(signal
        ? [onAbort(signal, () => this.#state.leave({ why: 'aborted', reason: signal.reason }))]
        : []),
      ...(interrupt ? [onAbort(interrupt, () => this.#interrupt())] : []),
    ];
    try {
      return await this.#run();
    } catch (error) {
      await this.#abandon();
      return this.#isInterrupted ? await this.#endInterrupted() : this.#explain(error);
    } finally {
      for (const end of ends) end();
      clock.clearTimeout(this.#timer);
      clock.clearTimeout(this.#stopTimer);
      this.#questions.close();
      this.#over.resolve();
    }
  }

  async #run(): Promise<AttemptEnd> {
    const found = await this.#transcript.find();
    if ('outcome' in found) return { state: 'ended', outcome: found.outcome };
    const { start } = found;
    if (this.#state.left) return await this.#leave();
    const { agent, conversation, turn } = this.#settings;
    const context = { conversation, turn: turn.id, epoch: this.#fence.epoch, approvals: this.#questions };
    const own = await askAgent(agent, context, this.#state.leaving);
    if (!own) return await this.#leave();
    const known = await this.#transcript.readCalls(start);
    if (start === 'new') await removeLocalCopy(this.#sessionId, own);
    if (this.#state.left) return await this.#leave();
    const session = this.#open(start, own, known);
    const conversing = this.#converse(session, start);
    // The promise rejects if the attempt is left and its session abandoned.
    conversing.catch(() => {});
    await Promise.race([conversing, this.#state.leaving]);
    // The transcript of a turn that ended is saved before its outcome is known. If it could not be, the attempt is left.
    if (this.#state.left) return await this.#leave(start, own);
    const outcome = await conversing;
    await session.close();
    await this.#store.settled();
    if (this.#state.isLost) return { state: 'lost' };
    if (start === 'new') await removeLocalCopy(this.#sessionId, own);
    // The CLI has noted in the transcript that it was interrupted, unless it was too old for that, or too late.
    if (this.#isInterrupted && outcome.kind === 'interrupted')
      await this.#transcript.stop(this.#knownOptions);
    return { state: 'ended', outcome };
  }

  /** Whether a person has stopped the turn, and this attempt may still write that. */
  get #isInterrupted(): boolean {
    return this.#settings.interrupt?.aborted === true && this.#state.mayTell;
  }

  /** Ends the turn. A CLI that has its message is asked to, and anything else is left. */
  #interrupt(): void {
    const session = this.#session;
    const handle = this.#handle;
    const leave = (): void => this.#state.leave({ why: 'interrupted' });
    // Without a handle, no CLI has the turn yet: the transcript is read, the agent is asked, or calls are completed.
    if (!session || !handle) return leave();
    this.#stopTimer = clock.setTimeout(leave, STOP_LIMIT_MS);
    const stop = (isCancelled: boolean): unknown => (isCancelled ? leave() : session.interrupt());
    handle.cancel().then(stop).catch(leave);
  }

  /** The agent's options, as far as they are known without asking it. */
  get #knownOptions(): QueryOptions {
    const { agent } = this.#settings;
    return this.#own ?? (typeof agent === 'function' ? {} : agent);
  }

  /** Ends a turn that a person has stopped, and that no CLI works on any more. */
  async #endInterrupted(): Promise<AttemptEnd> {
    try {
      const outcome = await this.#transcript.stop(this.#knownOptions);
      return { state: 'ended', outcome: outcome ?? interruptedOutcome(this.#stoppedCostUsd) };
    } catch (error) {
      return this.#explain(error);
    }
  }

  #open(start: HeldSessionStart, own: QueryOptions, known: KnownCalls): Session {
    const sessionId = this.#sessionId;
    this.#own = own;
    this.#waits.recall(known);
    this.#activity = new CliActivity((toolName) => findOwnTool(own, toolName));
    const options = heldSessionOptions({
      start,
      sessionId,
      own,
      store: this.#store,
      projectKey: LEDGER_PROJECT_KEY,
      canUseTool: this.#questions.canUseTool,
      aroundTool: createAroundTool({ known, demand: this.#demand, aroundTool: own.aroundTool }),
    });
    const session = openHeldSession(options, start);
    this.#session = session;
    if (start === 'resumed') this.#cost.begin(session);
    return session;
  }

  async #converse(session: Session, start: HeldSessionStart): Promise<AttemptOutcome> {
    const message = { ...toUserMessage(this.#settings.turn.content), uuid: this.#uuid };
    const handle = start === 'continued' ? await this.#continue(session) : session.send(message);
    if ('ended' in handle) return handle.ended;
    this.#handle = handle;
    this.#store.forgetLoaded();
    this.#review();
    for await (const told of handle) {
      if (told.type === 'assistant' && told.parent_tool_use_id === null) this.#newest = told.uuid;
      this.#activity?.observe(told);
      this.#review();
      await this.#settings.onMessage?.(told);
    }
    return describeAttemptOutcome(await handle.outcome());
  }

  /** The turn that goes on, or how it ended: a person may deny a call and end the turn with that. */
  async #continue(session: Session): Promise<Turn | { ended: AttemptOutcome }> {
    const handle = await session.continued;
    if (handle) {
      if (session.pid !== undefined) this.#cost.begin(session);
      return handle;
    }
    this.#store.forgetLoaded();
    const found = await this.#transcript.find();
    if ('outcome' in found) return { ended: found.outcome };
    throw new Error('The CLI did not continue the turn that was cut off');
  }

  /** Decides again whether only people and pending calls are awaited. Called when calls, questions or messages have changed. */
  #review(): void {
    clock.clearTimeout(this.#timer);
    const session = this.#session;
    if (!session || this.#state.left || !this.#isWaiting(session)) return;
    this.#timer = clock.setTimeout(() => {
      // Taken now, because the questions end with the session.
      const questions = JSON.parse(JSON.stringify(this.#questions.open)) as ApprovalQuestion[];
      this.#waiting = { questions, pending: this.#waits.pending };
      this.#state.leave({ why: 'waiting' });
    }, this.#settings.suspendAfterMs);
  }

  #isWaiting(session: Session): boolean {
    const questions = this.#questions.open.length;
    if (questions + this.#waits.pending.length === 0 || this.#waits.isWorking) return false;
    if (session.pid === undefined) return true;
    const waiting = new Set([...this.#questions.toolUseIds, ...this.#waits.toolUseIds]);
    return this.#activity?.isBusy(waiting) !== true;
  }

  /** Ends the CLI, and says why the attempt was left. */
  async #leave(start?: HeldSessionStart, own?: QueryOptions): Promise<AttemptEnd> {
    const session = this.#session;
    const why = this.#state.left?.why;
    const isCounted = why === 'waiting' || why === 'interrupted';
    const turnCostUsd = isCounted && session?.pid !== undefined ? await this.#cost.read(session) : 0;
    // The facts about questions are recorded a moment after the questions were asked.
    await new Promise((resolve) => clock.setImmediate(() => resolve(undefined)));
    // A call that is not in the transcript is lost with its CLI, although people may have been asked about it.
    if (!this.#state.isLost && session?.pid !== undefined && this.#newest !== undefined)
      await this.#store.whenSaved(this.#newest, SAVE_LIMIT_MS);
    await this.#abandon();
    if (start === 'new' && own && !this.#state.isLost) await removeLocalCopy(this.#sessionId, own);
    const { left } = this.#state;
    if (this.#isInterrupted) {
      this.#stoppedCostUsd = turnCostUsd;
      return await this.#endInterrupted();
    }
    if (left?.why === 'waiting' && this.#waiting) return { state: 'waiting', ...this.#waiting, turnCostUsd };
    return this.#explain(undefined);
  }

  /** Ends the session as a crash would, after what it has is saved. Never rejects. */
  async #abandon(): Promise<void> {
    await this.#session?.abandon().catch(() => {});
    this.#questions.close();
    await this.#store.settled();
  }

  /** Turns the reason for which the attempt was left, or an error, into its end. */
  #explain(error: unknown): AttemptEnd {
    const { left } = this.#state;
    if (left?.why === 'lost') return { state: 'lost' };
    if (left?.why === 'aborted') throw new AbortError('The attempt was aborted', { cause: left.reason });
    if (left?.why === 'failed') throw left.error;
    if (saysRunning(error)) return { state: 'busy', until: clock.Date.now() + BUSY_MS };
    // The cause says more than that the session is closed.
    throw error instanceof SessionClosedError && error.cause instanceof InboardError ? error.cause : error;
  }

  /** Ends this attempt, because a newer one of this process has taken the conversation. Resolves when its CLI is gone. */
  async lose(): Promise<void> {
    this.#state.leave({ why: 'lost' });
    await this.#over.promise;
  }
}
