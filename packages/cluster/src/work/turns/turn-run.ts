// Works on one turn under one lease, from the transcript to the end of the turn in the journal. Or the worker leaves the turn:
// it is parked, handed over, lost, or given back after a failure.
import { InvalidOptionsError, MessageIgnoredError } from '@inboard/core/errors.js';
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
import { admitTurn, countFound, explainBudget, lowerReservation, type Admitted } from './turn-admission.js';
import { handTurnOver, letTurnWait, retryTurnLater } from './turn-leaving.js';
import { readTranscript, tellStart } from './turn-start.js';
import { LeasedTurn, type Leave, type WorkEnd } from './leased-turn.js';

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
      this.#state.held.end();
    }
  }

  /** Ends the turn as interrupted. */
  stop(): void {
    if (!this.#state.isOver) this.#state.held.stop();
  }

  /** Leaves the turn, because another worker has the conversation, or may have it. */
  lose(): void {
    const { session } = this.#context;
    // The calls of the turn only waited for people, and no CLI worked on it. So this try does not count.
    if (
      !this.#state.held.hasCli &&
      session &&
      session.openQuestions.length > 0 &&
      session.calls.open.working === 0
    )
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

  get retryAfterMs(): number {
    return this.#state.retryAfterMs;
  }

  /** The next turn, once this one has ended. Undefined if it was not looked up. */
  get looked(): { next: TurnRecord | undefined } | undefined {
    return this.#finishing.looked;
  }

  review(): void {
    this.#parking.review();
  }

  async #run(): Promise<WorkEnd> {
    const turn = this.#turn;
    const { maxAttempts } = this.#context.host.settings;
    if (turn.tries <= maxAttempts + 1) await this.#completion.recall();
    if (turn.stop) return await this.#finishStopped();
    // One more try only looks for the answer in the transcript. If workers die of that as well, the turn ends without a look.
    if (turn.tries > maxAttempts + 1) return await this.#finish(triedTooOften(turn, maxAttempts));
    const start = this.#context.session ? undefined : await readTranscript(this.#state);
    if (start && 'outcome' in start) {
      tellStart(this.#context, turn, 'found');
      return await this.#finish(start.outcome);
    }
    if (turn.tries > maxAttempts) return await this.#finish(triedTooOften(turn, maxAttempts));
    if (this.#state.left) return await this.#leaveWith(this.#state.left);
    const admission = await admitTurn(this.#state);
    if (!admission.admitted && admission.outcome) return await this.#finish(admission.outcome);
    if (!admission.admitted) return await letTurnWait(this.#state, admission);
    if (this.#state.left) return await this.#leaveWith(this.#state.left);
    const session = await this.#openSession(start?.start, admission.maxBudgetUsd);
    if (this.#state.held.isStopping) return await this.#leaveWith({ why: 'stopped' });
    if (this.#state.left || !session) return await this.#leaveWith(this.#state.left ?? { why: 'handedOver' });
    await lowerReservation(this.#state, session, admission);
    return await this.#converse(session, start?.start === 'continued', admission);
  }

  async #openSession(
    start: HeldSessionStart | undefined,
    maxBudgetUsd: number | undefined,
  ): Promise<AgentSession | undefined> {
    const context = this.#context;
    const warm = context.session;
    if (warm?.fits(maxBudgetUsd)) {
      this.#state.held.open(warm.session, undefined);
      return warm;
    }
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
    this.#state.held.open(session.session, start ?? 'resumed');
    if (start === 'continued') this.#completion.follow(session.session);
    // The worker may have begun to drain, or lost the lease, while the agent was asked.
    if (this.#state.isDraining) session.calls.holdBack();
    if (!lease.check()) this.lose();
    return session;
  }

  async #converse(session: AgentSession, isContinued: boolean, admission: Admitted): Promise<WorkEnd> {
    this.#state.hasCli = true;
    const conversing = this.#readAll(session, isContinued).then((outcome) => ({ outcome }));
    // The promise rejects if the turn is left and its session abandoned.
    conversing.catch(() => {});
    const end = await Promise.race([conversing, this.#state.leaving]);
    if ('why' in end) return await this.#leaveWith(end);
    if (!end.outcome) return await this.#finish(interruptedOutcome(this.#turn.turnCostUsd));
    session.noteCost(end.outcome);
    noteOutcome(this.#context.host, this.#context.conversation.tenant, end.outcome);
    return await this.#finish(
      await explainBudget(outcomeOfResult(this.#turn, end.outcome), session, admission),
    );
  }

  /** Undefined if the turn was stopped before it had a CLI. */
  async #readAll(session: AgentSession, isContinued: boolean) {
    const state = this.#state;
    const turn = isContinued
      ? await this.#continue(session)
      : state.held.send(session.session, messageOfTurn(state.record));
    if (!turn) return undefined;
    tellStart(this.#context, state.record, isContinued ? 'continued' : 'new');
    this.#context.store.forget();
    this.review();
    for await (const message of turn) {
      if (message.type === 'result') this.#result = eventOfMessage(this.id, message);
      else {
        state.held.observe(message);
        notePressure(this.#context.host, this.#context.conversation.tenant, message);
        if (!this.#completion.has(message)) await this.#publisher.add(message);
      }
    }
    return await turn.outcome();
  }

  /** Undefined if a person denied a call and ended the turn, or if it was interrupted before it had a CLI. */
  async #continue(session: AgentSession): Promise<Turn | undefined> {
    const begun = await this.#state.held.continue(session.session, async () => {
      this.#context.store.forget();
      const found = await readTranscript(this.#state);
      return 'outcome' in found ? found.outcome : undefined;
    });
    // The results of the calls come before the messages of the CLI.
    await this.#completion.settled();
    if ('end' in begun) return undefined;
    await begun.launched;
    return begun.turn;
  }

  /** Kills the CLI, and gives the turn back, or ends it if it was stopped. */
  async #leaveWith(leave: Leave): Promise<WorkEnd> {
    const { host, lease } = this.#context;
    if (leave.why === 'failed') return await this.#fail(leave.error);
    if (leave.why === 'lost') {
      await this.#context.abandonSession();
      return 'lost';
    }
    const turnCostUsd = leave.why === 'handedOver' ? await this.#state.readCost() : 0;
    if (leave.why !== 'stopped') await this.#state.held.awaitSaved(this.#context.store);
    await this.#context.abandonSession();
    if (lease.isLost) return 'lost';
    if (leave.why === 'stopped') return await this.#finishStopped();
    if (leave.why === 'parked') {
      host.counts.parked += 1;
      return (await this.#context.release()) ? 'parked' : 'lost';
    }
    await this.#publisher.flush();
    return await handTurnOver(this.#state, turnCostUsd);
  }

  async #finishStopped(): Promise<WorkEnd> {
    await countFound(this.#state);
    return await this.#finish(interruptedOutcome(this.#turn.turnCostUsd));
  }

  /** Ends a failed turn with a named error, or gives it back for a later try. */
  async #fail(error: unknown): Promise<WorkEnd> {
    const { host, lease } = this.#context;
    const turn = this.#turn;
    await this.#context.abandonSession();
    if (!lease.check()) return 'lost';
    if (this.#state.held.isStopping) return await this.#finishStopped();
    if (error instanceof MessageIgnoredError) return await this.#finish(lostOutcome(turn));
    // A CLI that ends while calls are completed for it does not have the turn yet.
    const where = this.#state.hasCli ? 'cli' : 'agent';
    host.emit({ type: 'trouble', key: turn.key, where, error });
    // Wrong options stay wrong. After any other error, the turn may succeed on another machine, or later.
    if (error instanceof InvalidOptionsError || turn.tries >= host.settings.maxAttempts) {
      await countFound(this.#state);
      return await this.#finish(failedOutcome(turn, error));
    }
    await this.#publisher.flush();
    return await retryTurnLater(this.#state);
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
