// One answer of a chat. The messages of its turn become chunks in a log, with or without readers. While the answer only waits
// for people, the HTTP responses that stream it end, except for readers that follow. The answer is not over then.
import type { CutOffAnswer } from '../history/recorded-answer.js';
import { answerIdOf } from '../stream/to-ui-stream.js';
import { AnswerTranslator } from '../stream/answer-translator.js';
import type { AnswerFacts } from '../stream/answer-facts.js';
import type { ApprovalFacts } from '../stream/tool-calls.js';
import type { UiStreamOptions } from '../stream/ui-stream-options.js';
import { createQuietDeferred } from '@inboard/core/util/deferred.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import { ChunkLog } from './chunk-log.js';
import type { LogFiles } from '@inboard/core/util/queues/numbered-log.js';

/**
 * While calls are at work, the wait for quiet is this many times as long, because a further question or a result may come soon.
 */
const PATIENCE = 8;

/** The turn of an answer, and how the answer is kept and streamed. */
export interface ChatRunInput {
  turn: Turn;
  /** The id that the page gave to the user's message. Undefined for a turn that is continued after a restart. */
  userMessageId: string | undefined;
  /** Stops the turn, whether it is running or still waiting. */
  stop: () => void;
  /** An answer with an open question counts as waiting after this many milliseconds without a chunk. */
  settleMs: number;
  /** The part of the answer that was saved before a restart. Readers get it first. */
  before?: CutOffAnswer | undefined;
  folder: LogFiles;
  onLost: (cause: unknown) => void;
  options: UiStreamOptions;
}

/** One answer. Its chat removes it. */
export class ChatRun {
  readonly messageId: string;
  readonly userMessageId: string | undefined;
  readonly log: ChunkLog;
  readonly #turn: Turn;
  readonly #translator: AnswerTranslator;
  readonly #stop: () => void;
  readonly #settleMs: number;
  readonly #over = createQuietDeferred<void>();
  /** For each question, by its id: the number of the log entry that asks it. */
  readonly #asked = new Map<string, number>();
  readonly #open = new Set<string>();
  /** Questions that are not in the log yet, because the messages with their calls may not have been read. */
  readonly #toAsk = new Map<string, ApprovalFacts>();
  /** The number of the last log entry, for each time that responses ended early. */
  readonly #pauses: number[] = [];
  /** The number of the last log entry from before a restart. */
  readonly #lastBefore: number;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #isWaiting = false;
  #isLeft = false;
  isOver = false;
  /** Whether somebody has stopped the answer. Its questions do not come again. */
  isStopped = false;

  constructor({ turn, userMessageId, stop, settleMs, before, folder, onLost, options }: ChatRunInput) {
    this.#settleMs = settleMs;
    this.#turn = turn;
    this.#stop = stop;
    this.messageId = answerIdOf(turn.uuid);
    this.userMessageId = userMessageId;
    this.log = new ChunkLog(folder, turn.uuid, onLost);
    this.#translator = new AnswerTranslator((chunk) => {
      this.log.append(chunk);
      this.#settle();
    }, options);
    before?.tell(this.#translator);
    this.#lastBefore = this.log.last;
    void this.#pump();
  }

  /** Whether the answer can go on only after people have answered. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Settles when the answer is over. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Whether the readers of this answer know a call. */
  hasCall(id: string): boolean {
    return this.#translator.calls.has(id);
  }

  /** Whether the turn began before a restart of this process. The CLI may then repeat earlier questions. */
  get isContinued(): boolean {
    return this.userMessageId === undefined;
  }

  /** How far a page has read the log, judged by the questions that it knows. */
  placeBehind(approvalIds: readonly string[]): number {
    const known = approvalIds.flatMap((id) => this.#asked.get(id) ?? []);
    // A page that posts a message of before a restart has what was saved of it.
    if (known.length === 0) return approvalIds.length > 0 ? this.#lastBefore : 0;
    const last = Math.max(...known);
    return this.#pauses.find((pause) => pause >= last) ?? last;
  }

  ask(facts: ApprovalFacts): void {
    if (this.isOver) return;
    this.#open.add(facts.approvalId);
    this.#toAsk.set(facts.approvalId, facts);
    // The CLI sends a message with the call before it asks about the call. If that message is not read yet, it is read before
    // this timer fires.
    setTimeout(() => this.#put(facts.approvalId), 0);
  }

  answered(facts: AnswerFacts): void {
    this.#put(facts.approvalId);
    this.#close(facts.approvalId, () => this.#translator.calls.answered(facts));
  }

  /** Notes that a question no longer needs an answer. */
  withdrawn(approvalId: string): void {
    this.#put(approvalId);
    this.#close(approvalId, () => {});
  }

  /** Notes that another process goes on with the answer. Readers are told no failure when the turn ends here. */
  leave(): void {
    this.#isLeft = true;
  }

  stop(): void {
    this.isStopped = true;
    this.#stop();
  }

  remove(): void {
    clearTimeout(this.#settling);
    this.log.remove();
  }

  #put(approvalId: string): void {
    const facts = this.#toAsk.get(approvalId);
    if (!this.#toAsk.delete(approvalId) || !facts || this.isOver) return;
    const { last } = this.log;
    this.#translator.calls.ask(facts);
    // A question that is asked again need not be in the log again.
    if (this.log.last > last || !this.#asked.has(approvalId)) this.#asked.set(approvalId, this.log.last);
    this.#settle();
  }

  #close(approvalId: string, tell: () => void): void {
    if (!this.#open.delete(approvalId)) return;
    this.#isWaiting = false;
    if (!this.isOver) tell();
    this.#settle();
  }

  /** If a question is open, waits for quiet. After that the answer counts as waiting, unless a part is being written. */
  #settle(): void {
    clearTimeout(this.#settling);
    this.#isWaiting = false;
    if (this.isOver || this.#open.size === 0) return;
    const quietMs = this.#settleMs * (this.#translator.calls.isAtWork ? PATIENCE : 1);
    this.#settling = setTimeout(() => {
      if (this.isOver || this.#open.size === 0 || this.#translator.isWriting) return;
      this.#isWaiting = true;
      this.#pauses.push(this.log.last);
      this.log.wake();
    }, quietMs);
  }

  async #pump(): Promise<void> {
    try {
      for await (const message of this.#turn) this.#translator.take(message);
      this.#translator.measure(await this.#turn.outcome());
      this.#finish(() => this.#translator.end());
    } catch (error) {
      this.#finish(() =>
        this.#isLeft
          ? this.#translator.leave(error, this.#open.size > 0)
          : this.#translator.fail(error),
      );
    }
  }

  /**
   * Marks the answer as over before the last chunk is written. A page that reads this chunk may send the next message at once.
   */
  #finish(tell: () => void): void {
    this.isOver = true;
    this.#isWaiting = false;
    clearTimeout(this.#settling);
    tell();
    this.log.end();
    this.#over.resolve();
  }
}
