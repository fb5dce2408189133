// The work of one attempt under its fence: finds the turn in the transcript, opens a session that begins or continues it, and
// follows the turn until it ends, waits, or is left.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import {
  AbortError,
  InboardError,
  LaunchError,
  ProcessExitError,
  SessionClosedError,
} from '@inboard/core/errors.js';
import { toUserMessage } from '@inboard/core/live/input/user-message.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { foldFacts, type KnownCalls } from '@inboard/core/record/calls/fold-facts.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { deriveUuid } from '@inboard/core/util/derive-uuid.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { openSession, type Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import type { Uuid } from '@inboard/core/wire/protocol/messages/message-values.js';
import type { LedgerFence, TakenConversation } from '../ledger/ledger.js';
import { askAgent } from './ask-agent.js';
import type { AttemptEnd } from './attempt-end.js';
import type { AttemptSettings } from './attempt-input.js';
import { describeAttemptOutcome, recoveredOutcome, type AttemptOutcome } from './attempt-outcome.js';
import { AttemptQuestions } from './attempt-questions.js';
import { AttemptState } from './attempt-state.js';
import { AttemptWaits, type AwaitedCall } from './attempt-waits.js';
import { CliActivity } from './cli-activity.js';
import { HeldStore, LEDGER_PROJECT_KEY } from './held-store.js';
import { removeLocalCopy } from './local-copy.js';
import { createAroundTool } from './repeated-calls.js';
import { TurnCostMeter } from './session-cost.js';
import { findTurn, type FoundTurn } from './turn-start.js';

/** How often an attempt looks whether a newer one has taken the conversation. Every write finds out as well. */
const LOOK_EVERY_MS = 5000;
/** How long a CLI may take to save the model's last message. */
const SAVE_LIMIT_MS = 2000;
/** When to try again if another CLI of this machine still has the session. */
const BUSY_MS = 5000;

type WorkStart = Extract<FoundTurn, { found: 'new' | 'resumed' | 'continued' }>['found'];

/** One attempt. */
export class TurnAttempt {
  readonly #settings: AttemptSettings;
  readonly #fence: LedgerFence;
  readonly #sessionId: string;
  readonly #uuid: Uuid;
  readonly #state: AttemptState;
  readonly #store: HeldStore;
  readonly #records: CallRecords;
  readonly #questions: AttemptQuestions;
  readonly #waits: AttemptWaits;
  readonly #cost = new TurnCostMeter();
  #session: Session | undefined;
  #activity: CliActivity | undefined;
  /** The uuid of the model's newest message. Its entry in the transcript has the same uuid. */
  #newest: string | undefined;
  #waiting: { questions: ApprovalQuestion[]; pending: AwaitedCall[] } | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #over: Deferred<void> = createQuietDeferred();

  constructor(settings: AttemptSettings, { fence, sessionId }: TakenConversation) {
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
      demand: () => state.demand(),
      onChange: review,
    });
    this.#store = new HeldStore({
      store: settings.ledger.store(fence),
      state,
      onFact: (fact) => this.#waits.note(fact),
    });
    this.#records = this.#store.calls({ projectKey: LEDGER_PROJECT_KEY, sessionId });
  }

  async run(): Promise<AttemptEnd> {
    const { signal } = this.#settings;
    const ends = [
      this.#watchFence(),
      ...(signal
        ? [onAbort(signal, () => this.#state.leave({ why: 'aborted', reason: signal.reason }))]
        : []),
    ];
    try {
      return await this.#run();
    } catch (error) {
      await this.#abandon();
      return this.#explain(error);
    } finally {
      for (const end of ends) end();
      clock.clearTimeout(this.#timer);
      this.#questions.close();
      this.#over.resolve();
    }
  }

  async #run(): Promise<AttemptEnd> {
    const found = await this.#find();
    if ('outcome' in found) return { state: 'ended', outcome: found.outcome };
    const { start } = found;
    const { agent, conversation, turn } = this.#settings;
    const context = { conversation, turn: turn.id, epoch: this.#fence.epoch, approvals: this.#questions };
    const own = await askAgent(agent, context, this.#state.leaving);
    if (!own) return await this.#leave();
    const known = await this.#readCalls(start);
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
    return { state: 'ended', outcome };
  }

  /** Finds out how the turn goes on, or how it ended. */
  async #find(): Promise<{ start: WorkStart } | { outcome: AttemptOutcome }> {
    const found = findTurn((await this.#store.loadMain(this.#sessionId)) ?? [], this.#uuid);
    switch (found.found) {
      case 'answered':
        return { outcome: recoveredOutcome({ text: found.text }) };
      case 'stopped':
      case 'passed':
        return { outcome: recoveredOutcome(found.found) };
      default:
        return { start: found.found };
    }
  }

  /** Reads what earlier attempts recorded about the calls of this turn. Facts about earlier turns are removed. */
  async #readCalls(start: WorkStart): Promise<KnownCalls> {
    const known = foldFacts(await this.#records.load());
    const isNewTurn = start !== 'continued' && !known.covers(this.#uuid);
    if (!isNewTurn || known.list().length === 0) return known;
    await this.#store.hold(() => this.#settings.ledger.dropCalls(this.#fence));
    return foldFacts([]);
  }

  #open(start: WorkStart, own: QueryOptions, known: KnownCalls): Session {
    const sessionId = this.#sessionId;
    this.#waits.recall(known);
    this.#activity = new CliActivity(own);
    // A tool of the agent's is asked instead of people, or nothing is asked.
    const asksOthers = own.permissionPromptToolName !== undefined || own.permissionPrompts === 'none';
    const session = openSession({
      options: {
        ...own,
        ...(asksOthers ? {} : { canUseTool: own.canUseTool ?? this.#questions.canUseTool }),
        aroundTool: createAroundTool({
          known,
          demand: () => this.#state.demand(),
          aroundTool: own.aroundTool,
        }),
        sessionStore: this.#store,
        sessionStoreFlush: 'eager',
        projectKey: LEDGER_PROJECT_KEY,
        whenHostDies: 'kill',
        ...(start === 'new' ? { sessionId } : { resume: sessionId }),
      },
      oneByOne: true,
      ...(start === 'continued' ? { interrupted: 'continue' } : {}),
    });
    this.#session = session;
    if (start === 'resumed') this.#cost.begin(session);
    return session;
  }

  async #converse(session: Session, start: WorkStart): Promise<AttemptOutcome> {
    const handle = start === 'continued' ? await this.#continue(session) : session.send(this.#message);
    if ('ended' in handle) return handle.ended;
    this.#store.forgetLoaded();
    this.#review();
    for await (const message of handle) {
      if (message.type === 'assistant' && message.parent_tool_use_id === null) this.#newest = message.uuid;
      this.#activity?.observe(message);
      this.#review();
      await this.#settings.onMessage?.(message);
    }
    return describeAttemptOutcome(await handle.outcome());
  }

  get #message(): ReturnType<typeof toUserMessage> {
    return { ...toUserMessage(this.#settings.turn.content), uuid: this.#uuid };
  }

  /** The turn that goes on, or how it ended: a person may deny a call and end the turn with that. */
  async #continue(session: Session): Promise<Turn | { ended: AttemptOutcome }> {
    const handle = await session.continued;
    if (handle) {
      if (session.pid !== undefined) this.#cost.begin(session);
      return handle;
    }
    this.#store.forgetLoaded();
    const found = await this.#find();
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
  async #leave(start?: WorkStart, own?: QueryOptions): Promise<AttemptEnd> {
    const session = this.#session;
    const isWaiting = this.#state.left?.why === 'waiting';
    const turnCostUsd = isWaiting && session?.pid !== undefined ? await this.#cost.read(session) : 0;
    // The facts about questions are recorded a moment after the questions were asked.
    await new Promise((resolve) => clock.setImmediate(() => resolve(undefined)));
    // A call that is not in the transcript is lost with its CLI, although people may have been asked about it.
    if (!this.#state.isLost && session?.pid !== undefined && this.#newest !== undefined)
      await this.#store.whenSaved(this.#newest, SAVE_LIMIT_MS);
    await this.#abandon();
    if (start === 'new' && own && !this.#state.isLost) await removeLocalCopy(this.#sessionId, own);
    const { left } = this.#state;
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

  /** Looks from time to time whether the fence is held. Returns a function that ends that. */
  #watchFence(): () => void {
    let isLooking = false;
    const look = async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      try {
        if (!(await this.#settings.ledger.holds(this.#fence))) this.#state.leave({ why: 'lost' });
      } catch {
        // The ledger is away for a moment. The next look, or the next write, finds out.
      } finally {
        isLooking = false;
      }
    };
    const timer = clock.setInterval(() => void look(), LOOK_EVERY_MS);
    return () => clock.clearInterval(timer);
  }
}

/**
 * Whether an older attempt on this machine has a CLI under the same id, and has saved nothing yet. Its process may be stopped, so it
 * is not waited for here.
 */
function saysRunning(error: unknown): boolean {
  if (error instanceof SessionClosedError) return saysRunning(error.cause);
  if (error instanceof ProcessExitError) return error.stderrTail?.includes('already in use') === true;
  return error instanceof LaunchError && error.code === 'SESSION_RUNNING';
}
