// The state that the turns of a conversation share while this process has its lease: the CLI and the transcript. It also gives
// the lease back.
import type { LeftTurn } from '../../journal/journal.js';
import type { ConversationRecord } from '../../journal/records.js';
import type { AgentSession } from '../session/agent-session.js';
import type { HeldLease } from '../host/held-lease.js';
import { createLeaseStore, type LeaseStore } from '../session/lease-store.js';
import { PendingWaits } from '../session/pending-waits.js';
import type { LeftBehind } from '../host/lost-leases.js';
import type { SessionTurns } from '../session/session-turns.js';
import type { WorkHost } from '../host/work-host.js';

/** The turn under way, as other parts see it. */
export interface TurnUnderWay {
  readonly id: string;
  /** Called when calls or questions have changed. */
  review(): void;
  stop(): void;
  lose(): void;
  drain(): void;
  handOver(): void;
  /** The turn as it is left behind when the lease is lost. */
  leaveBehind(): LeftBehind;
}

/** A conversation under a lease. */
export class RunContext implements SessionTurns {
  readonly host: WorkHost;
  readonly lease: HeldLease;
  readonly conversation: ConversationRecord;
  readonly store: LeaseStore;
  readonly pendings: PendingWaits;
  session: AgentSession | undefined;
  turn: TurnUnderWay | undefined;
  /**
   * Called when the turn under way ends. Returns whether this process takes the next turn. If so, all hints up to then count
   * as dealt with.
   */
  takesNext: () => boolean = () => false;
  #lastTurnId = '';

  constructor(host: WorkHost, lease: HeldLease, conversation: ConversationRecord) {
    this.host = host;
    this.lease = lease;
    this.conversation = conversation;
    const { journal } = host.parts;
    this.pendings = new PendingWaits({ journal, lease, hub: host.hub, turns: this });
    this.store = createLeaseStore(journal, lease, this.pendings);
  }

  turnId(): string {
    if (this.turn) this.#lastTurnId = this.turn.id;
    return this.#lastTurnId;
  }

  review(): void {
    this.turn?.review();
  }

  async closeSession(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    await session?.close();
  }

  async abandonSession(): Promise<void> {
    const { session } = this;
    this.session = undefined;
    await session?.abandon();
  }

  /** Gives the lease back. False if it is lost. */
  async release(left?: LeftTurn): Promise<boolean> {
    const { host, lease } = this;
    const { fence } = lease;
    const isReleased = await lease.write(() => host.parts.journal.release(fence, left));
    host.keeper.drop(lease);
    if (isReleased) host.emit({ type: 'released', key: fence.key, epoch: fence.epoch });
    return isReleased;
  }
}
