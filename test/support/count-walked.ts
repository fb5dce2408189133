// How many elements of lists, maps and sets some work goes through: what it costs, on any machine and however busy that is.

const OF_TABLES = ['forEach', 'keys', 'values', 'entries', Symbol.iterator];
const OF_LISTS = [
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'flatMap',
  'forEach',
  'includes',
  'indexOf',
  'map',
  'reduce',
  'slice',
  'some',
  Symbol.iterator,
];

/** The sum of the sizes of all that is gone through, or searched. The work is done in one go. */
export function countWalked(work: () => void): number {
  let walked = 0;
  const restore: (() => void)[] = [];
  const watch = (prototype: object, names: readonly PropertyKey[], field: 'size' | 'length'): void => {
    for (const name of names) {
      const real = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
      const method = real.value as (...given: unknown[]) => unknown;
      const value = function (this: { size: number; length: number }, ...given: unknown[]): unknown {
        walked += this[field];
        return method.apply(this, given);
      };
      Object.defineProperty(prototype, name, { ...real, value });
      restore.push(() => Object.defineProperty(prototype, name, real));
    }
  };
  watch(Map.prototype, OF_TABLES, 'size');
  watch(Set.prototype, OF_TABLES, 'size');
  watch(Array.prototype, OF_LISTS, 'length');
  try {
    work();
  } finally {
    for (let undo = restore.pop(); undo; undo = restore.pop()) undo();
  }
  return walked;
}
