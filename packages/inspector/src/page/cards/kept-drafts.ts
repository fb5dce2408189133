// Keeps the drafts of cards in the tab over a reload: only what the person wrote, never values that were revealed.
import { isRecord } from '@inboard/core/util/guards.js';
import { withJson, type FormDraft } from '../../model/form/form-draft.js';
import { applyEdits, diffEdits } from '../../model/form/input-edits.js';
import type { InputEdit, Question } from '../../stream/question.js';
import type { KeptTexts } from '../store/kept-texts.js';
import type { CardDraft } from './card-draft-type.js';

const KEY = 'inboard-drafts';

/** The part of a draft that is kept. Of the input, only the changes are kept. */
interface KeptDraft extends Pick<
  CardDraft,
  'picks' | 'remember' | 'value' | 'isDenying' | 'reason' | 'stopsTurn'
> {
  /** Tells apart two questions with the same id, which a restart of the program may cause. */
  askedAt: number;
  form: { edits: InputEdit[]; texts: FormDraft['texts']; json: string | undefined } | undefined;
}

/** Keeps the draft of a question, or removes it once the answer was sent. Also removes drafts of questions that are over. */
export function keepDraft(
  kept: () => KeptTexts,
  question: Question,
  draft: CardDraft,
  waiting: readonly Question[],
): void {
  const now = readAll(kept);
  const all = Object.fromEntries(
    [...waiting, question].map(keyOf).flatMap((key) => (Object.hasOwn(now, key) ? [[key, now[key]]] : [])),
  );
  delete all[keyOf(question)];
  const { state, form, picks, remember, value, isDenying, reason, stopsTurn } = draft;
  if (state !== 'sent') {
    const { askedAt } = question;
    const words = { picks, remember, value, isDenying, reason, stopsTurn };
    const fields: KeptDraft = { askedAt, ...words, form: undefined };
    // A form in which secrets were revealed is not kept, because edits may have moved them anywhere. The form of an
    // elicitation is not kept, because its values may be passwords.
    if (question.kind !== 'elicitation' && form.hidden.length === question.hidden.length)
      fields.form = { edits: diffEdits(form.original, form.value), texts: form.texts, json: form.json };
    all[keyOf(question)] = fields;
  }
  try {
    kept().setItem(KEY, JSON.stringify(all));
  } catch {
    // Without storage, the draft only lasts until the page is left.
  }
}

/** The draft of a question after a reload: the fresh draft with the parts that were kept. */
export function restoreDraft(kept: () => KeptTexts, question: Question, fresh: CardDraft): CardDraft {
  const all = readAll(kept);
  const known = Object.hasOwn(all, keyOf(question)) ? (all[keyOf(question)] as KeptDraft) : undefined;
  if (known?.askedAt !== question.askedAt) return fresh;
  const { form, picks, remember, value, isDenying, reason, stopsTurn } = known;
  const words = { picks, remember, value, isDenying, reason, stopsTurn };
  return { ...fresh, ...words, form: restoreForm(fresh.form, form) };
}

function restoreForm(fresh: FormDraft, kept: KeptDraft['form']): FormDraft {
  if (!kept) return fresh;
  const draft = { ...fresh, value: applyEdits(fresh.original, kept.edits), texts: kept.texts };
  return kept.json === undefined ? { ...draft, json: undefined } : withJson(draft, kept.json);
}

function keyOf({ session, id }: Question): string {
  return `${session} ${id}`;
}

function readAll(kept: () => KeptTexts): Record<string, unknown> {
  try {
    const all: unknown = JSON.parse(kept().getItem(KEY) ?? '{}');
    return isRecord(all) ? all : {};
  } catch {
    return {};
  }
}
