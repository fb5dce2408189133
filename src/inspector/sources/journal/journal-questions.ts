// The questions of a cluster, from its journal: each a card on the page, answered through the journal, first answer first.
import type { Journal } from '../../../cluster/journal/journal.js';
import type { ClusterApproval } from '../../../cluster/journal/records.js';
import type { ApprovalAnswer } from '../../../answer/permissions/approvals/approval.js';
import type { Redactor } from '../../../record/trace/recorder/redact.js';
import type { Question } from '../../stream/question.js';
import { presentQuestion, readApproval } from '../live/present-question.js';
import type { Card } from '../live/question-desk.js';

const MOST_QUESTIONS = 1000;

/** A card without a session of this process. */
export type JournalCard = Omit<Card, 'session'>;

/** Those without an answer. */
export class JournalQuestions {
  readonly #journal: Journal;
  readonly #redactor: Redactor;
  readonly #canAnswer: boolean;
  #cards = new Map<string, JournalCard>();

  constructor(given: { journal: Journal; redactor: Redactor; canAnswer: boolean }) {
    this.#journal = given.journal;
    this.#redactor = given.redactor;
    this.#canAnswer = given.canAnswer;
  }

  /** Oldest first. */
  list(): Question[] {
    return Array.from(this.#cards.values(), ({ question }) => question);
  }

  find(session: string, id: string): JournalCard | undefined {
    const card = this.#cards.get(id);
    return card?.question.session === session ? card : undefined;
  }

  /** Reads them anew: which are new or were asked again, and which are over. */
  async refresh(
    tenant: string | undefined,
  ): Promise<{ asked: Question[]; settled: Pick<Question, 'session' | 'id'>[] }> {
    const before = this.#cards;
    const open = await this.#journal.questions({ tenant, limit: MOST_QUESTIONS });
    this.#cards = new Map(
      open.map((approval) => {
        const known = before.get(approval.id);
        const isSame = known?.facts.askedAt === approval.askedAt && known.facts.attempt === approval.attempt;
        return [approval.id, isSame ? known : this.#cardOf(approval)];
      }),
    );
    return {
      asked: this.list().filter((question) => before.get(question.id)?.question !== question),
      settled: Array.from(before.values(), ({ question }) => question).filter(
        ({ id }) => !this.#cards.has(id),
      ),
    };
  }

  #cardOf(approval: ClusterApproval): JournalCard {
    const facts = readApproval(approval);
    const question = presentQuestion(facts, {
      session: approval.conversation,
      redactor: this.#redactor,
      canAnswer: this.#canAnswer,
    });
    const settle: Card['settle'] = async (result, by) => {
      // The journal writes its own time down.
      const answer = { result, by, answeredAt: Date.now() } as ApprovalAnswer;
      return (await this.#journal.answer(approval.id, answer)).taken;
    };
    return { facts, question, isRevealed: false, settle };
  }
}
