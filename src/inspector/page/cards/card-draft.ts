// What a person is writing on a card. Kept by question for as long as the page is open, so that events, views and lost
// connections take nothing away.
import { signal, type Signal } from '@preact/signals';
import { createDraft, withJson, type FormDraft } from '../../model/form/form-draft.js';
import { initialObject } from '../../model/form/initial-value.js';
import type { ActionError } from '../../model/page-contract.js';
import type { Question } from '../../stream/question.js';
import type { Store } from '../store/store.js';

/** What was chosen for one of the model's questions. */
export interface Picked {
  labels: readonly string[];
  /** In the person's own words. */
  own: string;
}

/** A card in the middle of being answered. */
export interface CardDraft {
  /** The input, or the values that are asked for. */
  form: FormDraft;
  /** By the place of the question. */
  picks: Readonly<Record<number, Picked>>;
  /** Which suggestions "allow always" takes. */
  remember: readonly number[];
  isDenying: boolean;
  reason: string;
  stopsTurn: boolean;
  /** Whether somebody tried to send it: from then on missing fields are named. */
  isTried: boolean;
  /** `sent` is answered, and the server has not taken it off the list yet. */
  state: 'open' | 'sending' | 'sent';
  error: ActionError | undefined;
}

const books = new WeakMap<Store, Map<string, Signal<CardDraft>>>();

/** The draft of a question; made when it is first asked for. */
export function draftOf(store: Store, question: Question): Signal<CardDraft> {
  let book = books.get(store);
  if (!book) books.set(store, (book = new Map()));
  const key = questionKey(question);
  let draft = book.get(key);
  if (!draft) book.set(key, (draft = signal(beginDraft(question))));
  return draft;
}

/** Names a question among those of all sessions. */
export function questionKey({ session, id }: Pick<Question, 'session' | 'id'>): string {
  return `${session} ${id}`;
}

function beginDraft(question: Question): CardDraft {
  return {
    form: beginForm(question),
    picks: {},
    // One suggestion needs no choice; of several, none is taken that nobody looked at.
    remember: question.suggestions.length === 1 ? [0] : [],
    isDenying: false,
    reason: '',
    stopsTurn: false,
    isTried: false,
    state: 'open',
    error: undefined,
  };
}

function beginForm({ kind, input, hidden, schema }: Question): FormDraft {
  switch (kind) {
    case 'elicitation':
      return createDraft(schema ? initialObject(schema) : {});
    case 'dialog':
      return schema ? createDraft(initialObject(schema)) : withJson(createDraft({}));
    default:
      return createDraft(input, hidden);
  }
}
