// The open questions of all sessions, those of CLIs and those of queues, each once. It also knows who answered them.
import type { WaitingQuestion } from '@inboard/core/answer/permissions/approvals/queue-registry.js';
import type { QuestionOutcome } from '../../stream/inspector-event.js';
import type { Question } from '../../stream/question.js';
import type { OpenQuestion } from '@inboard/core/live/watch/inspected-session.js';
import { describeOutcome } from './decide.js';
import type { LiveSession } from './live-session.js';
import { presentQuestion, type AskedFacts } from './present-question.js';

/** The outcomes that no person or program has chosen. */
const UNDECIDED: ReadonlySet<QuestionOutcome> = new Set(['withdrawn', 'over']);

/** A question on the page, and the facts that only this process knows. */
export interface Card {
  session: LiveSession;
  facts: AskedFacts;
  /** The question as pages see it. */
  question: Question;
  /** Whether a page was shown the real input. */
  isRevealed: boolean;
  /** Answers it; gives false if it was already settled. */
  settle(answer: unknown, by: string): boolean | Promise<boolean>;
  /** Who answered, if a queue knows it. */
  answeredBy?: string | undefined;
}

/** Is called when questions come and go. */
export interface CardListener {
  asked(question: Question): void;
  settled(session: string, id: string): void;
}

/** The questions of one source. */
export class CardRegistry {
  readonly #cards = new Map<string, Card>();
  /** Questions of queues that stand for permission questions of a CLI, by the ids of the CLI's questions. */
  readonly #linked = new Map<string, WaitingQuestion>();
  readonly #listener: CardListener;
  readonly #canAnswer: boolean;

  constructor(listener: CardListener, canAnswer: boolean) {
    this.#listener = listener;
    this.#canAnswer = canAnswer;
  }

  /** Oldest first. */
  list(): Question[] {
    return [...this.#cards.values()].map(({ question }) => question);
  }

  find(session: string, id: string): Card | undefined {
    const card = this.#cards.get(id);
    return card?.session.id === session ? card : undefined;
  }

  has(id: string): boolean {
    return this.#cards.has(id) || [...this.#linked.values()].some(({ question }) => question.id === id);
  }

  /** Adds a question of a session. */
  ask(session: LiveSession, facts: AskedFacts, settle: Card['settle']): Card {
    const { redactor } = session;
    const question = presentQuestion(facts, { session: session.id, redactor, canAnswer: this.#canAnswer });
    const card: Card = { session, facts, question, isRevealed: false, settle };
    this.#cards.set(facts.id, card);
    session.tell({ type: 'asked', t: session.now(), question });
    this.#listener.asked(question);
    return card;
  }

  /** Adds a question of a session's CLI. If a queue keeps the question, the answer goes to the queue. */
  askOfCli(session: LiveSession, facts: AskedFacts, open: OpenQuestion): Card {
    return this.ask(session, facts, (answer, by) => {
      const kept = this.#linked.get(facts.id);
      return kept ? kept.queue.answer(kept.question.id, answer as never, { by }) : open.settle(answer, by);
    });
  }

  /** Notes that a queue keeps the permission question with this id. */
  link(requestId: string, waiting: WaitingQuestion): void {
    this.#linked.set(requestId, waiting);
  }

  /** Notes that the queue has settled the question. The CLI's question ends a moment later. */
  unlink(requestId: string, by: string | undefined): void {
    this.#linked.delete(requestId);
    const card = this.#cards.get(requestId);
    if (card && by !== undefined) card.answeredBy = by;
  }

  /** Adds the schema of the input to a question. */
  complete(card: Card, schema: Record<string, unknown>): void {
    card.facts = { ...card.facts, schema };
    card.question = { ...card.question, schema: card.session.redactor.redactValue(schema) };
    if (this.#cards.get(card.facts.id) === card) this.#listener.asked(card.question);
  }

  /** Removes a settled question. `answer` is undefined if the question was withdrawn. */
  settled(id: string, answer: unknown, by: string | undefined): void {
    const card = this.#cards.get(id);
    if (!card) return;
    this.#cards.delete(id);
    const { session, facts, answeredBy } = card;
    const outcome = describeOutcome(facts, answer);
    const who = UNDECIDED.has(outcome.outcome) ? undefined : (answeredBy ?? by);
    const { message } = outcome;
    session.tell({
      type: 'settled',
      t: session.now(),
      id,
      ...outcome,
      ...(message !== undefined && { message: session.redactor.redactText(message) }),
      ...(who !== undefined && { by: who }),
    });
    this.#listener.settled(session.id, id);
  }

  /** Withdraws all questions of a session that has ended. */
  forget(session: LiveSession): void {
    for (const [id, card] of this.#cards)
      if (card.session === session) this.settled(id, undefined, undefined);
  }
}
