// One turn under one lease, from what the transcript says of it to its end in the journal, or until it is left: parked, handed
// over, lost, or given back after a failure.
import { InvalidOptionsError, MessageIgnoredError } from '@inboard/core/errors.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { NewClusterEvent, TurnOutcome, TurnRecord } from '../../journal/records.js';
import { AgentSession, type SessionStart } from '../session/agent-session.js';
import { EventPublisher } from './event-publisher.js';
import { FollowedCompletion } from './followed-completion.js';
import { describeCutOff, type LeftBehind } from '../host/lost-leases.js';
import { noteOutcome, notePressure } from './pressure.js';
import type { RunContext, TurnUnderWay } from './run-context.js';
import {
  failedOutcome,
  interruptedOutcome,
  lostOutcome,
  outcomeOfResult,
  triedTooOften,
} from './turn-outcomes.js';
import { eventOfMessage, messageOfTurn } from './turn-message.js';
import { TurnFinishing } from './turn-finish.js';
import { TurnParking } from './turn-parking.js';
import { pauseBeforeRetry, readTranscript, tellStart } from './turn-start.js';
import { LeasedTurn, type Leave, type WorkEnd } from './leased-turn.js';

/** Milliseconds a CLI may take to end its turn when it is asked to. */
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

  /** Another worker has the conversation, or may have it. */
  lose(): void {
    const { session } = this.#context;
    // It waited for people without a CLI.
    if (!this.#state.handle && session && session.approvals.open.length > 0 && session.calls.working === 0)
      this.#state.hasCli = false;
    this.#state.leave({ why: 'lost' });
  }

  /** No new tool calls from now on; when none is open, and one would be needed, the turn is handed over. */
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
   * What is left of it when the lease is lost. A try without a CLI does not count: the journal was away, and the turn is not to
   * blame. Where the worker itself was late it does: what the turn needs before its CLI may be what blocks the process.
   */
  leaveBehind(): LeftBehind {
    const { host, lease } = this.#context;
    const isFailed = this.#state.hasCli || lease.loss === 'late';
    return this.#finishing.leaveBehind(describeCutOff(this.#turn, host.settings.leaseMs, isFailed));
  }

  /** What there is behind it, once it has ended; undefined if that was not looked up. */
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
    if (turn.stop) return await this.#finish(interruptedOutcome(turn));
    // One try more is made to look for the answer. Where workers die of that, too, there is no further look.
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
    start: SessionStart | undefined,
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
      unwanted: this.#state.leaving,
    });
    if (!session) return undefined;
    this.#state.hasCli = true;
    context.session = session;
    if (start === 'continued') this.#completion.follow(session.session);
    else if (start !== 'new') this.#state.cost.begin(session.session);
    // Whatever happened while the agent was asked happened to this session, too.
    if (this.#state.isDraining) session.calls.holdBack();
    if (!lease.check()) this.lose();
    return session;
  }

  async #converse(session: AgentSession, isContinued: boolean): Promise<WorkEnd> {
    this.#state.hasCli = true;
    const conversing = this.#readAll(session, isContinued).then((outcome) => ({ outcome }));
    // Left turns reject once their session is abandoned.
    conversing.catch(() => {});
    const end = await Promise.race([conversing, this.#state.leaving]);
    if ('why' in end) return await this.#leaveWith(end);
    if (!end.outcome) return await this.#finish(interruptedOutcome(this.#turn));
    session.noteCost(end.outcome);
    noteOutcome(this.#context.host, this.#context.conversation.tenant, end.outcome);
    return await this.#finish(outcomeOfResult(this.#turn, end.outcome));
  }

  /** Undefined where the turn was stopped before it had a CLI. */
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
        if (this.#parking.hasWaited) this.review();
        if (!this.#completion.has(message)) await this.#publisher.add(message);
      }
    }
    return await handle.outcome();
  }

  /** Undefined when a person denied a call and wanted the turn to end, or when it was interrupted while it had no CLI. */
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
    // The message is with no CLI yet: perhaps the agent is being asked, and it may never answer.
    if (!session) leave();
    else this.#stopTimer ??= clock.setTimeout(leave, STOP_LIMIT_MS);
    // Not sent yet: asked again once it is.
    if (!session || (!handle && !this.#state.isContinued)) return;
    try {
      if (await handle?.cancel()) leave();
      else await session.session.interrupt();
    } catch {
      leave();
    }
  }

  /** Ends the CLI as a crash would, and gives the turn back. */
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
    if (leave.why === 'stopped') return await this.#finish(interruptedOutcome(this.#turn));
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

  /** Something went wrong with it: ends it with a named error, or gives it back to be tried again later. */
  async #fail(error: unknown): Promise<WorkEnd> {
    const { host, lease } = this.#context;
    const turn = this.#turn;
    await this.#context.abandonSession();
    if (!lease.check()) return 'lost';
    if (this.#state.isStopping) return await this.#finish(interruptedOutcome(turn));
    if (error instanceof MessageIgnoredError) return await this.#finish(lostOutcome(turn));
    const where = this.#state.handle ? 'cli' : 'agent';
    host.emit({ type: 'trouble', key: turn.key, where, error });
    // Wrong options are wrong again; anything else may be better on another machine, or later.
    if (error instanceof InvalidOptionsError || turn.tries >= host.settings.maxAttempts) {
      return await this.#finish(failedOutcome(turn, error));
    }
    await this.#publisher.flush();
    const afterMs = pauseBeforeRetry(turn);
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
