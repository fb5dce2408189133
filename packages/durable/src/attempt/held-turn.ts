// One turn in the session of an attempt or of a worker: how a CLI gets it, what it costs, and how it is stopped. Why the turn is left,
// and what is stored then, is up to its owner.
import { clock } from '@inboard/core/util/system/clock.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { SDKMessage, SDKUserMessage } from '@inboard/core/wire/protocol/messages/messages.js';
import type { HeldSessionStart } from './held-session.js';
import type { HeldTranscripts } from './held-transcripts.js';
import { TurnCostMeter } from './session-cost.js';

/** How long a CLI may take to save the model's last message. */
const SAVE_LIMIT_MS = 2000;
/** How long a CLI may take to end its turn after an interrupt. */
const STOP_LIMIT_MS = 10_000;

export interface HeldTurnInput {
  /** Leaves the turn, which was stopped, because no CLI ends it in time. */
  readonly onStopped: () => void;
  /** What the CLI cost that runs already and may get the turn, in US dollars. */
  readonly totalUsd?: number | undefined;
}

/** One per turn of an attempt or a lease. Its owner ends it. */
export class HeldTurn {
  readonly #onStopped: () => void;
  readonly #cost: TurnCostMeter;
  #session: Session | undefined;
  #handle: Turn | undefined;
  #isContinued = false;
  #isStopping = false;
  #stopTimer: NodeJS.Timeout | undefined;
  /** The uuid of the model's newest message. Its entry in the transcript has the same uuid. */
  #newest: string | undefined;

  constructor({ onStopped, totalUsd }: HeldTurnInput) {
    this.#onStopped = onStopped;
    this.#cost = new TurnCostMeter(totalUsd);
  }

  /** Whether a CLI has the turn: its message was sent, or a CLI goes on with it. */
  get hasCli(): boolean {
    return this.#handle !== undefined;
  }

  /** Whether a CLI has the turn, or its calls are being completed before that. */
  get isUnderWay(): boolean {
    return this.hasCli || this.#isContinued;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Notes the session that gets the turn. `start` is undefined for one whose CLI runs already. */
  open(session: Session, start: HeldSessionStart | undefined): void {
    this.#session = session;
    if (start === 'resumed') this.#cost.begin(session);
  }

  send(session: Session, message: SDKUserMessage): Turn {
    const turn = session.send(message);
    this.#take(turn);
    return turn;
  }

  /**
   * Lets the session go on with the turn. If no CLI did, the turn may have ended without one: a person denied a call and ended the
   * turn with that, or the turn was stopped. `findEnd` reads this from the transcript.
   */
  async continue<End>(
    session: Session,
    findEnd: () => Promise<End | undefined>,
  ): Promise<{ turn: Turn; launched: Promise<void> } | { end: End }> {
    this.#isContinued = true;
    const launching = isLaunched(session);
    if (this.#isStopping) void this.#stop();
    const turn = await session.continued;
    if (turn) {
      // The session may need no CLI for a long time, because calls of the turn wait for people.
      const launched = launching.then((isSo) => {
        if (!isSo) return;
        this.#cost.begin(session);
        this.#take(turn);
      });
      return { turn, launched };
    }
    const end = await findEnd();
    if (end === undefined) throw new Error('The CLI did not continue the turn that was cut off');
    return { end };
  }

  observe(message: SDKMessage): void {
    if (message.type === 'assistant' && message.parent_tool_use_id === null) this.#newest = message.uuid;
  }

  /** Ends the turn on request. A CLI or a completion that has it is asked to. Otherwise, it is left. */
  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    void this.#stop();
  }

  /** US dollars that the turn has cost so far in this session. 0 before it has a CLI. */
  async readCost(): Promise<number> {
    return this.#session && this.#handle ? await this.#cost.read(this.#session) : 0;
  }

  /**
   * Waits until the model's newest message is saved. A call that is not in the transcript is lost with its CLI, although people
   * may have been asked about it.
   */
  async awaitSaved(transcripts: Pick<HeldTranscripts, 'whenSaved'>): Promise<void> {
    if (this.#session?.pid === undefined || this.#newest === undefined) return;
    await transcripts.whenSaved(this.#newest, SAVE_LIMIT_MS);
  }

  end(): void {
    clock.clearTimeout(this.#stopTimer);
  }

  #take(turn: Turn): void {
    this.#handle = turn;
    // What was asked of the session before this may have come too early.
    if (this.#isStopping) void this.#stop();
  }

  async #stop(): Promise<void> {
    const session = this.#session;
    // The transcript is being read, or the agent is being asked, and may never answer.
    if (!session) return this.#onStopped();
    this.#stopTimer ??= clock.setTimeout(this.#onStopped, STOP_LIMIT_MS);
    // This runs again once the message is sent.
    if (!this.isUnderWay) return;
    try {
      if (await this.#handle?.cancel()) this.#onStopped();
      else await session.interrupt();
    } catch {
      this.#onStopped();
    }
  }
}

/** Whether the session gets a CLI. Resolves with false if it ends before. Never rejects. */
async function isLaunched(session: Session): Promise<boolean> {
  try {
    for await (const { type } of session.events()) if (type === 'ready' || type === 'restarted') return true;
  } catch {
    // The error also ends the turn, and is reported there.
  }
  return false;
}
