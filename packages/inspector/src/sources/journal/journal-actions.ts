// Carries out the actions of a page on a conversation of a cluster: answer, reveal, send, interrupt. All go through the
// journal; the worker that has the conversation, or the next one, does the rest.
import { randomUUID } from 'node:crypto';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { warnOfCallback } from '@inboard/core/util/call-listener.js';
import type { Action, ActionResult } from '../../model/page-contract.js';
import { answerCard, describeRefusal, INSPECTOR, ActionRefusal } from '../live/answer-card.js';
import type { JournalCard, JournalQuestions } from './journal-questions.js';
import type { VisibleJournal } from './visible-journal.js';

type ConversationAction = Exclude<Action, { action: 'create-link' }>;

/** What actions work on. */
export interface JournalScope {
  journal: VisibleJournal;
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
  // This is checked first, so that an action on a conversation of another tenant fails like one on an unknown conversation.
  if (!(await journal.conversation(session)))
    throw new ActionRefusal('CONVERSATION_UNKNOWN', 'There is no such conversation, or no longer.');
  switch (action.action) {
    case 'answer':
      await answerCard(await findCard(questions, action), action.decision);
      await wake(scope, session);
      return undefined;
    case 'reveal': {
      const card = await findCard(questions, action);
      card.isRevealed = true;
      return card.facts.input;
    }
    case 'send':
      await journal.send(session, { id: `${INSPECTOR}-${randomUUID()}`, content: action.text }, INSPECTOR);
      await wake(scope, session);
      return undefined;
    case 'interrupt':
      if (!(await journal.interrupt(session, INSPECTOR)))
        throw new ActionRefusal('NO_TURN', 'No turn of this conversation is under way.');
      return undefined;
    default:
      throw new ActionRefusal('NOT_HERE', 'This can only be done in the process that runs the conversation.');
  }
}

/** Wakes a worker. If that fails, the next sweep finds the conversation a moment later. */
async function wake({ wake: call }: JournalScope, key: string): Promise<void> {
  await call?.(key).catch((cause: unknown) => warnOfCallback('inspect wake', cause));
}

async function findCard(
  questions: JournalQuestions,
  { session, id }: { session: string; id: string },
): Promise<JournalCard> {
  const card = await questions.find(session, id);
  if (!card) throw new ActionRefusal('QUESTION_OVER', 'The question was answered or withdrawn already.');
  return card;
}
