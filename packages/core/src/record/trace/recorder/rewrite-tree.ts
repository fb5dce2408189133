// Rewrites a JSON value of any depth without recursion. Only parts that change are copied.

/** Says how each part is rewritten. A container gives each of its parts a `State`. */
export interface TreeVisitor<State> {
  /** The replacement for a text, a number, a boolean or null. */
  leaf(value: unknown, state: State, path: readonly string[]): unknown;
  /**
   * Called for a list or an object before its parts. Returns a function that gives the state of each part, by its name
   * or index.
   */
  enter(container: object, state: State, path: readonly string[]): (name: string, value: unknown) => State;
  /** The replacement for the name of a field. */
  name(name: string): string;
}

interface Level<State> {
  source: unknown[] | Record<string, unknown>;
  /** The names of the fields; undefined for a list. */
  names: string[] | undefined;
  /** The rewritten parts so far. */
  values: unknown[];
  isChanged: boolean;
  stateOf: (name: string, value: unknown) => State;
}

/** The rewritten value. It is the same object if nothing changed. */
export function rewriteTree<State>(root: unknown, first: State, visitor: TreeVisitor<State>): unknown {
  const path: string[] = [];
  const levels: Level<State>[] = [];
  let part = root;
  let state = first;
  for (;;) {
    let result: unknown;
    if (typeof part === 'object' && part !== null) {
      levels.push(openLevel(part, visitor.enter(part, state, path)));
    } else {
      result = visitor.leaf(part, state, path);
      if (levels.length === 0) return result;
      take(levels.at(-1) as Level<State>, part, result);
      path.pop();
    }
    let level = levels.at(-1) as Level<State>;
    while (level.values.length === countParts(level)) {
      levels.pop();
      result = close(level, visitor);
      const above = levels.at(-1);
      if (!above) return result;
      take(above, level.source, result);
      path.pop();
      level = above;
    }
    const index = level.values.length;
    const name = level.names ? (level.names[index] as string) : String(index);
    part = (level.source as Record<string, unknown>)[name];
    state = level.stateOf(name, part);
    path.push(name);
  }
}

function openLevel<State>(source: object, stateOf: Level<State>['stateOf']): Level<State> {
  return {
    source: source as Level<State>['source'],
    names: Array.isArray(source) ? undefined : Object.keys(source),
    values: [],
    isChanged: false,
    stateOf,
  };
}

function countParts({ source, names }: Level<unknown>): number {
  return names?.length ?? (source as unknown[]).length;
}

function take(level: Level<unknown>, before: unknown, after: unknown): void {
  level.values.push(after);
  level.isChanged ||= before !== after;
}

function close(
  { source, names, values, isChanged }: Level<unknown>,
  visitor: Pick<TreeVisitor<unknown>, 'name'>,
): unknown {
  if (!names) return isChanged ? values : source;
  const renamed = names.map((name) => visitor.name(name));
  if (!isChanged && renamed.every((name, index) => name === names[index])) return source;
  const taken = new Set(renamed);
  const counts = new Map<string, number>();
  // Two names may have become equal, and neither field may be lost.
  const unique = renamed.map((name) => {
    let count = counts.get(name) ?? 0;
    let free = name;
    // The count of each name is kept, so that many equal names do not take quadratic time.
    if (count > 0)
      do free = `${name} ${(count += 1)}`;
      while (taken.has(free));
    counts.set(name, Math.max(count, 1));
    taken.add(free);
    return free;
  });
  return Object.fromEntries(unique.map((name, index) => [name, values[index]]));
}
