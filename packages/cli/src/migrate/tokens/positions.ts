// Turns offsets of a source into lines and columns, counted from 1 as in editors and compilers.

/** A place in a file. */
export interface Position {
  line: number;
  /** In UTF-16 units. */
  column: number;
}

/** Creates a function that returns the position of an offset in a source. */
export function createPositions(source: string): (offset: number) => Position {
  const starts = [0];
  for (const { index, 0: end } of source.matchAll(/\r\n|[\n\r\u2028\u2029]/g))
    starts.push(index + end.length);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
