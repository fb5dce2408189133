// Finds spans and stretches of a time in lists that are sorted and do not overlap: by halving, so that a long session costs as
// much as a short one.

/** The place of the first that ends after a time; the length where none does. */
export function findFirst<Item>(
  items: readonly Item[],
  after: number,
  endOf: (item: Item) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(items[middle] as Item) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
