// Finds the hidden values of an input that a page sees, and applies the page's edits to the real input. A page can keep a
// hidden value without knowing it, and cannot change one that was not revealed.
import { cloneDeep } from '@inboard/core/util/deep-json.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { isSameDeep } from '@inboard/core/util/same-deep.js';
import type { ActionError } from '../../model/page-contract.js';
import type { InputEdit, ValuePath } from '../../stream/question.js';

type Issue = NonNullable<ActionError['issues']>[number];

const DEEPEST = 200;

/** The deepest paths at which the shown value differs from the real one, down to 200 levels. */
export function findHidden(real: unknown, shown: unknown, path: ValuePath = []): ValuePath[] {
  if (Object.is(real, shown)) return [];
  // No person edits deeper values, and a model can nest an input too deeply for recursion.
  if (path.length >= DEEPEST) return isSameDeep(real, shown) ? [] : [path];
  if (Array.isArray(real) && Array.isArray(shown) && real.length === shown.length)
    return real.flatMap((item, index) => findHidden(item, shown[index], [...path, index]));
  if (isRecord(real) && isRecord(shown)) {
    const names = Object.keys(real);
    const isSame = names.every((name) => Object.hasOwn(shown, name));
    if (isSame && names.length === Object.keys(shown).length)
      return names.flatMap((name) => findHidden(real[name], shown[name], [...path, name]));
  }
  return isSameDeep(real, shown) ? [] : [path];
}

/** An input, as it is and as a page sees it. */
export interface EditedInput {
  real: Record<string, unknown>;
  shown: Record<string, unknown>;
  /** Whether a page was shown the real input. */
  isRevealed: boolean;
}

/** Applies edits to the real input, one after another; also gives the mistakes in the edits. */
export function applyEditsToRealInput(
  source: EditedInput,
  edits: readonly InputEdit[],
): { input: Record<string, unknown>; issues: Issue[] } {
  const issues: Issue[] = [];
  let real: unknown = cloneDeep(source.real);
  // The edits are applied to the shown input too. Where the two differ, a value is hidden, even if list items have moved.
  let shown: unknown = cloneDeep(source.isRevealed ? source.real : source.shown);
  for (const given of edits) {
    const edit = { ...given, path: namePath(real, given.path) };
    const hidden = findHidden(real, shown);
    const value = 'remove' in edit ? undefined : edit.value;
    if (hidden.some((path) => startsWith(edit.path, path))) {
      // A hidden value that the page sends back unchanged stays as it is.
      const isUnchanged = !('remove' in edit) && isSameDeep(value, valueAt(shown, edit.path));
      if (!isUnchanged) issues.push(hiddenIssue(edit.path));
      continue;
    }
    const inside = hidden.filter((path) => startsWith(path, edit.path));
    const changed = inside.filter(
      (path) => !isSameDeep(valueAt(value, path.slice(edit.path.length)), valueAt(shown, path)),
    );
    if (changed.length > 0) {
      issues.push(...changed.map(hiddenIssue));
      continue;
    }
    let realValue = cloneDeep(value);
    for (const path of inside)
      realValue = replaceAt(realValue, path.slice(edit.path.length), cloneDeep(valueAt(real, path)));
    const change = (whole: unknown, part: unknown): unknown =>
      'remove' in edit ? removeAt(whole, edit.path) : replaceAt(whole, edit.path, part);
    const changedReal = change(real, realValue);
    if (changedReal === NOWHERE)
      issues.push({ path: edit.path, message: 'The input has no value at this place.' });
    else [real, shown] = [changedReal, change(shown, cloneDeep(value))];
  }
  if (!isRecord(real)) issues.push({ path: [], message: 'The input must be an object.' });
  return { input: isRecord(real) ? real : source.real, issues };
}

function hiddenIssue(path: ValuePath): Issue {
  return { path, message: 'This value is hidden. Reveal it before you change it.' };
}

const NOWHERE: unique symbol = Symbol('nowhere');

// `'0'` and `0` mean the same place, but hidden places are found by comparing steps. So each step is normalized by the type of
// its container, and no other spelling can bypass the check.
function namePath(value: unknown, path: ValuePath): ValuePath {
  let part = value;
  return path.map((step) => {
    const isPlace = Array.isArray(part) && /^(?:0|[1-9]\d{0,9})$/.test(String(step));
    const named = isPlace ? Number(step) : String(step);
    part = valueAt(part, [named]);
    return named;
  });
}

function startsWith(path: ValuePath, beginning: ValuePath): boolean {
  return beginning.length <= path.length && beginning.every((step, index) => step === path[index]);
}

function valueAt(value: unknown, path: ValuePath): unknown {
  let part = value;
  for (const step of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) return undefined;
    part = (part as Record<string | number, unknown>)[step];
  }
  return part;
}

/** Replaces the part at a path, in the value itself. Gives NOWHERE if a container on the path is missing. */
function replaceAt(value: unknown, path: ValuePath, part: unknown): unknown {
  const [last] = path.slice(-1);
  if (last === undefined) return part;
  const container = valueAt(value, path.slice(0, -1));
  if (Array.isArray(container)) {
    if (typeof last !== 'number' || last > container.length) return NOWHERE;
    container[last] = part;
    return value;
  }
  if (!isRecord(container)) return NOWHERE;
  // Defined as an own field, even if its name is `__proto__`.
  Object.defineProperty(container, last, {
    value: part,
    enumerable: true,
    writable: true,
    configurable: true,
  });
  return value;
}

function removeAt(value: unknown, path: ValuePath): unknown {
  const [last] = path.slice(-1);
  if (last === undefined) return NOWHERE;
  const container = valueAt(value, path.slice(0, -1));
  if (Array.isArray(container) && typeof last === 'number' && last < container.length)
    container.splice(last, 1);
  else if (isRecord(container) && Object.hasOwn(container, last)) delete container[last];
  else return NOWHERE;
  return value;
}
