// What a page may do with a conversation of a cluster: answer, send, interrupt. All of it through the journal; the worker that
// has the conversation, or will have it, does the rest.
import { randomUUID } from 'node:crypto';
import type { Journal } from '../../../cluster/journal/journal.js';
import type { Redactor } from '../../../record/trace/recorder/redact.js';
import { warnOfCallback } from '../../../util/call-listener.js';
import type { Action, ActionResult } from '../../model/page-contract.js';
import { answerCard, describeRefusal, INSPECTOR, Refusal } from '../live/answer-card.js';
import type { JournalCard, JournalQuestions } from './journal-questions.js';

type ConversationAction = Exclude<Action, { action: 'create-link' }>;

/** What actions work on. */
export interface JournalScope {
  journal: Journal;
  questions: JournalQuestions;
  redactor: Redactor;
  wake: ((key: string) => Promise<void>) | undefined;
}

/** Carries out what a page asks for; never rejects. */
export async function actOnConversation(
  action: ConversationAction,
  scope: JournalScope,
): Promise<ActionResult> {
  try {
    const result = await carryOut(action, scope);
    return { ok: true, ...(result !== undefined && { result }) };
  } catch (error) {
    return { ok: false, error: describeRefusal(error, scope.redactor) };
  }
}

async function carryOut(action: ConversationAction, scope: JournalScope): Promise<unknown> {
  const { journal, questions } = scope;
  const { session } = action;
  switch (action.action) {
    case 'answer':
      await answerCard(findCard(questions, action), action.decision);
      await wake(scope, session);
      return undefined;
    case 'reveal': {
      const card = findCard(questions, action);
      card.isRevealed = true;
      return card.facts.input;
    }
    case 'send':
      await journal.enqueue({ key: session, id: `${INSPECTOR}-${randomUUID()}`, content: action.text });
      await wake(scope, session);
      return undefined;
    case 'interrupt':
      if (!(await journal.interrupt(session)))
        throw new Refusal('NO_TURN', 'No turn of this conversation is under way.');
      return undefined;
    default:
      throw new Refusal('NOT_HERE', 'This can only be done in the process that runs the conversation.');
  }
}

/** It is found without that, a moment later. */
async function wake({ wake: call }: JournalScope, key: string): Promise<void> {
  await call?.(key).catch((cause: unknown) => warnOfCallback('inspect wake', cause));
}

function findCard(
  questions: JournalQuestions,
  { session, id }: { session: string; id: string },
): JournalCard {
  const card = questions.find(session, id);
  if (!card) throw new Refusal('QUESTION_OVER', 'The question was answered or withdrawn already.');
  return card;
}
