// The keys of the page. A view defines its keys once, each with a text for the help, and binds them to functions while it is
// shown.
import { signal } from '@preact/signals';

/** Keys with one meaning. */
export interface KeyRow {
  /** The browser's names of the keys, with modifiers before them: `j`, `ArrowDown`, `?`, `Ctrl+Enter`. */
  keys: readonly string[];
  /** What they do, as the help says it: "Next item". */
  says: string;
  /** Whether they also work while the focus is in a field. */
  inFields?: boolean | undefined;
}

/** The keys of one part of the page. */
export interface KeySet<Name extends string = string> {
  readonly group: string;
  readonly rows: Readonly<Record<Name, KeyRow>>;
}

/** The parts of a keyboard event that are used. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Whether the focus is in a field. */
  isInField: boolean;
}

interface Bound {
  set: KeySet;
  run: (name: never) => void;
}

/** A signal, because views define their keys when they are loaded, one after the other. */
const defined = signal<readonly KeySet[]>([]);
const bound: Bound[] = [];

/** Defines the keys of a part of the page when its file is loaded, so that the help lists them before the part is shown. */
export function defineKeys<Name extends string>(
  group: string,
  rows: Readonly<Record<Name, KeyRow>>,
): KeySet<Name> {
  const set = { group, rows };
  defined.value = [...defined.peek(), set];
  return set;
}

/** All key sets that were defined so far. */
export function readKeySets(): readonly KeySet[] {
  return defined.value;
}

/**
 * Binds keys to functions until the returned function is called. The latest binding comes first. Bindings `under` all
 * others come last: they are the page's own, which a view may override.
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

/** Calls the function that a key is bound to; gives false if there is none. */
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
  // The command key of a Mac counts as Ctrl.
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${key}`;
}
