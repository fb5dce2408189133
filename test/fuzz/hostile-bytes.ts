// Bytes that nobody meant to be read: good examples that were cut, doubled, mixed, spoiled byte by byte or value by value, and garbage.
import * as fc from 'fast-check';

/** What breaks readers: ends of texts and of numbers, names that every object has, depth, and characters that are none. */
const PIECES = [
  '"',
  '\\',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  '\u0000',
  '\u2028',
  '\ufeff',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9007199254740993',
  '"__proto__":',
  '{"__proto__":{"polluted":true}}',
  '"constructor":{"prototype":{"polluted":true}},',
  '%',
  '%00',
  '%ff',
  '../',
  '['.repeat(6000),
  '{"a":'.repeat(6000),
  'x'.repeat(70_000),
].map((text) => Buffer.from(text));
const NOT_UTF_8 = [Buffer.from('ff', 'hex'), Buffer.from('c3', 'hex'), Buffer.from('eda080', 'hex')];

/** Values that are put in the place of others. */
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 53,
  '',
  'toString',
  '__proto__',
  '\ud800',
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  { toString: 1, valueOf: null },
];

type Change = (bytes: Buffer) => Buffer;

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (share: number, bytes: Buffer): number => Math.floor(share * (bytes.length + 1));

const change: fc.Arbitrary<Change> = fc.oneof(
  place.map(
    (share): Change =>
      (bytes) =>
        bytes.subarray(0, at(share, bytes)),
  ),
  fc.tuple(place, fc.constantFrom(...PIECES, ...NOT_UTF_8)).map(
    ([share, piece]): Change =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, at(share, bytes)), piece, bytes.subarray(at(share, bytes))]),
  ),
  fc.tuple(place, fc.integer({ min: 0, max: 255 })).map(([share, byte]): Change => (bytes) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[Math.min(at(share, bytes), changed.length - 1)] = byte;
    return changed;
  }),
  fc.tuple(place, place).map(([one, other]): Change => (bytes) => {
    const [from = 0, to = 0] = [at(one, bytes), at(other, bytes)].sort((left, right) => left - right);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  }),
  fc.tuple(place, place).map(([one, other]): Change => (bytes) => {
    const [from = 0, to = 0] = [at(one, bytes), at(other, bytes)].sort((left, right) => left - right);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  }),
  fc.tuple(fc.nat(400), fc.constantFrom(...VALUES)).map(
    ([index, value]): Change =>
      (bytes) =>
        Buffer.from(changeValue(bytes.toString(), index, value)),
  ),
);

/** Puts a value in the place of another one in a text of JSON, or in one of its lines. Other texts stay. */
function changeValue(text: string, index: number, value: unknown): string {
  const lines = text.split('\n');
  const line = index % lines.length;
  try {
    const root: unknown = JSON.parse(lines[line] ?? '');
    const places: [Record<string, unknown>, string][] = [];
    const collect = (node: unknown, depth = 0): void => {
      if (typeof node !== 'object' || node === null || depth > 50) return;
      for (const [name, inner] of Object.entries(node)) {
        places.push([node as Record<string, unknown>, name]);
        collect(inner, depth + 1);
      }
    };
    collect(root);
    const [owner, name] = places[index % Math.max(places.length, 1)] ?? [];
    if (owner === undefined || name === undefined) return text;
    owner[name] = value;
    lines[line] = JSON.stringify(root);
    return lines.join('\n');
  } catch {
    return text;
  }
}

/** Hostile bytes made of some good ones. */
export function hostileBytes(examples: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const spoiled = fc
    .tuple(fc.constantFrom(...examples), fc.array(change, { minLength: 1, maxLength: 5 }))
    .map(([example, changes]) => changes.reduce((bytes, apply) => apply(bytes), example));
  return fc.oneof(
    { weight: 9, arbitrary: spoiled },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  );
}

/** What is put into texts: ends, escapes that are none, paths that lead out, and names that every object has. */
const SPOILERS = ['%', '%ff', '\u0000', '\ud800', '../', '__proto__', '\n', ',', ' ', 'x'.repeat(3000)];
/** At how many places of bytes that are no JSON. */
const PLACES = 24;

/** The same bytes with one thing wrong: each value in turn, or where they are no JSON, something at each of some places. */
export function spoilOnce(example: Buffer): (() => Buffer)[] {
  const text = example.toString();
  const lines = text.split('\n');
  const spoiled = lines.flatMap((line, index) =>
    spoilLine(line).map(
      (change) => () =>
        Buffer.from(lines.map((each, number) => (number === index ? change() : each)).join('\n')),
    ),
  );
  if (spoiled.length > 0) return spoiled;
  const places = Array.from({ length: PLACES }, (_, place) => Math.floor((example.length * place) / PLACES));
  return places.flatMap((from) =>
    SPOILERS.map(
      (each) => () => Buffer.concat([example.subarray(0, from), Buffer.from(each), example.subarray(from)]),
    ),
  );
}

function spoilLine(line: string): (() => string)[] {
  const changed: (() => string)[] = [];
  try {
    const root: unknown = JSON.parse(line);
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const owner = node as Record<string, unknown>;
      for (const [name, value] of Object.entries(owner)) {
        const texts =
          typeof value === 'string' ? SPOILERS.flatMap((each) => [value + each, each + value]) : [];
        for (const other of [...VALUES, ...texts]) {
          changed.push(() => {
            owner[name] = other;
            const text = JSON.stringify(root);
            owner[name] = value;
            return text;
          });
        }
        visit(value);
      }
    };
    visit(root);
  } catch {
    // It has no values.
  }
  return changed;
}
