// Counts the steps that a backtracking matcher takes for an expression on a text. Time would depend on the load of the machine; the steps do
// not. The matcher follows the language's own rules, so that it backtracks where the real one does, and finds the same matches.

/** Where a match that began at `at` ends, if what follows it matches too; -1 if not. */
type Match = (at: number, next: Next) => number;
type Next = (at: number) => number;
/** The position behind one character, or -1. */
type Unit = (at: number) => number;

interface Found {
  index: number;
  end: number;
}

/** What is given up as endless: far more than any expression takes that is linear. */
const MOST_STEPS = 5_000_000;

class TooManySteps extends Error {}

/** An expression that counts. */
export class CountedExpression {
  #steps = 0;
  readonly #root: Match;
  readonly #flags: string;
  #text = '';
  /** By number, where each group has matched. */
  #groups: ([number, number] | undefined)[] = [];

  constructor({ source, flags }: Pick<RegExp, 'source' | 'flags'>) {
    this.#flags = flags;
    this.#root = this.#compile(source);
  }

  /** The first match from a position on, as `exec` finds it. */
  exec(text: string, from: number): Found | undefined {
    this.#text = text;
    for (let index = from; index <= text.length; index = this.#isWide ? behind(text, index) : index + 1) {
      this.#groups = [];
      const end = this.#root(index, (at) => at);
      if (end >= 0) return { index, end };
      if (this.#flags.includes('y')) return undefined;
    }
    return undefined;
  }

  /** How many steps `replace` takes on a text; Infinity if it comes to no end. */
  count(text: string): number {
    return this.#countSteps(() => this.list(text));
  }

  /** The same of a single `exec`. */
  countExec(text: string, from: number): number {
    return this.#countSteps(() => this.exec(text, from));
  }

  #countSteps(run: () => unknown): number {
    this.#steps = 0;
    try {
      run();
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      return Infinity;
    }
    return this.#steps;
  }

  /** All matches that `replace` would replace. */
  list(text: string): Found[] {
    const all: Found[] = [];
    for (let at = 0; at <= text.length;) {
      const found = this.exec(text, at);
      if (!found) break;
      all.push(found);
      if (!this.#flags.includes('g')) break;
      at = found.end > found.index ? found.end : found.end + 1;
    }
    return all;
  }

  get #isWide(): boolean {
    return /[uv]/.test(this.#flags);
  }

  #tick(): void {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new TooManySteps();
  }

  #compile(source: string): Match {
    let at = 0;
    let groups = 0;
    const names = [...source.matchAll(/\((?!\?)|\(\?<(?![=!])(\w+)>/g)].map(([, name]) => name);

    const readAlternatives = (isBackward: boolean): Match => {
      const rows = [readRow(isBackward)];
      while (source[at] === '|') {
        at += 1;
        rows.push(readRow(isBackward));
      }
      const [only] = rows;
      if (rows.length === 1 && only) return only;
      return (from, next) => {
        for (const row of rows) {
          this.#tick();
          const end = row(from, next);
          if (end >= 0) return end;
        }
        return -1;
      };
    };

    const readRow = (isBackward: boolean): Match => {
      const parts: Match[] = [];
      while (at < source.length && source[at] !== ')' && source[at] !== '|') parts.push(readPart(isBackward));
      if (isBackward) parts.reverse();
      const [first = (from: number, next: Next) => next(from), ...others] = parts;
      return others.reduce<Match>(
        (before, part) => (from, next) => before(from, (mid) => part(mid, next)),
        first,
      );
    };

    const readPart = (isBackward: boolean): Match => {
      const assertion = readAssertion();
      if (assertion) return assertion;
      const first = groups;
      const [unit, match] = source[at] === '(' ? readGroup(isBackward) : readAtom(isBackward);
      const quantifier = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})(\??)/.exec(source.slice(at));
      if (!quantifier) return match;
      at += quantifier[0].length;
      const [text, least, comma, most, lazy] = quantifier;
      const sign = text[0] ?? '';
      const min = least === undefined ? (sign === '+' ? 1 : 0) : Number(least);
      const max =
        least === undefined ? (sign === '?' ? 1 : Infinity) : comma ? Number(most || Infinity) : min;
      const limits = { min, max, isLazy: lazy === '?' };
      return unit ? this.#repeatUnit(unit, limits) : this.#repeat(match, limits, [first, groups]);
    };

    const readAssertion = (): Match | undefined => {
      const when =
        (holds: (from: number) => boolean): Match =>
        (from, next) => {
          this.#tick();
          return holds(from) ? next(from) : -1;
        };
      const isLineEnd = (char: string | undefined): boolean =>
        char !== undefined && this.#flags.includes('m') && /[\n\r\u2028\u2029]/.test(char);
      const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
      const isEdge = (from: number): boolean => isWord(this.#text[from - 1]) !== isWord(this.#text[from]);
      const two = source.slice(at, at + 2);
      if (two === String.raw`\b` || two === String.raw`\B`) {
        at += 2;
        return when((from) => isEdge(from) === (two[1] === 'b'));
      }
      if (source[at] === '^') {
        at += 1;
        return when((from) => from === 0 || isLineEnd(this.#text[from - 1]));
      }
      if (source[at] === '$') {
        at += 1;
        return when((from) => from === this.#text.length || isLineEnd(this.#text[from]));
      }
      const look = /^\(\?(<?)([=!])/.exec(source.slice(at));
      if (!look) return undefined;
      at += look[0].length;
      const inner = readAlternatives(look[1] === '<');
      at += 1;
      // What is looked at is not tried in another way later.
      return when((from) => inner(from, (end) => end) >= 0 === (look[2] === '='));
    };

    const readGroup = (isBackward: boolean): [undefined, Match] => {
      const opening = /^\((?:\?:|\?<\w+>)?/.exec(source.slice(at))?.[0] ?? '(';
      if (source.slice(at, at + 2) === '(?' && opening === '(')
        throw new Error(`${source} has a group of an unknown kind`);
      at += opening.length;
      const number = opening === '(?:' ? undefined : (groups += 1);
      const inner = readAlternatives(isBackward);
      at += 1;
      if (number === undefined) return [undefined, inner];
      return [
        undefined,
        (from, next) =>
          inner(from, (end) => {
            const before = this.#groups[number];
            this.#groups[number] = [Math.min(from, end), Math.max(from, end)];
            const last = next(end);
            if (last < 0) this.#groups[number] = before;
            return last;
          }),
      ];
    };

    const readAtom = (isBackward: boolean): [Unit | undefined, Match] => {
      const back = /^\\(?:([1-9]\d*)|k<(\w+)>)/.exec(source.slice(at));
      if (back) {
        at += back[0].length;
        const number = back[1] === undefined ? names.indexOf(back[2]) + 1 : Number(back[1]);
        return [undefined, this.#referTo(number, isBackward)];
      }
      const start = at;
      if (source[at] === '[') {
        for (at += 1; source[at] !== ']'; at += 1) if (source[at] === '\\') at += 1;
        at += 1;
      } else if (source[at] === '\\') {
        const word = /^\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|.)/i.exec(
          source.slice(at),
        )?.[0];
        at += word?.length ?? 2;
      } else at += this.#isWide ? String.fromCodePoint(source.codePointAt(at) ?? 0).length : 1;
      const unit = this.#oneCharacter(source.slice(start, at), isBackward);
      return [
        unit,
        (from, next) => {
          const end = unit(from);
          return end < 0 ? -1 : next(end);
        },
      ];
    };

    const match = readAlternatives(false);
    if (at < source.length) throw new Error(`${source} cannot be read from ${at} on`);
    return match;
  }

  /** One character: the real matcher says which, once for each. */
  #oneCharacter(source: string, isBackward: boolean): Unit {
    const probe = new RegExp(
      `^${/^[/]$/.test(source) ? `\\${source}` : source}$`,
      this.#flags.replaceAll(/[^isuv]/g, ''),
    );
    const isWide = this.#isWide;
    const known = new Map<number, boolean>();
    return (from) => {
      this.#tick();
      const text = this.#text;
      let to = isBackward ? from - 1 : from + 1;
      if (isWide) to = isBackward ? before(text, from) : behind(text, from);
      if (to < 0 || to > text.length) return -1;
      const at = isBackward ? to : from;
      const code = isWide ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at);
      let isMember = known.get(code);
      if (isMember === undefined) {
        isMember = probe.test(isWide ? String.fromCodePoint(code) : String.fromCharCode(code));
        known.set(code, isMember);
      }
      return isMember ? to : -1;
    };
  }

  #referTo(number: number, isBackward: boolean): Match {
    return (from, next) => {
      this.#tick();
      const [start, end] = this.#groups[number] ?? [0, 0];
      const word = this.#text.slice(start, end);
      this.#steps += word.length;
      const to = isBackward ? from - word.length : from + word.length;
      const isThere = this.#text.startsWith(word, Math.min(from, to));
      return isThere && to >= 0 ? next(to) : -1;
    };
  }

  /** A run of single characters, without a call inside a call for each. */
  #repeatUnit(unit: Unit, { min, max, isLazy }: Limits): Match {
    return (from, next) => {
      let at = from;
      let count = 0;
      for (; count < min; count += 1) if ((at = unit(at)) < 0) return -1;
      if (isLazy) {
        for (; ; count += 1) {
          const end = next(at);
          if (end >= 0 || count >= max || (at = unit(at)) < 0) return end;
        }
      }
      const stops = [at];
      for (; count < max && (at = unit(at)) >= 0; count += 1) stops.push(at);
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
        this.#tick();
        const end = next(stop);
        if (end >= 0) return end;
      }
      return -1;
    };
  }

  #repeat(match: Match, { min, max, isLazy }: Limits, [first, last]: [number, number]): Match {
    const go = (from: number, count: number, next: Next): number => {
      this.#tick();
      const more = (): number => {
        if (count >= max) return -1;
        // Each round begins with groups that have not matched.
        const kept = first < last ? this.#groups.slice() : this.#groups;
        for (let group = first + 1; group <= last; group += 1) this.#groups[group] = undefined;
        const end = match(from, (to) => (to === from && count >= min ? -1 : go(to, count + 1, next)));
        if (end < 0) this.#groups = kept;
        return end;
      };
      if (count < min) return more();
      if (isLazy) {
        const end = next(from);
        return end >= 0 ? end : more();
      }
      const end = more();
      return end >= 0 ? end : next(from);
    };
    return (from, next) => go(from, 0, next);
  }
}

interface Limits {
  min: number;
  max: number;
  isLazy: boolean;
}

function behind(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1);
}

function before(text: string, at: number): number {
  return at >= 2 && (text.codePointAt(at - 2) ?? 0) > 0xff_ff ? at - 2 : at - 1;
}
