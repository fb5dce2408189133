// The work of one attempt under its fence: finds the turn in the transcript, opens a session that begins or continues it, and
// follows the turn until it ends, waits, or is left.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { AbortError, InboardError, SessionClosedError } from '@inboard/core/errors.js';
import { toUserMessage } from '@inboard/core/live/input/user-message.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { deriveUuid } from '@inboard/core/util/derive-uuid.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Uuid } from '@inboard/core/wire/protocol/messages/message-values.js';
import type { LedgerFence, TakenConversation } from '../ledger/ledger.js';
import { askAgent } from './ask-agent.js';
import type { AttemptEnd } from './attempt-end.js';
import type { AttemptSettings } from './attempt-input.js';
import { describeAttemptOutcome, interruptedOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { createAnsweredStore, createAttemptApprovals, refuseDeepInput } from './attempt-questions.js';
import { AttemptState } from './attempt-state.js';
import { AttemptTranscript } from './attempt-transcript.js';
import { AttemptWaits } from './attempt-waits.js';
import { CliActivity } from './cli-activity.js';
import { watchFence } from './fence-watch.js';
import { heldSessionOptions, openHeldSession, type HeldSessionStart } from './held-session.js';
import { HeldQuestions } from './held-questions.js';
import { HeldStore, LEDGER_PROJECT_KEY } from './held-store.js';
import { HeldTurn } from './held-turn.js';
import { createAroundTool } from './repeated-calls.js';
import { removeLocalCopy } from './local-copy.js';
import { onlyWaits, type AwaitedCall } from './open-calls.js';
import { findOwnTool } from './own-tool.js';
import { saysRunning } from './running-elsewhere.js';

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
  readonly #questions: HeldQuestions;
  readonly #waits: AttemptWaits;
  readonly #turn = new HeldTurn({ onStopped: () => this.#state.leave({ why: 'interrupted' }) });
  #session: Session | undefined;
  #activity: CliActivity | undefined;
  #waiting: { questions: ApprovalQuestion[]; pending: AwaitedCall[] } | undefined;
  #own: QueryOptions | undefined;
  #timer: NodeJS.Timeout | undefined;
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
    this.#questions = new HeldQuestions({
      store: createAnsweredStore(settings.answers),
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
      ...(interrupt ? [onAbort(interrupt, () => this.#turn.stop())] : []),
    ];
    try {
      return await this.#run();
    } catch (error) {
      await this.#abandon();
      return this.#isInterrupted ? await this.#endInterrupted() : this.#explain(error);
    } finally {
      for (const end of ends) end();
      clock.clearTimeout(this.#timer);
      this.#turn.end();
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
    const approvals = createAttemptApprovals(this.#questions, this.#demand);
    const context = { conversation, turn: turn.id, epoch: this.#fence.epoch, approvals };
    const own = await askAgent({
      ask: (signal) => (typeof agent === 'function' ? agent({ ...context, signal }) : agent),
      unwanted: this.#state.leaving,
      words: { agent: 'The agent', keeper: 'the attempt', option: 'agent' },
    });
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
      canUseTool: refuseDeepInput(this.#questions.canUseTool),
      aroundTool: createAroundTool({ known, demand: this.#demand, aroundTool: own.aroundTool }),
    });
    const session = openHeldSession(options, start);
    this.#session = session;
    this.#turn.open(session, start);
    return session;
  }

  async #converse(session: Session, start: HeldSessionStart): Promise<AttemptOutcome> {
    const message = { ...toUserMessage(this.#settings.turn.content), uuid: this.#uuid };
    const begun =
      start === 'continued'
        ? await this.#turn.continue(session, () => this.#findEnd())
        : { turn: this.#turn.send(session, message) };
    if ('end' in begun) return begun.end;
    this.#store.forgetLoaded();
    this.#review();
    for await (const told of begun.turn) {
      this.#turn.observe(told);
      this.#activity?.observe(told);
      this.#review();
      await this.#settings.onMessage?.(told);
    }
    return describeAttemptOutcome(await begun.turn.outcome());
  }

  async #findEnd(): Promise<AttemptOutcome | undefined> {
    this.#store.forgetLoaded();
    const found = await this.#transcript.find();
    return 'outcome' in found ? found.outcome : undefined;
  }

  /** Decides again whether only people and pending calls are awaited. Called when calls, questions or messages have changed. */
  #review(): void {
    clock.clearTimeout(this.#timer);
    const session = this.#session;
    if (!session || this.#state.left || !this.#isWaiting(session)) return;
    this.#timer = clock.setTimeout(() => {
      // Taken now, because the questions end with the session.
      const questions = JSON.parse(stringifyDeep(this.#questions.open) ?? '[]') as ApprovalQuestion[];
      this.#waiting = { questions, pending: this.#waits.calls.pending };
      this.#state.leave({ why: 'waiting' });
    }, this.#settings.suspendAfterMs);
  }

  #isWaiting(session: Session): boolean {
    const questions = this.#questions;
    const { calls } = this.#waits;
    return onlyWaits({
      awaited: questions.open.length + calls.pending.length,
      working: calls.working,
      toolUseIds: [...questions.toolUseIds, ...calls.waitingToolUses],
      cli: session.pid === undefined ? undefined : this.#activity,
    });
  }

  /** Ends the CLI, and says why the attempt was left. */
  async #leave(start?: HeldSessionStart, own?: QueryOptions): Promise<AttemptEnd> {
    const why = this.#state.left?.why;
    const isCounted = why === 'waiting' || why === 'interrupted';
    const turnCostUsd = isCounted ? await this.#turn.readCost() : 0;
    // The facts about questions are recorded a moment after the questions were asked.
    await new Promise((resolve) => clock.setImmediate(() => resolve(undefined)));
    if (!this.#state.isLost) await this.#turn.awaitSaved(this.#store);
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
