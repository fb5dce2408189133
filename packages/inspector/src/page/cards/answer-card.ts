// Sends the decision of a person, once. If that fails, the card stays open and shows the error.
import type { Signal } from '@preact/signals';
import { readDraft, withRevealed } from '../../model/form/form-draft.js';
import type { ActionResult } from '../../model/page-contract.js';
import type { Decision, Question } from '../../stream/question.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { Store } from '../store/store.js';
import { planNextCard } from './card-keys.js';
import type { CardDraft } from './card-draft-type.js';
import { draftOf, keptByTab, questionKey } from './card-draft.js';
import { keepDraft } from './kept-drafts.js';

/** What the parts of a card share. */
export interface CardUse {
  store: Store;
  question: Question;
  draft: Signal<CardDraft>;
  /** Changes fields of the draft. */
  set: (change: Partial<CardDraft>) => void;
  answer: (decision: Decision) => void;
  reveal: () => void;
}

/** The questions that were answered on this page. The page does not announce who answered them. */
export const answeredHere = new Set<string>();

/** The draft of a question, and the functions that change and send it. After an answer, the focus moves to the next card. */
export function cardOf(store: Store, question: Question): CardUse {
  const draft = draftOf(store, question);
  const set = (change: Partial<CardDraft>): void => {
    draft.value = { ...draft.value, ...change };
    keepDraft(keptByTab, question, draft.value, store.questions.value);
  };
  const answer = async (decision: Decision): Promise<void> => {
    // A second click may come before the page is drawn again.
    if (draft.value.state !== 'open') return;
    const { session, id } = question;
    const goOn = planNextCard(id);
    set({ state: 'sending', error: undefined });
    answeredHere.add(questionKey(question));
    const result = await act(() => store.source.act({ action: 'answer', session, id, decision }));
    if (result.ok) {
      set({ state: 'sent' });
      goOn();
      return;
    }
    answeredHere.delete(questionKey(question));
    set({ state: 'open', error: result.error });
  };
  const reveal = async (): Promise<void> => {
    const { session, id } = question;
    const result = await act(() => store.source.act({ action: 'reveal', session, id }));
    if (!result.ok) set({ error: result.error });
    else if (isRecord(result.result)) set({ form: withRevealed(draft.value.form, result.result) });
  };
  return {
    store,
    question,
    draft,
    set,
    answer: (decision) => {
      void answer(decision);
    },
    reveal: () => {
      void reveal();
    },
  };
}

/** Runs an action; gives a failed result if it throws. */
export async function act(run: () => Promise<ActionResult>): Promise<ActionResult> {
  try {
    return await run();
  } catch (error) {
    const message = `The server cannot be reached (${error instanceof Error ? error.message : String(error)}). Nothing was lost: try again.`;
    return { ok: false, error: { code: 'UNREACHABLE', message } };
  }
}

/** Sends the values of a form, or shows what is wrong with them. */
export function submitForm({ question, draft, set, answer }: CardUse): void {
  const { value, issues, mistake } = readDraft(draft.value.form, question.schema);
  set({ isTried: true });
  if (issues.length === 0 && !mistake) answer({ kind: 'submit', content: value });
}

/** Whether a person has changed the input on the card. */
export function isEdited({ draft }: CardUse): boolean {
  const { form } = draft.value;
  return form.json !== undefined || form.value !== form.original || Object.keys(form.texts).length > 0;
}

/** Allows a call, with the edits. An input without edits is sent as it is, even if it does not fit the schema. */
export function allowCall({ question, draft, set, answer }: CardUse, isAlways: boolean): void {
  const { edits, issues, mistake } = readDraft(draft.value.form, question.schema);
  const isTouched = edits.length > 0 || Object.keys(draft.value.form.texts).length > 0;
  set({ isTried: true });
  if (mistake || (isTouched && issues.length > 0)) return;
  answer({
    kind: 'allow',
    ...(edits.length > 0 && { edits }),
    ...(isAlways && { remember: draft.value.remember }),
  });
}
