// What the fields of a form share: the draft, the functions that change it, and the mistakes by place.
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
  /** The schema in which references are resolved. */
  root: unknown;
  issues: readonly FieldIssue[];
  /** The prefix of the ids of all fields. */
  id: string;
  reveal: Reveal | undefined;
  /** Whether nothing can be changed. */
  isOff: boolean;
  /** Draws a place of any kind. Objects and lists get it from here, because importing it would make a cycle of imports. */
  Field: (props: FieldProps) => ComponentChild;
}

export interface FieldProps {
  use: FormUse;
  path: ValuePath;
  schema: unknown;
  /** The name beside the field. */
  label: string;
  isRequired: boolean;
  /** Whether only screen readers get its name, as for the items of a list. */
  isBare?: boolean | undefined;
}

/** The mistakes at one place as one text; undefined if there are none. */
export function issueAt({ issues }: FormUse, path: ValuePath): string | undefined {
  const found = issues.filter((issue) => pathKey(issue.path) === pathKey(path)).map(({ message }) => message);
  return found.length === 0 ? undefined : [...new Set(found)].join('; ');
}

/** Whether a place, or one that contains it, is hidden. */
export function isLocked({ draft }: FormUse, path: ValuePath): boolean {
  return draft.hidden.some((hidden) => isWithin(path, hidden));
}

/** The id of a field's control. */
export function fieldId({ id }: FormUse, path: ValuePath): string {
  return `${id}-${path.map((key) => encodeURIComponent(key)).join('-')}`;
}
