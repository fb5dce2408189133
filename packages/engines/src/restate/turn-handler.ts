// The handler of a turn: attempts, and the waits between them. It runs again from its start whenever Restate resumes it, with what its
// calls gave before, so it does nothing that could be different the second time.
import { pauseBefore } from '@inboard/core/util/back-off.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import { checkTurn, type EngineTurn } from '../turn/engine-turn.js';
import { readKeptOutcome } from '../turn/stored-outcome.js';
import type { AttemptReply, AttemptRequest } from './attempt-handler.js';
import { FOREIGN_JSON, json } from './json-serde.js';
import { readGivenAnswer, STATE, type KeptTurn } from './kept-turn.js';
import type { Awakeable, DurablePromise, ExclusiveContext, RestateLibrary } from './restate-library.js';

/** How often a pending call is looked for whose completion nobody told. Each look makes the journal longer, so they become rarer. */
const LOOKS = { firstMs: 60_000, longestMs: 3_600_000 };

type Wait = { answer: QuestionAnswer | undefined; id: string } | 'woken' | 'time';

interface OpenQuestion {
  question: ApprovalQuestion;
  awakeable: Awakeable<unknown>;
}

/** Works on a turn until it has ended. Cancelling it ends the turn as a person's interruption. */
export async function handleTurn(
  library: RestateLibrary,
  name: string,
  context: ExclusiveContext,
  input: unknown,
): Promise<AttemptOutcome> {
  const turn: unknown = isRecord(input) ? { ...input, conversation: context.key } : input;
  checkTurn(`The turn of "${name}"`, turn);
  return await new TurnWork(library, name, context, turn).run();
}

class TurnWork {
  readonly #library: RestateLibrary;
  readonly #name: string;
  readonly #context: ExclusiveContext;
  readonly #turn: EngineTurn;
  readonly #answers: QuestionAnswer[] = [];
  #open: OpenQuestion[] = [];
  #pending: AwaitedCall[] = [];
  /** Made before the attempts, so that a wake that comes during an attempt is not lost. */
  #wake: Awakeable<unknown>;
  #attempt: DurablePromise<AttemptReply> | undefined;
  #turnCostUsd = 0;
  #looks = 0;

  constructor(library: RestateLibrary, name: string, context: ExclusiveContext, turn: EngineTurn) {
    this.#library = library;
    this.#name = name;
    this.#context = context;
    this.#turn = turn;
    this.#wake = context.awakeable(FOREIGN_JSON);
  }

  async run(): Promise<AttemptOutcome> {
    const { TerminalError } = this.#library;
    try {
      const outcome = await this.#untilEnded(() => this.#work({}));
      this.#context.clear(STATE);
      return outcome;
    } catch (error) {
      // After any other error the turn is retried, with what is in the journal.
      if (error instanceof TerminalError) this.#context.clear(STATE);
      throw error;
    }
  }

  /** Works on the turn. A cancellation stops it, and so does a second one that comes while it is being stopped. */
  async #untilEnded(work: () => Promise<AttemptOutcome>): Promise<AttemptOutcome> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof this.#library.CancelledError) return await this.#untilEnded(() => this.#stop());
      throw error;
    }
  }

  async #work(how: Pick<AttemptRequest, 'stop'>): Promise<AttemptOutcome> {
    for (;;) {
      this.#keep();
      const reply = await this.#makeAttempt(how);
      if (reply.state === 'ended') return this.#price(reply.outcome);
      if (reply.state === 'busy') await this.#context.sleep(reply.forMs);
      else await this.#wait(reply);
    }
  }

  #makeAttempt(how: Pick<AttemptRequest, 'stop'>): DurablePromise<AttemptReply> {
    const parameter: AttemptRequest = { turn: this.#turn, answers: this.#answers, ...how };
    this.#attempt = this.#context.genericCall({
      service: this.#name,
      method: 'attempt',
      key: this.#context.key,
      parameter,
      inputSerde: json<unknown>(),
      outputSerde: json<AttemptReply>(),
    });
    return this.#attempt;
  }

  /** Waits for what lets the turn go on. */
  async #wait({
    questions,
    pending,
    turnCostUsd,
  }: Extract<AttemptReply, { state: 'waiting' }>): Promise<void> {
    this.#attempt = undefined;
    this.#turnCostUsd += turnCostUsd;
    this.#pending = pending;
    this.#open = questions.map((question) => ({
      question,
      awakeable: this.#find(question.id)?.awakeable ?? this.#context.awakeable(FOREIGN_JSON),
    }));
    for (;;) {
      this.#keep();
      const wait = await this.#library.RestatePromise.race<Wait>([
        ...this.#open.map(({ question: { id }, awakeable }) =>
          awakeable.promise.map((value, failure): Wait => ({
            id,
            answer: readGivenAnswer(id, value, failure),
          })),
        ),
        this.#wake.promise.map((): Wait => 'woken'),
        // People's answers wake the turn. So a turn that waits only for them needs no time.
        ...(pending.length > 0
          ? [this.#context.sleep(pauseBefore(this.#looks, LOOKS)).map((): Wait => 'time')]
          : []),
      ]);
      if (this.#settle(wait)) return;
    }
  }

  /** Whether the next attempt can be made. */
  #settle(wait: Wait): boolean {
    if (wait === 'time') this.#looks += 1;
    else if (wait === 'woken') {
      this.#wake = this.#context.awakeable(FOREIGN_JSON);
      this.#looks = 0;
    } else {
      const { id, answer } = wait;
      const question = this.#find(id);
      if (!answer && question) {
        // Somebody sent something else to the awakeable. The question gets another.
        question.awakeable = this.#context.awakeable(FOREIGN_JSON);
        return false;
      }
      this.#open = this.#open.filter((each) => each !== question);
      if (answer) this.#answers.push(answer);
    }
    return true;
  }

  /** Ends the turn. An attempt that ran when it was cancelled is cancelled as well, and has the outcome. */
  async #stop(): Promise<AttemptOutcome> {
    this.#open = [];
    this.#pending = [];
    // The promise itself stays rejected.
    const reply = await this.#attempt?.map((value) => value);
    if (reply?.state === 'ended') return this.#price(reply.outcome);
    return await this.#work({ stop: true });
  }

  #find(id: string): OpenQuestion | undefined {
    return this.#open.find(({ question }) => question.id === id);
  }

  #price(outcome: AttemptOutcome): AttemptOutcome {
    const kept = readKeptOutcome(outcome);
    return { ...kept, turnCostUsd: this.#turnCostUsd + kept.turnCostUsd };
  }

  /** Lets the other handlers know what is open. */
  #keep(): void {
    const questions = this.#open.map(({ question, awakeable }) => ({
      ...question,
      turn: this.#turn.id,
      awakeable: awakeable.id,
    }));
    this.#context.set(STATE, { wake: this.#wake.id, questions, pending: this.#pending } satisfies KeptTurn);
  }
}
