// Texts on which an expression takes longest: its own beginnings over and over, and its runs without the end they need.

/** A part of an expression: what it may match, and whether it may do so any number of times. */
interface Part {
  samples: string[];
  isRun: boolean;
}

/** Builds texts of about a given length. */
export type BuildText = (size: number) => string;

const ENDS = ['', '\u0001', '\n\u0001', '/x'];

/** For each run of the expression: the run alone behind what precedes it, and both over and over. */
export function listHostileTexts({ source, flags }: RegExp): BuildText[] {
  const builders = new Map<string, BuildText>();
  const add = (name: string, build: BuildText): void => void builders.set(name, build);
  for (const parts of readAlternatives(source, flags)) {
    let before = '';
    for (const { samples, isRun } of parts) {
      for (const sample of isRun ? samples : []) {
        for (const end of ENDS) {
          const start = before;
          add(`1 ${start} ${sample} ${end}`, (size) => `${start}${repeat(sample, size)}${end}`);
          add(`2 ${start}${sample} ${end}`, (size) => `${repeat(`${start}${sample}`, size)}${end}`);
        }
      }
      before += samples[0] ?? '';
    }
  }
  return [...builders.values()];
}

function repeat(piece: string, size: number): string {
  return piece.repeat(Math.ceil(size / Math.max(1, piece.length)));
}

/** What doubles with every character would not come to an end on a longer text. */
const SHORT = { size: 24, most: 300_000 };
/** Sizes at which growth shows, and larger ones for what has a bound of its own, such as `{0,200}`. */
const SIZES = [100, 1000];

/** The power of a text's length with which `count` grows: from counts, so that it is the same on every machine. */
export function fitGrowth(build: BuildText, count: (text: string) => number): number {
  if (count(build(SHORT.size)) > SHORT.most) return Infinity;
  let growth = 0;
  for (const size of SIZES) {
    const [short, long] = [count(build(size)), count(build(size * 2))];
    growth = long === Infinity ? Infinity : Math.log2(long / short);
    if (growth < 1.3) return growth;
  }
  return growth;
}

/** The expression as rows of parts, one for each way through its alternatives; groups are read where they stand. */
function readAlternatives(source: string, flags: string): Part[][] {
  let at = 0;
  const readRow = (): Part[][] => {
    const rows: Part[][] = [];
    let row: Part[] = [];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at += 1;
        rows.push(row);
        row = [];
        continue;
      }
      row.push(...readPart());
    }
    return [...rows, row];
  };
  const readPart = (): Part[] => {
    let samples: string[];
    let inner: Part[] = [];
    const isGroup = source[at] === '(';
    if (isGroup) {
      const opening = /^\((?:\?(?:<?[=!]|:|<\w+>))?/.exec(source.slice(at))?.[0] ?? '(';
      at += opening.length;
      const rows = readRow();
      at += 1;
      // What is looked at and not taken is no part of the text.
      if (/[=!]$/.test(opening)) rows.splice(0);
      inner = rows[0] ?? [];
      samples = rows.map((row) => row.map((part) => part.samples[0] ?? '').join(''));
      // The other alternatives are runs of the same place.
      for (const row of rows.slice(1)) inner = [...inner, ...row.filter((part) => part.isRun)];
    } else samples = readAtom();
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at))?.[0] ?? '';
    at += quantifier.length;
    const isRun = /^[*+]|,\}|,\d{3,}\}/.test(quantifier);
    const least = Number(/^\{(\d+)/.exec(quantifier)?.[1] ?? (/^[*?]/.test(quantifier) ? 0 : 1));
    if (isGroup && !isRun) return least === 0 ? inner.map((part) => ({ ...part })) : inner;
    if (isGroup) return [...inner.filter((part) => part.isRun), { samples: samples.filter(Boolean), isRun }];
    return [
      { samples: isRun ? samples : [(samples[0] ?? '').repeat(Math.max(1, Math.min(least, 20)))], isRun },
    ];
  };
  const readAtom = (): string[] => {
    const char = source[at] ?? '';
    at += 1;
    if (char === '[') return readClass();
    if (char === '\\') return readEscape();
    if (char === '^' || char === '$') return [''];
    return char === '.' ? ['a', ' '] : [char];
  };
  const readEscape = (): string[] => {
    const long = /^(?:u\{?[\da-fA-F]{4,}\}?|x[\da-fA-F]{2}|[pP]\{[^}]*\}|k<\w+>)/.exec(source.slice(at))?.[0];
    const char = long ?? source[at] ?? '';
    at += char.length;
    const known: Record<string, string[]> = {
      d: ['1'],
      D: ['a'],
      w: ['a', '1', '_'],
      W: [' ', '-'],
      s: [' ', '\n', '\t'],
      S: ['a', '-'],
      b: [''],
      B: [''],
      n: ['\n'],
      r: ['\r'],
      t: ['\t'],
      0: ['\0'],
    };
    if (long !== undefined)
      return /^[pPk]/.test(long) ? ['a'] : [String.fromCodePoint(parseInt(long.replace(/[ux{}]/g, ''), 16))];
    return known[char] ?? (/\d/.test(char) ? [''] : [char]);
  };
  /** Some of its members: letters, and what is between words, as the two differ for what comes before. */
  const readClass = (): string[] => {
    const start = at;
    for (; source[at] !== ']'; at += 1) if (source[at] === '\\') at += 1;
    at += 1;
    const text = source.slice(start, at);
    const probe = new RegExp(`[${text}`, flags.replace(/[gy]/g, ''));
    const members = Array.from('aZ1-_ .\n\t/:="\',;@<\\`xjs').filter((char) => probe.test(char));
    return members.length > 0 ? members.slice(0, 5) : ['\u2028'];
  };
  return readRow();
}
