// Works on the turns of a conversation whose lease this process has, one after the other. Then it keeps the CLI warm, or gives
// the lease back.
import type { TurnRecord } from '../../journal/records.js';
import type { TakenLease } from '../host/lease-keeper.js';
import { describeCutOff, type LeftBehind } from '../host/lost-leases.js';
import { RunContext } from './run-context.js';
import { TurnRun } from './turn-run.js';
import type { WorkEnd } from './leased-turn.js';
import { withinTime } from '../host/within-time.js';
import type { WorkHost } from '../host/work-host.js';

/** Why a run has nothing more to do: no turn is waiting, or the last turn was left to other workers. */
export type RunEnd = 'idle' | Exclude<WorkEnd, 'ended'>;

/**
 * A conversation under a lease of this process. The caller that starts it calls `leave` once it is idle and no longer wanted.
 */
export class ConversationRun {
  readonly key: string;
  /** How many turns ended in this run. */
  ended = 0;
  /** Called when there may be a turn to work on. */
  onWork: (() => void) | undefined;
  readonly #host: WorkHost;
  readonly #context: RunContext;
  readonly #forgetChanges: () => void;
  /** Whether a hint came in after the last look at the journal. */
  #hasNews = false;
  #isDraining = false;
  #isHandingOver = false;
  #isOver = false;
  /** The turn after which the run takes no other. */
  #lastTurn: string | undefined;
  /** Milliseconds until the turn that failed is tried again. */
  #retryAfterMs = 0;
  /** The journal's pending answer to `next`. */
  #asking: Promise<TurnRecord | undefined> | undefined;

  constructor(host: WorkHost, taken: Extract<TakenLease, { state: 'granted' }>) {
    const { lease, conversation, takenOverAfterMs } = taken;
    const { key, epoch } = lease.fence;
    this.key = key;
    this.#host = host;
    this.#context = new RunContext(host, lease, conversation);
    this.#context.takesNext = () => {
      // While draining, another worker is woken for the next turn.
      if (this.#isDraining || this.#context.turn?.id === this.#lastTurn) return false;
      this.#hasNews = false;
      return true;
    };
    host.counts.leases += 1;
    if (takenOverAfterMs !== undefined) host.counts.takeovers += 1;
    host.emit({ type: 'leased', key, epoch, takenOverAfterMs });
    lease.onNews = ({ hasWork, stop }) => {
      if (stop !== undefined && stop === this.#context.turn?.id) this.#context.turn.stop();
      if (hasWork) this.#noteWork();
    };
    lease.onLost = (why) => {
      host.counts.lost += 1;
      host.emit({ type: 'lost', key, epoch, why });
      // The CLI is killed first, because another CLI may already work on the conversation.
      void this.#context.session?.abandon();
      this.#context.turn?.lose();
      this.#noteWork();
    };
    this.#forgetChanges = host.hub.on(key, (kind) => {
      if (kind === 'stop' || kind === undefined) void host.keeper.renew();
      if (kind === 'inbox' || kind === 'answer' || kind === undefined) this.#noteWork();
    });
  }

  /** Whether its CLI could run another turn. */
  get isWarm(): boolean {
    const state = this.#context.session?.session.state;
    return state !== undefined && state !== 'closed' && !this.#context.lease.isLost;
  }

  /** Whether this process no longer has the lease, so that more work needs a new one. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The id of the turn that was worked on last. */
  get turnId(): string {
    return this.#context.turnId();
  }

  /** Milliseconds until the turn that failed is tried again. */
  get retryAfterMs(): number {
    return this.#retryAfterMs;
  }

  /** Works until there is no turn to work on, or until the turn `last` has ended. Never rejects. */
  async work(last?: string): Promise<RunEnd> {
    const { lease } = this.#context;
    this.#lastTurn = last;
    // The next turn, if the end of the previous one has already looked it up.
    let looked: { next: TurnRecord | undefined } | undefined;
    try {
      // A turn that the journal has begun is worked on, even while draining.
      while (!this.#isDraining || looked?.next) {
        const record = looked ? looked.next : await this.#askForTurn();
        looked = undefined;
        if (!record && this.#hasNews) continue;
        if (!record) return 'idle';
        const turn = new TurnRun(this.#context, record);
        this.#context.turn = turn;
        const { telemetry } = this.#host.parts;
        const run = (): Promise<WorkEnd> => turn.run();
        if (lease.isLost) turn.lose();
        // The worker may have been told to hand over or to drain while the journal was looking up the turn.
        if (this.#isHandingOver) turn.handOver();
        else if (this.#isDraining) turn.drain();
        const end = await (telemetry ? telemetry.turn(record, this.#context.conversation, run) : run());
        // Keeps the turn's id, because a background task may call tools after its turn.
        this.#context.turnId();
        this.#context.turn = undefined;
        this.#retryAfterMs = turn.retryAfterMs;
        if (end !== 'ended') return await this.#over(end, turn.leaveBehind());
        this.ended += 1;
        if (record.id === last) return 'idle';
        ({ looked } = turn);
      }
      return 'idle';
    } catch (error) {
      if (!lease.isLost) this.#host.emit({ type: 'trouble', key: this.key, where: 'journal', error });
      await this.#context.abandonSession();
      // If this fails, the turn is found again when the lease has expired.
      if (!lease.isLost) await this.#release();
      return await this.#over(lease.isLost ? 'lost' : 'failed', this.#findLeftBehind());
    }
  }

  async #askForTurn(): Promise<TurnRecord | undefined> {
    const { lease } = this.#context;
    const { journal } = this.#host.parts;
    this.#hasNews = false;
    const record = await lease.write(() => {
      this.#asking = journal.next(lease.fence);
      return this.#asking;
    });
    this.#asking = undefined;
    return record;
  }

  /** Takes no new turn. Leaves the turn under way once no tool call would have to be repeated. */
  drain(): void {
    this.#isDraining = true;
    this.#context.turn?.drain();
  }

  /** Leaves the turn under way at once. */
  handOver(): void {
    this.#isDraining = true;
    this.#isHandingOver = true;
    this.#context.turn?.handOver();
  }

  /** Ends the CLI and gives the lease back. No turn may be under way. */
  async leave(): Promise<void> {
    await this.#context.closeSession();
    await this.#release();
    await this.#over('idle');
  }

  async #release(): Promise<void> {
    try {
      await this.#context.release();
    } catch (error) {
      // If the journal is away, the lease expires.
      if (!this.#context.lease.isLost)
        this.#host.emit({ type: 'trouble', key: this.key, where: 'journal', error });
    }
  }

  /**
   * The turn that a lost lease leaves behind. The journal may have begun a turn, and counted that as a try, although its answer
   * came too late.
   */
  #findLeftBehind(): LeftBehind {
    const { turn } = this.#context;
    if (turn || !this.#asking) return turn?.leaveBehind();
    const { leaseMs } = this.#host.settings;
    return withinTime(this.#asking, leaseMs).then(
      (record) => record && describeCutOff(record, leaseMs, false),
      () => undefined,
    );
  }

  /** Ends the run: the lease, its CLI and its turn are over. */
  async #over(end: RunEnd, left?: LeftBehind): Promise<RunEnd> {
    const { keeper } = this.#host;
    this.#isOver = true;
    this.#forgetChanges();
    keeper.drop(this.#context.lease);
    keeper.giveBack(this.#context.lease, left);
    // Other workers were told that this one has the conversation. It is free now.
    if (end === 'handedOver') await this.#host.wake(this.key, { urgent: true });
    else if (this.#hasNews && end !== 'lost' && end !== 'failed') await this.#host.wake(this.key);
    return end;
  }

  #noteWork(): void {
    this.#hasNews = true;
    this.onWork?.();
  }
}
