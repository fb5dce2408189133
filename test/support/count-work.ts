// Counts what a function does with texts: the steps of its expressions, and the characters that strings, lists, buffers and JSON pass
// over for it. The methods are replaced while it runs. A loop over single characters by index is not seen, but what it calls is.
import { CountedExpression } from './count-steps.js';

type Method = (this: unknown, ...given: never[]) => unknown;
/** How many characters or elements a call passed over. */
type Weigh = (self: never, given: readonly never[], result: never) => number;

interface Sized {
  length: number;
}

const whole: Weigh = (self: Sized) => self.length + 1;
const made: Weigh = (_self, _given, result: Sized) => result.length + 1;
const one: Weigh = () => 1;
/** A search goes as far as what it finds. */
const searched: Weigh = (
  self: Sized & { indexOf(...given: never[]): number },
  given,
  result: number | boolean,
) => {
  if (result === false || result === -1) return self.length + 1;
  const found = typeof result === 'number' ? result : 0;
  return Math.max(0, found - (Number(given[1]) || 0)) + 1;
};

const WEIGHTS: readonly [object, Readonly<Record<string, Weigh>>][] = [
  [
    String.prototype,
    {
      indexOf: searched,
      includes: searched,
      lastIndexOf: whole,
      startsWith: one,
      endsWith: one,
      toLowerCase: whole,
      toUpperCase: whole,
      normalize: whole,
      trim: one,
      trimEnd: one,
      trimStart: one,
      split: whole,
      replaceAll: whole,
      replace: whole,
      repeat: made,
      padEnd: made,
      padStart: made,
      concat: made,
      slice: one,
      substring: one,
      charAt: one,
      charCodeAt: one,
      codePointAt: one,
      at: one,
    },
  ],
  [
    Array.prototype,
    {
      indexOf: whole,
      includes: whole,
      join: made,
      concat: made,
      slice: made,
      splice: whole,
      shift: one,
      unshift: whole,
      map: whole,
      filter: whole,
      find: whole,
      some: whole,
      every: whole,
      flatMap: whole,
      reduce: whole,
      toSorted: whole,
    },
  ],
  [
    Buffer.prototype,
    {
      indexOf: searched,
      includes: searched,
      toString: made,
      subarray: one,
      copy: whole,
      fill: whole,
      write: one,
    },
  ],
  [Uint8Array.prototype, { set: (_self, [source]: readonly Sized[]) => source?.length ?? 0 }],
  [Buffer, { concat: made, from: made, byteLength: one }],
  [
    JSON,
    {
      parse: (_self, [text]: readonly Sized[]) => text?.length ?? 0,
      stringify: (_s, _g, text: Sized | undefined) => text?.length ?? 0,
    },
  ],
];

/** How much work a synchronous function does. */
export function countWork(run: () => void): number {
  let work = 0;
  const undo: (() => void)[] = [];
  const replace = (owner: object, name: PropertyKey, wrap: (real: Method) => Method): void => {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    const real = Reflect.get(owner, name) as Method;
    Object.defineProperty(owner, name, { configurable: true, writable: true, value: wrap(real) });
    undo.push(() => {
      if (before) Object.defineProperty(owner, name, before);
      else Reflect.deleteProperty(owner, name);
    });
  };
  // What counts calls the same methods.
  let isCounting = false;
  const count = (weigh: () => number): void => {
    if (isCounting) return;
    isCounting = true;
    try {
      work += weigh();
    } finally {
      isCounting = false;
    }
  };
  const expressions = new Map<string, CountedExpression>();
  try {
    for (const [owner, methods] of WEIGHTS)
      for (const [name, weigh] of Object.entries(methods))
        replace(
          owner,
          name,
          (real) =>
            function (this: unknown, ...given) {
              const result = Reflect.apply(real, this, given);
              count(() => weigh(this as never, given, result as never));
              return result;
            },
        );
    // All methods for expressions use `exec` once it is replaced.
    replace(
      RegExp.prototype,
      'exec',
      (real) =>
        function (this: unknown, ...given) {
          const expression = this as RegExp;
          const from = expression.global || expression.sticky ? expression.lastIndex : 0;
          count(() => countExec(expressions, expression, String(given[0]), from));
          return Reflect.apply(real, this, given);
        },
    );
    replace(
      String.prototype,
      Symbol.iterator,
      (real) =>
        function (this: unknown) {
          const characters = Reflect.apply(real, this, []) as IterableIterator<string>;
          return {
            next: () => {
              work += 1;
              return characters.next();
            },
            [Symbol.iterator]() {
              return this;
            },
          };
        },
    );
    run();
  } finally {
    for (const each of undo.toReversed()) each();
  }
  return work;
}

function countExec(
  known: Map<string, CountedExpression>,
  expression: RegExp,
  text: string,
  from: number,
): number {
  const key = String(expression);
  let counted = known.get(key);
  if (!counted) known.set(key, (counted = new CountedExpression(expression)));
  return counted.countExec(text, from);
}
