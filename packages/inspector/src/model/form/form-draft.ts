// The draft that a person writes in a form or as JSON: the value, texts that are not valid values yet, and hidden places.
// The functions here are pure; the page keeps the drafts, so that nothing typed is lost.
import type { InputEdit, ValuePath } from '../../stream/question.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { checkValue, type FieldIssue } from './check-value.js';
import { readFieldText, writeText } from './field-text.js';
import type { FormShape } from './form-shape.js';
import { applyEdits, diffEdits, findHiddenChanges } from './input-edits.js';
import { parseJson, type JsonMistake } from './json-syntax.js';
import { isWithin, pathKey, valueAt, withoutPath, withValueAt } from './value-path.js';

type Fields = Record<string, unknown>;

/** A form in the middle of being filled in. */
export interface FormDraft {
  original: Fields;
  value: Fields;
  /**
   * The texts of fields, by `pathKey`. A text is kept only if the form would write the field's value differently. If it has
   * a message, the text is not a valid value, and `value` keeps the last valid one.
   */
  texts: Readonly<Record<string, { text: string; message: string | undefined }>>;
  /** Places whose values are hidden, so that they cannot be edited. */
  hidden: readonly ValuePath[];
  /** The text of the whole value, while it is edited as JSON. */
  json: string | undefined;
}

/** What a draft would send, and the mistakes that prevent it. */
export interface ReadDraft {
  value: Fields;
  edits: InputEdit[];
  issues: FieldIssue[];
  /** Where the JSON is wrong. */
  mistake: JsonMistake | undefined;
}

/** A draft without changes. */
export function createDraft(original: Fields, hidden: readonly ValuePath[] = []): FormDraft {
  return { original, value: original, texts: {}, hidden, json: undefined };
}

/** Sets the text of a field. An empty text removes the field, unless it is an item of a list or a required text. */
export function withFieldText(
  draft: FormDraft,
  { path, shape, text, isOptional }: { path: ValuePath; shape: FormShape; text: string; isOptional: boolean },
): FormDraft {
  const isItem = typeof path.at(-1) === 'number';
  if (text === '' && !isItem && (isOptional || shape.kind !== 'text')) return withoutField(draft, path);
  const read = readFieldText(shape, text);
  const texts = dropTexts(draft.texts, path);
  const kept = { ...texts, [pathKey(path)]: { text, message: read.ok ? undefined : read.message } };
  if (!read.ok) return { ...draft, texts: kept };
  const value = withValueAt(draft.value, path, read.value) as Fields;
  // The value of "1." is 1, but the text must stay "1.", because the person may go on typing.
  return { ...draft, texts: writeText(shape, read.value) === text ? texts : kept, value };
}

export function withField(draft: FormDraft, path: ValuePath, value: unknown): FormDraft {
  return {
    ...draft,
    texts: dropTexts(draft.texts, path),
    value: withValueAt(draft.value, path, value) as Fields,
  };
}

/** Removes a field or an item of a list. The texts of later items move up with them. */
export function withoutField(draft: FormDraft, path: ValuePath): FormDraft {
  const list = path.slice(0, -1);
  const place = path.at(-1);
  const isItem = typeof place === 'number' && Array.isArray(valueAt(draft.value, list));
  const texts = dropTexts(draft.texts, path);
  return {
    ...draft,
    texts: isItem ? moveTexts(texts, list, (index) => (index > place ? index - 1 : index)) : texts,
    value: withoutPath(draft.value, path) as Fields,
  };
}

/** Moves an item of a list up (-1) or down (1). */
export function withMovedItem(draft: FormDraft, path: ValuePath, by: -1 | 1): FormDraft {
  const list = path.slice(0, -1);
  const from = path.at(-1) as number;
  const to = from + by;
  const items = valueAt(draft.value, list);
  if (!Array.isArray(items) || to < 0 || to >= items.length) return draft;
  const moved = items.with(from, items[to]).with(to, items[from]);
  const texts = moveTexts(draft.texts, list, (index) => (index === from ? to : index === to ? from : index));
  return { ...draft, texts, value: withValueAt(draft.value, list, moved) as Fields };
}

/** Switches to JSON, or sets the JSON text. */
export function withJson(draft: FormDraft, text?: string): FormDraft {
  return { ...draft, json: text ?? JSON.stringify(draft.value, null, 2) };
}

/** Switches back to the form; undefined while the JSON is not an object. */
export function withForm(draft: FormDraft): FormDraft | undefined {
  if (draft.json === undefined) return draft;
  const parsed = parseJson(draft.json);
  if (!parsed.ok || !isRecord(parsed.value)) return undefined;
  return { ...draft, value: parsed.value, texts: {}, json: undefined };
}

/** Fills in the hidden values, and keeps the edits. */
export function withRevealed(draft: FormDraft, real: Fields): FormDraft {
  const asForm = withForm(draft);
  const value = applyEdits(real, diffEdits(draft.original, (asForm ?? draft).value));
  const revealed = { ...draft, original: real, value, hidden: [] };
  // Incomplete JSON cannot be merged, so it stays as it was typed.
  return draft.json !== undefined && asForm ? withJson(revealed) : revealed;
}

/** What the draft would send, and what is wrong with it. */
export function readDraft(draft: FormDraft, schema: unknown): ReadDraft {
  let { value } = draft;
  if (draft.json !== undefined) {
    const parsed = parseJson(draft.json);
    if (!parsed.ok) return { value, edits: [], issues: [], mistake: parsed.mistake };
    if (!isRecord(parsed.value))
      return { value, edits: [], issues: [{ path: [], message: 'must be an object' }], mistake: undefined };
    value = parsed.value;
  }
  const isForm = draft.json === undefined;
  const texts = isForm ? Object.entries(draft.texts) : [];
  const unread = texts.flatMap(([key, { message }]) =>
    message === undefined ? [] : [{ path: JSON.parse(key) as ValuePath, message }],
  );
  const locked = findHiddenChanges(draft.original, value, draft.hidden).map((path) => ({
    path,
    message: 'is redacted: reveal it before you change it',
  }));
  const found = schema === undefined ? [] : checkValue(schema, value);
  // Values that are hidden, or whose text is not valid yet, cannot be checked.
  const fitting = found.filter(
    ({ path }) =>
      ![...draft.hidden, ...unread.map((each) => each.path)].some((other) => isWithin(path, other)),
  );
  return {
    value,
    edits: diffEdits(draft.original, value),
    issues: [...unread, ...locked, ...fitting],
    mistake: undefined,
  };
}

type Texts = FormDraft['texts'];

function dropTexts(texts: Texts, path: ValuePath): Texts {
  return Object.fromEntries(
    Object.entries(texts).filter(([key]) => !isWithin(JSON.parse(key) as ValuePath, path)),
  );
}

function moveTexts(texts: Texts, list: ValuePath, place: (index: number) => number): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const path = JSON.parse(key) as ValuePath;
      const index = path[list.length];
      if (!isWithin(path, list) || typeof index !== 'number') return [key, text];
      return [pathKey([...list, place(index), ...path.slice(list.length + 1)]), text];
    }),
  );
}
