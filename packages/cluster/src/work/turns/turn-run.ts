// One turn under one lease, from what the transcript says of it to its end in the journal, or until it is left: parked, handed
// over, lost, or given back after a failure.
import { InvalidOptionsError, MessageIgnoredError } from '@inboard/core/errors.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { NewClusterEvent, TurnOutcome, TurnRecord } from '../../journal/records.js';
import { AgentSession, type SessionStart } from '../session/agent-session.js';
import { EventPublisher } from './event-publisher.js';
import { FollowedCompletion } from './followed-completion.js';
import { describeCutOff, type LeftBehind } from '../host/lost-leases.js';
import { noteOutcome, notePressure } from './pressure.js';
import type { RunContext, TurnUnderWay } from './run-context.js';
import { TurnCost } from './session-cost.js';
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
import { pauseBeforeRetry, readTranscript } from './turn-start.js';

/** How the work on a turn ends: it is over, or left. */
export type TurnEnd = 'ended' | 'parked' | 'handedOver' | 'lost' | 'failed';

/** What makes a worker leave a turn that is not over. */
type Leave = { why: 'parked' | 'handedOver' | 'lost' | 'stopped' } | { why: 'failed'; error: unknown };

/** Milliseconds a CLI may take to end its turn when it is asked to. */
const STOP_LIMIT_MS = 10_000;
/** Milliseconds a CLI may take to write down what the model said last. */
const SAVE_LIMIT_MS = 2000;

/** The work on one turn. */
export class TurnRun implements TurnUnderWay {
  readonly #context: RunContext;
  readonly #turn: TurnRecord;
  readonly #leave: Deferred<Leave> = createQuietDeferred();
  /** Why the turn is to be left. */
  #left: Leave | undefined;
  readonly #publisher: EventPublisher;
  readonly #parking: TurnParking;
  readonly #completion: FollowedCompletion;
  readonly #finishing: TurnFinishing;
  #handle: Turn | undefined;
  #result: NewClusterEvent | undefined;
  /** The newest message of the model, by its id, which is also that of its entry in the transcript. */
  #newest: string | undefined;
  readonly #cost: TurnCost;
  /** Whether a CLI was started for it, or got its message. */
  #hasCli = false;
  /** Whether a session goes on with it: before there is a CLI, calls that were cut off are completed. */
  #isContinued = false;
  #isStopping = false;
  #isDraining = false;
  #isOver = false;
  #stopTimer: NodeJS.Timeout | undefined;

  constructor(context: RunContext, turn: TurnRecord) {
    this.#context = context;
    this.#turn = turn;
    // A warm CLI has counted the turns before, also where this one is left before it is sent.
    this.#cost = new TurnCost(context.session?.totalUsd);
    this.#publisher = new EventPublisher({
      journal: context.host.parts.journal,
      lease: context.lease,
      turn: turn.id,
      onFailure: (error) => this.#leaveBecause({ why: 'failed', error }),
    });
    this.#completion = new FollowedCompletion({ context, turn, publisher: this.#publisher });
    this.#finishing = new TurnFinishing(context, turn);
    this.#parking = new TurnParking({
      context,
      turn: turn.id,
      publisher: this.#publisher,
      isUnderWay: () => (this.#handle !== undefined || this.#isContinued) && !this.#isOver,
      isStopping: () => this.#isStopping,
      isDraining: () => this.#isDraining,
      readCost: () => this.#readCost(),
      onParked: () => this.#leaveBecause({ why: 'parked' }),
      onHandOver: () => this.handOver(),
      onFailure: (error) => this.#leaveBecause({ why: 'failed', error }),
    });
  }

  get id(): string {
    return this.#turn.id;
  }

  async run(): Promise<TurnEnd> {
    try {
      return await this.#run();
    } catch (error) {
      return await this.#fail(error);
    } finally {
      this.#isOver = true;
      this.#parking.end();
      clearTimeout(this.#stopTimer);
    }
  }

  /** Somebody wants the turn to end. */
  stop(): void {
    if (this.#isStopping || this.#isOver) return;
    this.#isStopping = true;
    void this.#interrupt();
  }

  /** Another worker has the conversation, or may have it. */
  lose(): void {
    const { session } = this.#context;
    // It waited for people without a CLI.
    if (!this.#handle && session && session.approvals.open.length > 0 && session.calls.working === 0)
      this.#hasCli = false;
    this.#leaveBecause({ why: 'lost' });
  }

  /** No new tool calls from now on; when none is open, and one would be needed, the turn is handed over. */
  drain(): void {
    this.#isDraining = true;
    this.#context.session?.calls.holdBack();
    this.review();
  }

  /** Leaves the turn for another worker now. */
  handOver(): void {
    this.#leaveBecause({ why: 'handedOver' });
  }

  /**
   * What is left of it when the lease is lost. A try without a CLI does not count: the journal was away, and the turn is not to
   * blame. Where the worker itself was late it does: what the turn needs before its CLI may be what blocks the process.
   */
  leaveBehind(): LeftBehind {
    const { host, lease } = this.#context;
    const isFailed = this.#hasCli || lease.loss === 'late';
    return this.#finishing.leaveBehind(describeCutOff(this.#turn, host.settings.leaseMs, isFailed));
  }

  /** What there is behind it, once it has ended; undefined where nobody has looked. */
  get looked(): { next: TurnRecord | undefined } | undefined {
    return this.#finishing.looked;
  }

  review(): void {
    this.#parking.review();
  }

  async #run(): Promise<TurnEnd> {
    const { host, conversation } = this.#context;
    const turn = this.#turn;
    const { maxAttempts } = host.settings;
    if (turn.tries <= maxAttempts + 1) await this.#completion.recall();
    if (turn.stop) return await this.#finish(interruptedOutcome(turn));
    // One more than those is to look for the answer. Where workers die of that, too, nobody looks again.
    if (turn.tries > maxAttempts + 1) return await this.#finish(triedTooOften(turn, maxAttempts));
    const start = this.#context.session ? undefined : await readTranscript(this.#context, turn);
    if (start && 'outcome' in start) {
      this.#tellStart('found');
      return await this.#finish(start.outcome);
    }
    if (turn.tries > maxAttempts) return await this.#finish(triedTooOften(turn, maxAttempts));
    if (this.#left) return await this.#leaveWith(this.#left);
    const admission = await this.#context.lease.write(() => host.parts.admit(turn, conversation));
    if (!admission.admitted) return await this.#finish(admission.outcome);
    if (this.#left) return await this.#leaveWith(this.#left);
    const session = await this.#openSession(start?.start, admission.maxBudgetUsd);
    if (this.#isStopping) return await this.#leaveWith({ why: 'stopped' });
    if (this.#left || !session) return await this.#leaveWith(this.#left ?? { why: 'handedOver' });
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
      turn: () => this.#context.turnId(),
      onChange: () => this.#context.review(),
      unwanted: this.#leave.promise,
    });
    if (!session) return undefined;
    this.#hasCli = true;
    context.session = session;
    if (start === 'continued') this.#completion.follow(session.session);
    else if (start !== 'new') this.#cost.begin(session.session);
    // Whatever happened while the agent was asked happened to this session, too.
    if (this.#isDraining) session.calls.holdBack();
    if (!lease.check()) this.lose();
    return session;
  }

  async #converse(session: AgentSession, isContinued: boolean): Promise<TurnEnd> {
    this.#hasCli = true;
    const conversing = this.#readAll(session, isContinued).then((outcome) => ({ outcome }));
    // Left turns reject once their session is abandoned.
    conversing.catch(() => {});
    const end = await Promise.race([conversing, this.#leave.promise]);
    if ('why' in end) return await this.#leaveWith(end);
    if (!end.outcome) return await this.#finish(interruptedOutcome(this.#turn));
    session.noteCost(end.outcome);
    noteOutcome(this.#context.host, this.#context.conversation.tenant, end.outcome);
    return await this.#finish(outcomeOfResult(this.#turn, end.outcome));
  }

  /** Undefined where the turn was stopped before it had a CLI. */
  async #readAll(session: AgentSession, isContinued: boolean) {
    const turn = this.#turn;
    const handle = isContinued ? await this.#continue(session) : session.session.send(messageOfTurn(turn));
    if (!handle) return undefined;
    this.#handle = handle;
    this.#tellStart(isContinued ? 'continued' : 'new');
    this.#context.store.forget();
    if (this.#isStopping) void this.#interrupt();
    this.review();
    for await (const message of handle) {
      if (message.type === 'result') this.#result = eventOfMessage(turn.id, message);
      else {
        if (message.type === 'assistant' && message.parent_tool_use_id === null) this.#newest = message.uuid;
        notePressure(this.#context.host, this.#context.conversation.tenant, message);
        if (this.#parking.hasWaited) this.review();
        if (!this.#completion.has(message)) await this.#publisher.add(message);
      }
    }
    return await handle.outcome();
  }

  /** Undefined where somebody denied a call and wanted the turn to end, or interrupted it while it had no CLI. */
  async #continue(session: AgentSession): Promise<Turn | undefined> {
    this.#isContinued = true;
    if (this.#isStopping) void this.#interrupt();
    const handle = await session.session.continued;
    await this.#completion.settled();
    this.#cost.begin(session.session);
    if (handle) return handle;
    this.#context.store.forget();
    const found = await readTranscript(this.#context, this.#turn);
    if (!('outcome' in found)) throw new Error('The CLI did not continue the turn that was cut off');
    return undefined;
  }

  /** A call that is not in the transcript is lost with its CLI, although somebody may be asked about it. */
  async #awaitSaved(): Promise<void> {
    const { session, store } = this.#context;
    if (session?.session.pid === undefined || this.#newest === undefined) return;
    await store.whenSaved(this.#newest, SAVE_LIMIT_MS);
  }

  /** Before there is a CLI, nothing is spent. */
  async #readCost(): Promise<number> {
    const { session } = this.#context;
    return session && this.#handle ? await this.#cost.read(session.session) : 0;
  }

  #leaveBecause(leave: Leave): void {
    this.#left ??= leave;
    this.#leave.resolve(leave);
  }

  async #interrupt(): Promise<void> {
    const { session } = this.#context;
    const handle = this.#handle;
    const leave = (): void => this.#leaveBecause({ why: 'stopped' });
    // Nobody has the message yet: perhaps the agent is being asked, and it may never answer.
    if (!session) leave();
    else this.#stopTimer ??= setTimeout(leave, STOP_LIMIT_MS);
    // Not sent yet: asked again once it is.
    if (!session || (!handle && !this.#isContinued)) return;
    try {
      if (await handle?.cancel()) leave();
      else await session.session.interrupt();
    } catch {
      leave();
    }
  }

  /** Ends the CLI as a crash would, and gives the turn back. */
  async #leaveWith(leave: Leave): Promise<TurnEnd> {
    const { host, lease } = this.#context;
    if (leave.why === 'failed') return await this.#fail(leave.error);
    if (leave.why === 'lost') {
      await this.#context.abandonSession();
      return 'lost';
    }
    const costUsd = leave.why === 'handedOver' ? await this.#readCost() : 0;
    if (leave.why !== 'stopped') await this.#awaitSaved();
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
  async #fail(error: unknown): Promise<TurnEnd> {
    const { host, lease } = this.#context;
    const turn = this.#turn;
    await this.#context.abandonSession();
    if (!lease.check()) return 'lost';
    if (this.#isStopping) return await this.#finish(interruptedOutcome(turn));
    if (error instanceof MessageIgnoredError) return await this.#finish(lostOutcome(turn));
    const where = this.#handle ? 'cli' : 'agent';
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

  async #finish(end: TurnOutcome): Promise<TurnEnd> {
    const { calls: completedCalls } = this.#completion;
    const outcome = completedCalls.length === 0 ? end : { ...end, completedCalls };
    const { host } = this.#context;
    const turn = this.#turn;
    this.#isOver = true;
    const rest = await this.#publisher.end();
    const events = this.#result ? [...rest, this.#result] : rest;
    await this.#finishing.write({ outcome, events });
    host.counts.turns += 1;
    host.emit({ type: 'turn-ended', key: turn.key, turn: turn.id, outcome });
    return 'ended';
  }

  #tellStart(how: 'new' | 'continued' | 'found'): void {
    const { key, id, attempt, sentAt, startedAt } = this.#turn;
    const queuedMs = Math.max(0, (startedAt ?? sentAt) - sentAt);
    this.#context.host.emit({ type: 'turn-started', key, turn: id, attempt, how, queuedMs });
  }
}
