// What a person changed in an input, as edits of its parts: what was not changed is not named, so that hidden values go back
// as they are.
import { isRecord } from '@inboard/core/util/guards.js';
import type { InputEdit, ValuePath } from '../../stream/question.js';
import { hasPath, isWithin, valueAt, withoutPath, withValueAt } from './value-path.js';

/**
 * The edits that make `edited` of `original`, in the order to apply them in. Lists are compared place by place: an item that
 * is taken out of the middle changes those behind it, and the last one goes.
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
  // From the end, so that no place moves before its turn.
  const removed = original
    .slice(both)
    .map((_, index) => ({ path: [...path, both + index], remove: true as const }))
    .toReversed();
  return [...changed, ...added, ...removed];
}

/** A copy of an input with all edits. An edit below something that is not there makes it. */
export function applyEdits<T>(original: T, edits: readonly InputEdit[]): T {
  return edits.reduce<unknown>(
    (value, edit) =>
      'remove' in edit ? withoutPath(value, edit.path) : withValueAt(value, edit.path, edit.value),
    original,
  ) as T;
}

/** The hidden places that somebody changed, moved or removed without having seen what is there. */
export function findHiddenChanges(
  original: unknown,
  edited: unknown,
  hidden: readonly ValuePath[],
): ValuePath[] {
  return hidden.filter(
    (path) => !hasPath(edited, path) || diffEdits(valueAt(original, path), valueAt(edited, path)).length > 0,
  );
}

/** Whether a place is hidden, or has something hidden in it. */
export function touchesHidden(path: ValuePath, hidden: readonly ValuePath[]): boolean {
  return hidden.some((each) => isWithin(each, path) || isWithin(path, each));
}
