// Finds spans and stretches by time, in sorted lists without overlaps. It uses binary search, so that long sessions cost
// little more than short ones.

/** The index of the first item that ends after a time; the length of the list if none does. */
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
