// Places the bars of the wire in the time of the lines in sight. That time changes with every line that is scrolled by, so only the
// bars are changed, and nothing is drawn again.
interface TimeRange {
  from: number;
  to: number;
}

/** Where a time is in the range, from 0 to 1. What is outside is at the edge. */
export function partInRange(t: number, { from, to }: TimeRange): number {
  return Math.min(1, Math.max(0, (t - from) / Math.max(1, to - from)));
}

/** Places one bar, which has its times as data. What begins at the end is still seen; what lasts longer goes to the edge. */
export function placeBar(bar: HTMLElement, range: TimeRange): void {
  const part = (name: 'begin' | 'end'): number => partInRange(Number(bar.dataset[name]), range);
  const begin = part('begin');
  bar.style.left = `${(begin * 100).toFixed(3)}%`;
  bar.style.width =
    bar.dataset['begin'] === bar.dataset['end'] ? '' : `${((part('end') - begin) * 100).toFixed(3)}%`;
}

/** Places all bars that are on the page. */
export function placeBars(view: HTMLElement, range: TimeRange): void {
  for (const bar of view.querySelectorAll<HTMLElement>('[data-begin]')) placeBar(bar, range);
}
