// Compares two maps or two lists by name: what stayed, came, went and changed.

/** Sorts by code units. */
export const byName = (one, other) => (one < other ? -1 : 1);

/** Gives `{ same: number, added, gone, changed }`; `changed` says from what to what. */
export function compareMaps(before, after) {
  const names = [...before.keys()];
  const show = (value) => (value === '' ? 'nothing' : value);
  return {
    same: names.filter((name) => after.has(name) && after.get(name) === before.get(name)).length,
    added: [...after.keys()].filter((name) => !before.has(name)).toSorted(byName),
    gone: names.filter((name) => !after.has(name)).toSorted(byName),
    changed: names
      .filter((name) => after.has(name) && after.get(name) !== before.get(name))
      .map((name) => `${name}: ${show(before.get(name))} → ${show(after.get(name))}`)
      .toSorted(byName),
  };
}

/** The same for names alone. */
export function compareLists(before, after) {
  const asMap = (names) => new Map(names.map((name) => [name, '']));
  return compareMaps(asMap(before), asMap(after));
}
