// Expresses what a person changed in an input as edits of its parts. Unchanged parts are not mentioned, so that hidden
// values stay as they are.
import { isRecord } from '@inboard/core/util/guards.js';
import type { InputEdit, ValuePath } from '../../stream/question.js';
import { hasPath, isWithin, valueAt, withoutPath, withValueAt } from './value-path.js';

/**
 * The edits that turn `original` into `edited`, in the order in which to apply them. Lists are compared by index: if an
 * item in the middle is removed, the later ones count as changed and the last one as removed.
 */
export function diffEdits(original: unknown, edited: unknown, path: ValuePath = []): InputEdit[] {
  if (Object.is(original, edited)) return [];
  if (Array.isArray(original) && Array.isArray(edited)) return diffLists(original, edited, path);
  if (isRecord(original) && isRecord(edited)) {
    return [
      ...Object.keys(original).flatMap((key): InputEdit[] => {
        const at = [...path, key];
        if (!Object.hasOwn(edited, key)) return [{ path: at, remove: true }];
        return diffEdits(original[key], edited[key], at);
      }),
      ...Object.keys(edited)
        .filter((key) => !Object.hasOwn(original, key))
        .map((key) => ({ path: [...path, key], value: edited[key] })),
    ];
  }
  return [{ path, value: edited }];
}

function diffLists(original: readonly unknown[], edited: readonly unknown[], path: ValuePath): InputEdit[] {
  const both = Math.min(original.length, edited.length);
  const changed = edited
    .slice(0, both)
    .flatMap((item, index) => diffEdits(original[index], item, [...path, index]));
  const added = edited.slice(both).map((value, index) => ({ path: [...path, both + index], value }));
  // Items are removed from the end, so that no index changes before it is used.
  const removed = original
    .slice(both)
    .map((_, index) => ({ path: [...path, both + index], remove: true as const }))
    .toReversed();
  return [...changed, ...added, ...removed];
}

/** A copy of an input with all edits applied. Missing parents of an edit are created. */
export function applyEdits<T>(original: T, edits: readonly InputEdit[]): T {
  return edits.reduce<unknown>(
    (value, edit) =>
      'remove' in edit ? withoutPath(value, edit.path) : withValueAt(value, edit.path, edit.value),
    original,
  ) as T;
}

/** The hidden places whose values were changed, moved or removed without being revealed. */
export function findHiddenChanges(
  original: unknown,
  edited: unknown,
  hidden: readonly ValuePath[],
): ValuePath[] {
  return hidden.filter(
    (path) => !hasPath(edited, path) || diffEdits(valueAt(original, path), valueAt(edited, path)).length > 0,
  );
}

/** Whether a place is hidden, lies in a hidden place, or contains one. */
export function touchesHidden(path: ValuePath, hidden: readonly ValuePath[]): boolean {
  return hidden.some((each) => isWithin(each, path) || isWithin(path, each));
}
