// The open questions of a cluster, read from its journal. Each is a card on the page and is answered through the journal,
// which takes the first answer. A pending call is a card, too, but only a program can give it its result.
import { isApproval, type JournalQuestion } from '@inboard/cluster/journal/journal-question.js';
import type { ClusterApproval } from '@inboard/cluster/journal/records.js';
import type { ApprovalAnswer } from '@inboard/core/answer/permissions/approvals/approval.js';
import { checkAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import { checkChangedInput } from '@inboard/core/answer/permissions/approvals/changed-input.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import type { Question } from '../../stream/question.js';
import { ActionRefusal } from '../live/answer-card.js';
import { presentQuestion, readApproval } from '../live/present-question.js';
import type { Card } from '../live/card-registry.js';
import type { VisibleJournal } from './visible-journal.js';

const MOST_QUESTIONS = 1000;

/** A card without a session of this process. */
export type JournalCard = Omit<Card, 'session'>;

/** The questions without an answer. */
export class JournalQuestions {
  readonly #journal: VisibleJournal;
  readonly #redactor: Redactor;
  readonly #canAnswer: boolean;
  #cards = new Map<string, JournalCard>();

  constructor(given: { journal: VisibleJournal; redactor: Redactor; canAnswer: boolean }) {
    this.#journal = given.journal;
    this.#redactor = given.redactor;
    this.#canAnswer = given.canAnswer;
  }

  /** Oldest first. */
  list(): Question[] {
    return Array.from(this.#cards.values(), ({ question }) => question);
  }

  /** Finds a card if its question is still in the journal. Another conversation may have got the same key meanwhile. */
  async find(session: string, id: string): Promise<JournalCard | undefined> {
    const card = this.#cards.get(id);
    if (card?.question.session !== session) return undefined;
    const [open] = await this.#journal.questions({ id, key: session, limit: 1 });
    return open && isOf(card, open) ? card : undefined;
  }

  /** Reads the questions again; gives those that are new or asked again, and those that are settled. */
  async refresh(): Promise<{ asked: Question[]; settled: Pick<Question, 'session' | 'id'>[] }> {
    const before = this.#cards;
    const open = await this.#journal.questions({ limit: MOST_QUESTIONS });
    this.#cards = new Map(
      open.map((approval) => {
        const known = before.get(approval.id);
        return [approval.id, known && isOf(known, approval) ? known : this.#cardOf(approval)];
      }),
    );
    return {
      asked: this.list().filter((question) => before.get(question.id)?.question !== question),
      settled: Array.from(before.values(), ({ question }) => question).filter(
        ({ id }) => !this.#cards.has(id),
      ),
    };
  }

  #cardOf(question: JournalQuestion): JournalCard {
    return isApproval(question) ? this.#approvalCardOf(question) : this.#pendingCardOf(question);
  }

  #pendingCardOf(pending: JournalQuestion): JournalCard {
    const { toolName = 'A program', title: note } = pending;
    const facts = {
      ...readApproval({ ...pending, kind: 'tool' } as ClusterApproval),
      title: `${toolName} is pending`,
      description: note,
      reason: 'Its result comes later, from a program that completes the call: no answer is needed here.',
    };
    const question = presentQuestion(facts, {
      session: pending.conversation,
      redactor: this.#redactor,
      canAnswer: false,
    });
    const settle: Card['settle'] = async () => {
      throw new ActionRefusal('NOT_HERE', 'The call is pending: only a program can complete it.');
    };
    return { facts, question, isRevealed: false, settle };
  }

  #approvalCardOf(approval: ClusterApproval): JournalCard {
    const facts = readApproval(approval);
    const question = presentQuestion(facts, {
      session: approval.conversation,
      redactor: this.#redactor,
      canAnswer: this.#canAnswer,
    });
    const settle: Card['settle'] = async (result, by) => {
      checkAnswer(result);
      await checkChangedInput(approval.id, result);
      // Only the type requires `answeredAt`. The journal stores the time of its own clock.
      const answer = { result, by, answeredAt: Date.now() } as ApprovalAnswer;
      return await this.#journal.answer(approval.id, answer);
    };
    return { facts, question, isRevealed: false, settle };
  }
}

/** Whether a card shows this question as it is asked now, and not an earlier one with the same id. */
function isOf({ facts, question }: JournalCard, approval: JournalQuestion): boolean {
  return (
    question.session === approval.conversation &&
    facts.askedAt === approval.askedAt &&
    facts.attempt === approval.attempt
  );
}
