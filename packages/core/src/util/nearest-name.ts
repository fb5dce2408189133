// Finds the name that was probably meant, for error messages that say "did you mean".

/**
 * The candidate that is closest to `name`. Case is ignored, and swapping two neighbours counts as one typo. Undefined if
 * none is close enough. One typo for every three characters is allowed, but at most `mostTypos`.
 */
export function findNearestName(
  name: string,
  candidates: Iterable<string>,
  mostTypos = 4,
): string | undefined {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let limit = Math.min(mostTypos, Math.floor(name.length / 3));
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue;
    const distance = measureDistance(wanted, candidate.toLowerCase());
    if (distance > limit) continue;
    nearest = candidate;
    if (distance === 0) break;
    // From here on only a strictly better candidate counts. So of equally close candidates, the first is chosen.
    limit = distance - 1;
  }
  return nearest;
}

// Computes the optimal string alignment distance. To insert, delete or replace a character, or to swap two neighbours,
// costs one.
function measureDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        cell(previous, column) + 1,
        cell(current, column - 1) + 1,
        cell(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, cell(beforePrevious, column - 2) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return cell(previous, right.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
