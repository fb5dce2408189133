// Follows whether a live CLI in a session group is working. While all its open requests wait for a person, its slot is lent to
// others. An answer that lets the CLI go on is held until the CLI has a slot again, so that the group's limit is kept.
import { isThenable } from '../util/guards.js';
import { onAbort } from '../util/on-abort.js';
import { LEFT_OPEN, type AnswerContext, type Answerer } from '../wire/protocol/answer.js';

/** The slot of a conversation: its place among those that may run at the same time. */
export interface TurnSlot {
  /** Gives the slot to others. Does nothing if no turn runs. */
  lend(): void;
  /** Resolves when the conversation has a slot again or needs none any more. Never rejects. */
  regain(): Promise<void>;
}

/** How long a callback may take before it counts as waiting for a person. A callback that decides by itself is faster. */
const PATIENCE_MS = 500;

/** A request of the CLI that is not answered yet. */
interface OpenRequest {
  /** How many answers of persons the request waits for. At 0, this process works on it. */
  waits: number;
}

/** One per live CLI of a group. */
export class SlotWatch {
  readonly #slot: TurnSlot;
  readonly #open = new Map<string, OpenRequest>();
  #isLent = false;
  #isStopped = false;
  #regaining: Promise<void> | undefined;

  constructor(slot: TurnSlot) {
    this.#slot = slot;
  }

  /** Leaves the slot alone from now on, because the CLI is gone and its open requests go on without it. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Wraps an answerer whose answers are work of this process. */
  work(answer: Answerer): Answerer {
    return (request, context) => {
      const { requestId } = context;
      this.#open.set(requestId, { waits: 0 });
      const done = (): void => {
        this.#open.delete(requestId);
        this.#lendIfIdle();
      };
      try {
        const given = answer(request, context);
        if (isThenable(given)) return Promise.resolve(given).finally(done);
        done();
        return given;
      } catch (error) {
        done();
        throw error;
      }
    };
  }

  /** Wraps an answerer that may ask a person. */
  person(answer: Answerer): Answerer {
    return (request, context) => {
      const given = answer(request, context);
      return isThenable(given) ? this.#follow(given, context) : given;
    };
  }

  /** Waits for an answer of a person that a tool needs, and then for a slot. The request `requestId` called the tool. */
  async wait<T>(requestId: string, answer: PromiseLike<T>): Promise<T> {
    const request = this.#open.get(requestId);
    if (!request) return await answer;
    this.#beginWait(request);
    try {
      return await answer;
    } finally {
      request.waits -= 1;
      // A cancelled call has been answered already and does not go on, so it needs no slot.
      if (this.#open.get(requestId) === request) await this.#regain();
    }
  }

  /**
   * Writes the answer to a question that was left open, once there is a slot. Returns false if the question is no
   * longer open.
   */
  release(requestId: string, write: () => boolean): boolean {
    if (!this.#open.delete(requestId) || !this.#isLent) return write();
    void this.#regain().then(write);
    return true;
  }

  async #follow(given: Promise<unknown>, { requestId, signal }: AnswerContext): Promise<unknown> {
    const request: OpenRequest = { waits: 0 };
    this.#open.set(requestId, request);
    const patience = setTimeout(() => this.#beginWait(request), PATIENCE_MS);
    let isLeftOpen = false;
    try {
      const answer = await given;
      isLeftOpen = answer === LEFT_OPEN;
      return answer;
    } finally {
      clearTimeout(patience);
      if (isLeftOpen) this.#leaveOpen(requestId, request, signal);
      else if (this.#open.delete(requestId)) await this.#regain();
    }
  }

  /** Counts the question as waiting until it is answered by its id or withdrawn. */
  #leaveOpen(requestId: string, request: OpenRequest, signal: AbortSignal): void {
    if (signal.aborted) this.#open.delete(requestId);
    if (!this.#open.has(requestId)) return;
    onAbort(signal, () => this.#open.delete(requestId));
    if (request.waits === 0) this.#beginWait(request);
  }

  #beginWait(request: OpenRequest): void {
    request.waits += 1;
    this.#lendIfIdle();
  }

  #lendIfIdle(): void {
    if (this.#isLent || this.#isStopped || this.#open.size === 0) return;
    for (const { waits } of this.#open.values()) if (waits === 0) return;
    this.#isLent = true;
    this.#slot.lend();
  }

  #regain(): Promise<void> {
    if (!this.#isLent || this.#isStopped) return Promise.resolve();
    this.#regaining ??= this.#slot.regain().then(() => {
      this.#isLent = false;
      this.#regaining = undefined;
    });
    return this.#regaining;
  }
}
