// What a person is writing on a card. Kept by question for as long as the tab is open, so that events, views, lost connections
// and a reload take nothing away.
import { signal, type Signal } from '@preact/signals';
import { createDraft, withJson, type FormDraft } from '../../model/form/form-draft.js';
import { initialObject } from '../../model/form/initial-value.js';
import type { Question } from '../../stream/question.js';
import type { KeptTexts } from '../store/kept-texts.js';
import type { Store } from '../store/store.js';
import type { CardDraft } from './card-draft-type.js';
import { restoreDraft } from './kept-drafts.js';

const ofStores = new WeakMap<Store, Map<string, Signal<CardDraft>>>();

/** The draft of a question; made when it is first asked for. */
export function draftOf(store: Store, question: Question): Signal<CardDraft> {
  let known = ofStores.get(store);
  if (!known) ofStores.set(store, (known = new Map()));
  const key = questionKey(question);
  let draft = known.get(key);
  if (!draft) known.set(key, (draft = signal(restoreDraft(keptByTab, question, beginDraft(question)))));
  return draft;
}

/** Where a tab keeps what must not outlive it. Named without the browser's types: drafts are also tested outside of one. */
export const keptByTab = (): KeptTexts =>
  (globalThis as unknown as { sessionStorage: KeptTexts }).sessionStorage;

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
