// The keys of the page. A view defines them once, each with a sentence for the help, and says what they do while it is shown.
import { signal } from '@preact/signals';

/** One thing that keys do. */
export interface KeyRow {
  /** As the browser names them, with what is held down before it: `j`, `ArrowDown`, `?`, `Ctrl+Enter`. */
  keys: readonly string[];
  /** What they do, as the help says it: "Next item". */
  says: string;
  /** Also while a field is being typed in. */
  inFields?: boolean | undefined;
}

/** The keys of one part of the page. */
export interface KeySet<Name extends string = string> {
  readonly group: string;
  readonly rows: Readonly<Record<Name, KeyRow>>;
}

/** What happened on the keyboard, as far as it matters here. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether a field is being typed in. */
  isInField: boolean;
}

interface Bound {
  set: KeySet;
  run: (name: never) => void;
}

/** A signal, because views are loaded one after the other. */
const defined = signal<readonly KeySet[]>([]);
const bound: Bound[] = [];

/** Defines the keys of a part of the page: once, where its file is loaded, so that the help knows them before it is shown. */
export function defineKeys<Name extends string>(
  group: string,
  rows: Readonly<Record<Name, KeyRow>>,
): KeySet<Name> {
  const set = { group, rows };
  defined.value = [...defined.peek(), set];
  return set;
}

/** All that were defined so far. */
export function readKeySets(): readonly KeySet[] {
  return defined.value;
}

/**
 * Says what keys do from now on; what was bound last is asked first, except for what is bound `under` all others: the page's own,
 * which a view may use otherwise. Returns what ends it.
 */
export function bindKeys<Name extends string>(
  set: KeySet<Name>,
  run: (name: Name) => void,
  place: 'over' | 'under' = 'over',
): () => void {
  const entry: Bound = { set, run };
  if (place === 'under') bound.push(entry);
  else bound.unshift(entry);
  return () => {
    const place = bound.indexOf(entry);
    if (place >= 0) bound.splice(place, 1);
  };
}

/** Does what a key is bound to; false when it is bound to nothing. */
export function pressKey(press: KeyPress): boolean {
  const name = nameOf(press);
  for (const { set, run } of bound)
    for (const [row, { keys, inFields }] of Object.entries(set.rows))
      if (keys.includes(name) && (inFields === true || !press.isInField)) {
        run(row as never);
        return true;
      }
  return false;
}

function nameOf({ key, ctrlKey, metaKey, altKey }: KeyPress): string {
  // The command key of a Mac does what Ctrl does elsewhere.
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${key}`;
}
