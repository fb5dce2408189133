// Aligns two sequences: finds which entry of one belongs to which entry of the other. Equal beginnings and ends are paired
// first. The rest is cut at entries that occur once on each side, and what lies between the cuts is matched in windows. So the
// time is not quadratic.

/** One entry. Two entries with an equal `exact` are the same; two with an equal `loose` are of the same kind. */
export interface AlignedEntry {
  exact: string;
  loose: string;
}

/** Indexes on both sides; undefined on a side without a counterpart. */
export interface Pair {
  left: number | undefined;
  right: number | undefined;
}

// A window of 300 by 300 entries takes 90,000 comparisons and moves on by at least 300 entries of both sides together. For
// two sessions of 5,000 steps, that makes at most about 3 million comparisons.
const WINDOW = 300;
const EXACT = 3;
const LOOSE = 2;

interface Span {
  leftFrom: number;
  leftTo: number;
  rightFrom: number;
  rightTo: number;
}

/**
 * All entries of both sides in order, with counterparts paired. Between cuts, a counterpart is looked for at most `window`
 * entries ahead.
 */
export function alignTokens(
  left: readonly AlignedEntry[],
  right: readonly AlignedEntry[],
  window = WINDOW,
): Pair[] {
  const matches: [number, number][] = [];
  let from = 0;
  while (from < left.length && from < right.length && left[from]?.exact === right[from]?.exact) {
    matches.push([from, from]);
    from += 1;
  }
  let [leftTo, rightTo] = [left.length, right.length];
  const tail: [number, number][] = [];
  while (leftTo > from && rightTo > from && left[leftTo - 1]?.exact === right[rightTo - 1]?.exact) {
    leftTo -= 1;
    rightTo -= 1;
    tail.push([leftTo, rightTo]);
  }
  const middle = { leftFrom: from, leftTo, rightFrom: from, rightTo };
  let open = { left: from, right: from };
  for (const [atLeft, atRight] of [...findAnchors(left, right, middle), [leftTo, rightTo] as const]) {
    matchSpan(
      left,
      right,
      { leftFrom: open.left, leftTo: atLeft, rightFrom: open.right, rightTo: atRight },
      window,
      matches,
    );
    if (atLeft < leftTo) matches.push([atLeft, atRight]);
    open = { left: atLeft + 1, right: atRight + 1 };
  }
  matches.push(...tail.toReversed());
  return fillIn(matches, left.length, right.length);
}

/** Pairs of equal entries that occur exactly once on each side. Pairs that cross others are left out. */
function findAnchors(
  left: readonly AlignedEntry[],
  right: readonly AlignedEntry[],
  span: Span,
): [number, number][] {
  const leftOnce = findOnce(left, span.leftFrom, span.leftTo);
  const rightOnce = findOnce(right, span.rightFrom, span.rightTo);
  const common: [number, number][] = [];
  for (const [exact, at] of leftOnce) {
    const other = rightOnce.get(exact);
    if (at !== undefined && other !== undefined) common.push([at, other]);
  }
  return longestAscending(common);
}

/** The index of each entry that occurs once, in order; undefined for an entry that occurs again. */
function findOnce(
  tokens: readonly AlignedEntry[],
  from: number,
  to: number,
): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  for (let at = from; at < to; at += 1) {
    const { exact } = tokens[at] as AlignedEntry;
    places.set(exact, places.has(exact) ? undefined : at);
  }
  return places;
}

/** Of pairs that ascend on the left, the longest subsequence that also ascends on the right. */
function longestAscending(pairs: readonly [number, number][]): [number, number][] {
  const piles: number[] = [];
  const before: (number | undefined)[] = [];
  pairs.forEach(([, right], index) => {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[piles[middle] as number] as [number, number])[1] < right) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? piles[low - 1] : undefined;
    piles[low] = index;
  });
  const chosen: [number, number][] = [];
  for (let at = piles.at(-1); at !== undefined; at = before[at]) chosen.push(pairs[at] as [number, number]);
  return chosen.toReversed();
}

/** Matches the entries between two anchors, window by window. Of each window but the last, only the first half is kept. */
function matchSpan(
  left: readonly AlignedEntry[],
  right: readonly AlignedEntry[],
  span: Span,
  window: number,
  matches: [number, number][],
): void {
  let { leftFrom, rightFrom } = span;
  while (leftFrom < span.leftTo && rightFrom < span.rightTo) {
    const leftTo = Math.min(span.leftTo, leftFrom + window);
    const rightTo = Math.min(span.rightTo, rightFrom + window);
    const found = matchWindow(left, right, { leftFrom, leftTo, rightFrom, rightTo });
    if (leftTo === span.leftTo && rightTo === span.rightTo) {
      matches.push(...found);
      return;
    }
    const limit = leftFrom + rightFrom + window;
    const isKept = ([one, other]: [number, number]): boolean => one + other < limit;
    matches.push(...found.filter(isKept));
    const next = found.find((match) => !isKept(match));
    // The next window begins at the first match that was not kept. If there is none, it begins after the first half.
    leftFrom = next ? next[0] : leftFrom + window / 2;
    rightFrom = next ? next[1] : rightFrom + window / 2;
    const last = found.findLast(isKept);
    if (!next && last)
      [leftFrom, rightFrom] = [Math.max(leftFrom, last[0] + 1), Math.max(rightFrom, last[1] + 1)];
  }
}

/** The matches of two short stretches with the greatest total weight. Equal entries weigh more than entries of one kind. */
function matchWindow(
  left: readonly AlignedEntry[],
  right: readonly AlignedEntry[],
  span: Span,
): [number, number][] {
  const rows = span.leftTo - span.leftFrom;
  const columns = span.rightTo - span.rightFrom;
  const width = columns + 1;
  const best = new Uint16Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row -= 1) {
    const one = left[span.leftFrom + row] as AlignedEntry;
    for (let column = columns - 1; column >= 0; column -= 1) {
      const weight = weigh(one, right[span.rightFrom + column] as AlignedEntry);
      const matched = weight > 0 ? weight + (best[(row + 1) * width + column + 1] as number) : 0;
      const skipped = Math.max(
        best[(row + 1) * width + column] as number,
        best[row * width + column + 1] as number,
      );
      best[row * width + column] = Math.max(matched, skipped);
    }
  }
  const matches: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const here = best[row * width + column] as number;
    const weight = weigh(
      left[span.leftFrom + row] as AlignedEntry,
      right[span.rightFrom + column] as AlignedEntry,
    );
    if (weight > 0 && here === weight + (best[(row + 1) * width + column + 1] as number)) {
      matches.push([span.leftFrom + row, span.rightFrom + column]);
      row += 1;
      column += 1;
    } else if (here === best[(row + 1) * width + column]) row += 1;
    else column += 1;
  }
  return matches;
}

function weigh(one: AlignedEntry, other: AlignedEntry): number {
  if (one.exact === other.exact) return EXACT;
  return one.loose === other.loose ? LOOSE : 0;
}

/** The matches, and between them the entries without a counterpart, those of the left side first. */
function fillIn(matches: readonly [number, number][], leftLength: number, rightLength: number): Pair[] {
  const pairs: Pair[] = [];
  let [left, right] = [0, 0];
  for (const [atLeft, atRight] of [...matches, [leftLength, rightLength] as const]) {
    for (; left < atLeft; left += 1) pairs.push({ left, right: undefined });
    for (; right < atRight; right += 1) pairs.push({ left: undefined, right });
    if (atLeft < leftLength) pairs.push({ left, right });
    left += 1;
    right += 1;
  }
  return pairs;
}
