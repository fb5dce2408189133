// When a turn that waits for nothing but people is put aside, and how: its questions stay in the journal, and its place is free.
import type { EventPublisher } from './event-publisher.js';
import type { RunContext } from './run-context.js';

/** What parking needs of the turn. */
export interface TurnParkingInput {
  context: RunContext;
  turn: string;
  publisher: EventPublisher;
  /** Whether a CLI has the turn, or its calls are completed before that, and it is not over. */
  isUnderWay: () => boolean;
  isStopping: () => boolean;
  /** Whether the worker has to end: then nothing is waited for. */
  isDraining: () => boolean;
  readCost: () => Promise<number>;
  onParked: () => void;
  onHandOver: () => void;
  onFailure: (error: unknown) => void;
}

/** Puts a turn aside. Whoever makes one ends it with the turn. */
export class TurnParking {
  readonly #input: TurnParkingInput;
  #isParking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(input: TurnParkingInput) {
    this.#input = input;
  }

  /** Whether people were asked in this turn: then each word of the CLI may be a reason to wait for them anew. */
  get hasWaited(): boolean {
    return this.#timer !== undefined;
  }

  /** Calls or questions have changed, or the CLI said something: decides whether the turn can be put aside. */
  review(): void {
    clearTimeout(this.#timer);
    const { context, isUnderWay, isDraining, onHandOver } = this.#input;
    const { session, host } = context;
    if (this.#isParking || !session || !isUnderWay() || session.calls.working > 0) return;
    const hasQuestions = session.approvals.open.length > 0;
    if (isDraining()) {
      if (hasQuestions) void this.#park();
      else if (session.calls.heldBack > 0) onHandOver();
    } else if (hasQuestions) {
      this.#timer = setTimeout(() => void this.#park(), host.settings.holdApprovalMs);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  async #park(): Promise<void> {
    const { context, turn, publisher, isUnderWay, isStopping, isDraining } = this.#input;
    const { session, host, lease } = context;
    if (this.#isParking || !isUnderWay() || isStopping() || !session) return;
    this.#isParking = true;
    // An answer that comes now is found by whoever goes on with the turn, or given to this CLI when it is not parked.
    const questions = session.approvals.hold();
    try {
      await publisher.settled();
      const costUsd = await this.#input.readCost();
      const { journal } = host.parts;
      const isParked = await lease.write(() => journal.park(lease.fence, turn, { questions, costUsd }));
      if (isParked) {
        host.emit({ type: 'turn-parked', key: lease.fence.key, turn, questions: questions.length });
        this.#input.onParked();
      } else if (isDraining()) this.#input.onHandOver();
      else {
        session.approvals.goOn();
        // One of them has an answer, and nobody was told.
        host.hub.tell({ key: lease.fence.key, kind: 'answer' });
        this.#isParking = false;
        this.review();
      }
    } catch (error) {
      this.#input.onFailure(error);
    }
  }
}
