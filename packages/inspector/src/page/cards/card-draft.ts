// Keeps the drafts of cards, by question, for as long as the tab is open. So new events, another view or a lost connection
// lose no draft. What outlives a reload is decided in `kept-drafts.ts`.
import { signal, type Signal } from '@preact/signals';
import { createDraft, withJson, type FormDraft } from '../../model/form/form-draft.js';
import { initialObject } from '../../model/form/initial-value.js';
import type { Question } from '../../stream/question.js';
import type { KeptTexts } from '../store/kept-texts.js';
import type { Store } from '../store/store.js';
import type { CardDraft } from './card-draft-type.js';
import { restoreDraft } from './kept-drafts.js';

const ofStores = new WeakMap<Store, Map<string, Signal<CardDraft>>>();

/** The draft of a question; created at the first call. */
export function draftOf(store: Store, question: Question): Signal<CardDraft> {
  let known = ofStores.get(store);
  if (!known) ofStores.set(store, (known = new Map()));
  const key = questionKey(question);
  let draft = known.get(key);
  if (!draft) known.set(key, (draft = signal(restoreDraft(keptByTab, question, beginDraft(question)))));
  return draft;
}

/** The session storage of the tab. It is accessed without the browser's types, because tests run outside a browser. */
export const keptByTab = (): KeptTexts =>
  (globalThis as unknown as { sessionStorage: KeptTexts }).sessionStorage;

/** A key for a question that is unique over all sessions. */
export function questionKey({ session, id }: Pick<Question, 'session' | 'id'>): string {
  return `${session} ${id}`;
}

function beginDraft(question: Question): CardDraft {
  return {
    form: beginForm(question),
    picks: {},
    // A single suggestion is chosen in advance. Of several, the person must choose.
    remember: question.suggestions.length === 1 ? [0] : [],
    value: '',
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
