// Works on one turn under one lease, from the transcript to the end of the turn in the journal. Or the worker leaves the turn:
// it is parked, handed over, lost, or given back after a failure.
import { InvalidOptionsError, MessageIgnoredError } from '@inboard/core/errors.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { HeldSessionStart } from '@inboard/durable/attempt/held-session.js';
import { interruptedOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { NewClusterEvent, TurnOutcome, TurnRecord } from '../../journal/records.js';
import { AgentSession } from '../session/agent-session.js';
import { EventPublisher } from './event-publisher.js';
import { FollowedCompletion } from './followed-completion.js';
import { describeCutOff, type LeftBehind } from '../host/lost-leases.js';
import { noteOutcome, notePressure } from './pressure.js';
import type { RunContext, TurnUnderWay } from './run-context.js';
import { failedOutcome, lostOutcome, outcomeOfResult, triedTooOften } from './turn-outcomes.js';
import { eventOfMessage, messageOfTurn } from './turn-message.js';
import { TurnFinishing } from './turn-finish.js';
import { TurnParking } from './turn-parking.js';
import { pauseBeforeRetry, readTranscript, tellStart } from './turn-start.js';
import { LeasedTurn, type Leave, type WorkEnd } from './leased-turn.js';

/** Milliseconds that a CLI may take to end its turn after an interrupt. */
const STOP_LIMIT_MS = 10_000;

/** The work on one turn. */
export class TurnRun implements TurnUnderWay {
  readonly #context: RunContext;
  readonly #turn: TurnRecord;
  readonly #state: LeasedTurn;
  readonly #publisher: EventPublisher;
  readonly #parking: TurnParking;
  readonly #completion: FollowedCompletion;
  readonly #finishing: TurnFinishing;
  #result: NewClusterEvent | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  /** Milliseconds until the turn is tried again, once it has failed. */
  retryAfterMs = 0;

  constructor(context: RunContext, turn: TurnRecord) {
    this.#context = context;
    this.#turn = turn;
    this.#state = new LeasedTurn(context, turn);
    this.#publisher = new EventPublisher({
      journal: context.host.parts.journal,
      lease: context.lease,
      turn: turn.id,
      onFailure: (error) => this.#state.leave({ why: 'failed', error }),
    });
    this.#completion = new FollowedCompletion({ context, turn, publisher: this.#publisher });
    this.#finishing = new TurnFinishing(context, turn);
    this.#parking = new TurnParking(this.#state, this.#publisher);
  }

  get id(): string {
    return this.#turn.id;
  }

  async run(): Promise<WorkEnd> {
    try {
      return await this.#run();
    } catch (error) {
      return await this.#fail(error);
    } finally {
      this.#state.isOver = true;
      this.#parking.end();
      clock.clearTimeout(this.#stopTimer);
    }
  }

  /** Ends the turn as interrupted. */
  stop(): void {
    if (this.#state.isStopping || this.#state.isOver) return;
    this.#state.isStopping = true;
    void this.#interrupt();
  }

  /** Leaves the turn, because another worker has the conversation, or may have it. */
  lose(): void {
    const { session } = this.#context;
    // The calls of the turn only waited for people, and no CLI worked on it. So this try does not count.
    if (!this.#state.handle && session && session.openQuestions.length > 0 && session.calls.working === 0)
      this.#state.hasCli = false;
    this.#state.leave({ why: 'lost' });
  }

  /** Begins no new tool calls. The turn is handed over once no handler is at work and a new call is needed. */
  drain(): void {
    this.#state.isDraining = true;
    this.#context.session?.calls.holdBack();
    this.review();
  }

  /** Leaves the turn for another worker now. */
  handOver(): void {
    this.#state.leave({ why: 'handedOver' });
  }

  /**
   * The turn as it is left behind when the lease is lost. Without a CLI, the try does not count: the journal was away, and the
   * turn is not to blame. But it counts if the worker was late, because the preparation of this turn may have blocked the
   * process.
   */
  leaveBehind(): LeftBehind {
    const { host, lease } = this.#context;
    const isFailed = this.#state.hasCli || lease.loss === 'late';
    return this.#finishing.leaveBehind(describeCutOff(this.#turn, host.settings.leaseMs, isFailed));
  }

  /** The next turn, once this one has ended. Undefined if it was not looked up. */
  get looked(): { next: TurnRecord | undefined } | undefined {
    return this.#finishing.looked;
  }

  review(): void {
    this.#parking.review();
  }

  async #run(): Promise<WorkEnd> {
    const { host, conversation } = this.#context;
    const turn = this.#turn;
    const { maxAttempts } = host.settings;
    if (turn.tries <= maxAttempts + 1) await this.#completion.recall();
    if (turn.stop) return await this.#finish(interruptedOutcome(turn.costUsd));
    // One more try only looks for the answer in the transcript. If workers die of that as well, the turn ends without a look.
    if (turn.tries > maxAttempts + 1) return await this.#finish(triedTooOften(turn, maxAttempts));
    const start = this.#context.session ? undefined : await readTranscript(this.#context, turn);
    if (start && 'outcome' in start) {
      tellStart(this.#context, turn, 'found');
      return await this.#finish(start.outcome);
    }
    if (turn.tries > maxAttempts) return await this.#finish(triedTooOften(turn, maxAttempts));
    if (this.#state.left) return await this.#leaveWith(this.#state.left);
    const admission = await this.#context.lease.write(() => host.parts.admit(turn, conversation));
    if (!admission.admitted) return await this.#finish(admission.outcome);
    if (this.#state.left) return await this.#leaveWith(this.#state.left);
    const session = await this.#openSession(start?.start, admission.maxBudgetUsd);
    if (this.#state.isStopping) return await this.#leaveWith({ why: 'stopped' });
    if (this.#state.left || !session) return await this.#leaveWith(this.#state.left ?? { why: 'handedOver' });
    return await this.#converse(session, start?.start === 'continued');
  }

  async #openSession(
    start: HeldSessionStart | undefined,
    maxBudgetUsd: number | undefined,
  ): Promise<AgentSession | undefined> {
    const context = this.#context;
    const warm = context.session;
    if (warm?.fits(maxBudgetUsd)) return warm;
    await context.closeSession();
    const { host, lease, conversation, store } = context;
    const session = await AgentSession.open({
      host,
      lease,
      conversation,
      store,
      start: start ?? 'resumed',
      maxBudgetUsd,
      turns: context,
      pendings: context.pendings,
      unwanted: this.#state.leaving,
    });
    if (!session) return undefined;
    this.#state.hasCli = true;
    context.session = session;
    if (start === 'continued') this.#completion.follow(session.session);
    else if (start !== 'new') this.#state.cost.begin(session.session);
    // The worker may have begun to drain, or lost the lease, while the agent was asked.
    if (this.#state.isDraining) session.calls.holdBack();
    if (!lease.check()) this.lose();
    return session;
  }

  async #converse(session: AgentSession, isContinued: boolean): Promise<WorkEnd> {
    this.#state.hasCli = true;
    const conversing = this.#readAll(session, isContinued).then((outcome) => ({ outcome }));
    // The promise rejects if the turn is left and its session abandoned.
    conversing.catch(() => {});
    const end = await Promise.race([conversing, this.#state.leaving]);
    if ('why' in end) return await this.#leaveWith(end);
    if (!end.outcome) return await this.#finish(interruptedOutcome(this.#turn.costUsd));
    session.noteCost(end.outcome);
    noteOutcome(this.#context.host, this.#context.conversation.tenant, end.outcome);
    return await this.#finish(outcomeOfResult(this.#turn, end.outcome));
  }

  /** Undefined if the turn was stopped before it had a CLI. */
  async #readAll(session: AgentSession, isContinued: boolean) {
    const state = this.#state;
    const handle = isContinued
      ? await this.#continue(session)
      : session.session.send(messageOfTurn(state.record));
    if (!handle) return undefined;
    state.handle = handle;
    tellStart(this.#context, state.record, isContinued ? 'continued' : 'new');
    this.#context.store.forget();
    if (state.isStopping) void this.#interrupt();
    this.review();
    for await (const message of handle) {
      if (message.type === 'result') this.#result = eventOfMessage(this.id, message);
      else {
        if (message.type === 'assistant' && message.parent_tool_use_id === null) state.newest = message.uuid;
        notePressure(this.#context.host, this.#context.conversation.tenant, message);
        if (!this.#completion.has(message)) await this.#publisher.add(message);
      }
    }
    return await handle.outcome();
  }

  /** Undefined if a person denied a call and ended the turn, or if it was interrupted before it had a CLI. */
  async #continue(session: AgentSession): Promise<Turn | undefined> {
    this.#state.isContinued = true;
    if (this.#state.isStopping) void this.#interrupt();
    const handle = await session.session.continued;
    await this.#completion.settled();
    this.#state.cost.begin(session.session);
    if (handle) return handle;
    this.#context.store.forget();
    const found = await readTranscript(this.#context, this.#turn);
    if (!('outcome' in found)) throw new Error('The CLI did not continue the turn that was cut off');
    return undefined;
  }

  async #interrupt(): Promise<void> {
    const { session } = this.#context;
    const handle = this.#state.handle;
    const leave = (): void => this.#state.leave({ why: 'stopped' });
    // No CLI has the message yet. Perhaps the agent is being asked, and may never answer.
    if (!session) leave();
    else this.#stopTimer ??= clock.setTimeout(leave, STOP_LIMIT_MS);
    // The message is not sent yet. This runs again once it is sent.
    if (!session || (!handle && !this.#state.isContinued)) return;
    try {
      if (await handle?.cancel()) leave();
      else await session.session.interrupt();
    } catch {
      leave();
    }
  }

  /** Kills the CLI, and gives the turn back, or ends it if it was stopped. */
  async #leaveWith(leave: Leave): Promise<WorkEnd> {
    const { host, lease } = this.#context;
    if (leave.why === 'failed') return await this.#fail(leave.error);
    if (leave.why === 'lost') {
      await this.#context.abandonSession();
      return 'lost';
    }
    const costUsd = leave.why === 'handedOver' ? await this.#state.readCost() : 0;
    if (leave.why !== 'stopped') await this.#state.awaitSaved();
    await this.#context.abandonSession();
    if (lease.isLost) return 'lost';
    if (leave.why === 'stopped') return await this.#finish(interruptedOutcome(this.#turn.costUsd));
    if (leave.why === 'parked') {
      host.counts.parked += 1;
      return (await this.#context.release()) ? 'parked' : 'lost';
    }
    await this.#publisher.flush();
    if (!(await this.#context.release({ turn: this.#turn.id, costUsd }))) return 'lost';
    host.counts.handedOver += 1;
    host.emit({ type: 'turn-handed-over', key: lease.fence.key, turn: this.#turn.id });
    return 'handedOver';
  }

  /** Ends a failed turn with a named error, or gives it back for a later try. */
  async #fail(error: unknown): Promise<WorkEnd> {
    const { host, lease } = this.#context;
    const turn = this.#turn;
    await this.#context.abandonSession();
    if (!lease.check()) return 'lost';
    if (this.#state.isStopping) return await this.#finish(interruptedOutcome(turn.costUsd));
    if (error instanceof MessageIgnoredError) return await this.#finish(lostOutcome(turn));
    const where = this.#state.handle ? 'cli' : 'agent';
    host.emit({ type: 'trouble', key: turn.key, where, error });
    // Wrong options stay wrong. After any other error, the turn may succeed on another machine, or later.
    if (error instanceof InvalidOptionsError || turn.tries >= host.settings.maxAttempts) {
      return await this.#finish(failedOutcome(turn, error));
    }
    await this.#publisher.flush();
    const afterMs = pauseBeforeRetry(turn);
    this.retryAfterMs = afterMs;
    const isReleased = await this.#context.release({ turn: turn.id, costUsd: 0, failed: true, afterMs });
    if (!isReleased) return 'lost';
    await host.wake(turn.key, { afterMs });
    return 'failed';
  }

  async #finish(end: TurnOutcome): Promise<WorkEnd> {
    const { calls: completedCalls } = this.#completion;
    const outcome = completedCalls.length === 0 ? end : { ...end, completedCalls };
    const { host } = this.#context;
    this.#state.isOver = true;
    const rest = await this.#publisher.end();
    const events = this.#result ? [...rest, this.#result] : rest;
    await this.#finishing.write({ outcome, events });
    host.counts.turns += 1;
    host.emit({ type: 'turn-ended', key: this.#turn.key, turn: this.#turn.id, outcome });
    return 'ended';
  }
}
