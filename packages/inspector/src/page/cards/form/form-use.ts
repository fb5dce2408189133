// What the fields of a form share: the draft, what changes it, and what is wrong where. Plain data and functions.
import type { ComponentChild } from 'preact';
import type { FieldIssue } from '../../../model/form/check-value.js';
import type { FormDraft } from '../../../model/form/form-draft.js';
import { isWithin, pathKey } from '../../../model/form/value-path.js';
import type { ValuePath } from '../../../stream/question.js';

/** How hidden values are revealed, or why they are not. */
export interface Reveal {
  run: () => void;
  offBecause: string | undefined;
}

/** One form on the page. */
export interface FormUse {
  draft: FormDraft;
  change: (draft: FormDraft) => void;
  /** The schema that references lead into. */
  root: unknown;
  issues: readonly FieldIssue[];
  /** Begins the id of every field. */
  id: string;
  reveal: Reveal | undefined;
  /** Whether nothing can be changed. */
  isOff: boolean;
  /** Draws a place of any kind: objects and lists have it from here, because it is made of them. */
  Field: (props: FieldProps) => ComponentChild;
}

/** A field of it. */
export interface FieldProps {
  use: FormUse;
  path: ValuePath;
  schema: unknown;
  /** What it is called beside the field. */
  label: string;
  isRequired: boolean;
  /** Whether its name is only read out, as for the items of a list. */
  isBare?: boolean | undefined;
}

/** What is wrong at one place, as one text; undefined where nothing is. */
export function issueAt({ issues }: FormUse, path: ValuePath): string | undefined {
  const found = issues.filter((issue) => pathKey(issue.path) === pathKey(path)).map(({ message }) => message);
  return found.length === 0 ? undefined : [...new Set(found)].join('; ');
}

/** Whether a place is hidden, by itself or with what it is in. */
export function isLocked({ draft }: FormUse, path: ValuePath): boolean {
  return draft.hidden.some((hidden) => isWithin(path, hidden));
}

/** The id of a field's control. */
export function fieldId({ id }: FormUse, path: ValuePath): string {
  return `${id}-${path.map((key) => encodeURIComponent(key)).join('-')}`;
}
