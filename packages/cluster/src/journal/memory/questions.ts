// Questions to people and their answers, in the journal in memory.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { QuestionFilter, TenantScope } from '../journal.js';
import type { JournalAnswer, JournalQuestion, NewJournalQuestion } from '../journal-question.js';
import type { Fence } from '../records.js';
import { describeAnswered, kindOfAnswer } from '../answer-deed.js';
import { noteDeed } from './audit.js';
import { addEvent, addTurnEvent } from './events.js';
import { requireFence } from './fence.js';
import { requireTurn, type MemoryState } from './memory-state.js';
import { requireUnderWay } from './under-way.js';

/** The epoch of the lease in which a question was asked last. */
const askedUnder = new WeakMap<JournalQuestion, number>();

/** `Journal.ask`. */
export function askPerson(
  state: MemoryState,
  fence: Fence,
  turn: string,
  question: NewJournalQuestion,
): JournalAnswer | undefined {
  const conversation = requireFence(state, fence);
  requireUnderWay(conversation, requireTurn(conversation, turn));
  const { key, tenant } = conversation;
  const { id, toolName, title, attempt } = question;
  const known = state.questions.get(id);
  if (known && known.conversation !== key) {
    throw new InvalidOptionsError(['id'], `Another conversation has asked a question with the id "${id}"`);
  }
  const answer = known?.answer;
  const kept: JournalQuestion = {
    ...question,
    ...(answer && { answer }),
    askedAt: state.now(),
    conversation: key,
    turn,
    ...(tenant !== undefined && { tenant }),
  };
  state.questions.set(id, kept);
  conversation.questions.set(id, kept);
  askedUnder.set(kept, fence.epoch);
  if (answer) return answer;
  // Asked again, after an answer of the journal that was lost, it is the same question.
  if (known?.attempt === attempt && askedUnder.get(known) === fence.epoch) return undefined;
  addEvent(state, conversation, {
    turn,
    epoch: fence.epoch,
    type: 'question',
    question: id,
    toolName,
    title,
    attempt,
    ...(question.kind === 'pending' && { pending: true as const }),
  });
  state.changes.tell(key, 'question');
  return undefined;
}

/** `Journal.answer`. */
export function answer(
  state: MemoryState,
  id: string,
  given: JournalAnswer,
  { tenant }: TenantScope = {},
): { taken: boolean; key?: string } {
  const question = state.questions.get(id);
  if (!question || (tenant !== undefined && question.tenant !== tenant)) return { taken: false };
  const { conversation: key, turn: turnId } = question;
  const conversation = state.conversations.get(key);
  if (question.answer || !conversation) return { taken: false, key };
  question.answer = { ...given, answeredAt: state.now() };
  const { behavior } = given.result ?? { behavior: 'deny' };
  addEvent(state, conversation, {
    turn: turnId,
    epoch: 0,
    type: 'answer',
    question: id,
    behavior,
    by: given.by,
  });
  const what = kindOfAnswer(question, given);
  const facts = describeAnswered(what, question, given);
  noteDeed(state, { what, by: given.by, turn: turnId, question: id, ...facts }, conversation);
  state.changes.tell(key, 'answer');
  const turn = requireTurn(conversation, turnId);
  if (turn.state === 'parked') {
    turn.state = 'running';
    addTurnEvent(state, conversation, turn, 0);
    state.changes.tell(key, 'inbox');
  }
  return { taken: true, key };
}

/** `Journal.withdraw`. */
export function withdraw(state: MemoryState, fence: Fence, id: string): void {
  const conversation = requireFence(state, fence);
  if (state.questions.get(id)?.conversation !== conversation.key) return;
  state.questions.delete(id);
  conversation.questions.delete(id);
  conversation.updatedAt = state.now();
  state.changes.tell(conversation.key, 'answer');
}

/** `Journal.questions`. */
export function listQuestions(
  state: MemoryState,
  { id, key, tenant, answered = false, after, limit }: QuestionFilter = {},
): JournalQuestion[] {
  const isWanted = (question: JournalQuestion): boolean =>
    (id === undefined || question.id === id) &&
    (tenant === undefined || question.tenant === tenant) &&
    (answered || !question.answer);
  const all = key === undefined ? state.questions : state.conversations.get(key)?.questions;
  const sorted = [...(all?.values() ?? [])].sort((one, other) => one.askedAt - other.askedAt);
  return dropUpTo(sorted, after).filter(isWanted).slice(0, limit);
}

function dropUpTo(sorted: JournalQuestion[], after: QuestionFilter['after']): JournalQuestion[] {
  if (!after) return sorted;
  const at = sorted.findIndex(({ id, askedAt }) => id === after.id && askedAt === after.askedAt);
  if (at >= 0) return sorted.slice(at + 1);
  // The question to begin after is gone, or was asked again.
  return sorted.filter(({ askedAt }) => askedAt >= after.askedAt);
}
