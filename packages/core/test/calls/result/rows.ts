// Every kind of result that a call can have, one row each. A live call of each row is compared with what we make of it
// (test/e2e/shown-results.long.test.ts), and so are the recordings of live calls, without a CLI (show-to-model.test.ts).
import { pngOf } from './make-png.js';

/** A result, an error or a denial, and what is special about the row. */
export interface ResultRow {
  readonly name: string;
  readonly result?: Record<string, unknown>;
  /** A JSON-RPC error instead of a result. */
  readonly error?: { code: number; message: string; data?: unknown };
  /** A denial by the permission callback instead of a call. */
  readonly denial?: { message: string; interrupt?: boolean };
  /** `wide` and `tiny` have a `maxResultSizeChars`, see `TOOL_LIMITS`. */
  readonly tool?: 'wide' | 'tiny';
  /** Why the bytes differ from a live call's, by CLI. */
  readonly differs?: { old?: string; new?: string };
}

/** `anthropic/maxResultSizeChars` of the tools; `ask` is the one that is asked about. */
export const TOOL_LIMITS = { give: undefined, wide: 500_000, tiny: 10, ask: undefined } as const;

/** The server's name, with a character that does not come through in names of tools and files. */
export const SERVER = 'demo.x';

type Block = Record<string, unknown>;

const text = (words: string, more: Block = {}): Block => ({ type: 'text', text: words, ...more });
const image = (data: string, mimeType = 'image/png'): Block => ({ type: 'image', data, mimeType });
const audio = (data: string, mimeType: string): Block => ({ type: 'audio', data, mimeType });
const resource = (facts: Block): Block => ({ type: 'resource', resource: facts });
const link = (facts: Block): Block => ({ type: 'resource_link', uri: 'demo://3', name: 'third', ...facts });

const PNG = pngOf(1, 1);
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const WEBP = 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=';
const WAV = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WAVEfmt '), Buffer.alloc(8)]).toString('base64');
const BYTES = 'AQIDBA==';
const padded = (bytes: number): string =>
  Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(bytes)]).toString('base64');

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
const many = (count: number, length: number): Block[] =>
  Array.from({ length: count }, (_, index) => text(`${index} `.padEnd(length, 'y')));
const table = (count: number): Block => ({
  rows: Array.from({ length: count }, (_, id) => ({
    id,
    name: `row ${id}`,
    ok: true,
    none: null,
    tags: ['a'],
  })),
  total: count,
});

const ODD = 'ä\u2028\u2029\u0085\ufeff\u0000 😀 \ud800 end \u001b[31m \r\n \u0007 \u{e0041}\u200b\u202e';

function succeed(name: string, content: Block[], more: Omit<ResultRow, 'name'> = {}): ResultRow {
  return { name, result: { content }, ...more };
}

function fail(name: string, content: Block[] | undefined, more: Block = {}): ResultRow {
  return { name, result: { ...(content && { content }), isError: true, ...more } };
}

function structured(name: string, content: Block[] | undefined, structuredContent: unknown): ResultRow {
  return { name, result: { ...(content && { content }), structuredContent } };
}

const ENCODED_ANEW = 'the CLI encodes the image anew; here the original is sent';
const SAVED = 'the CLI encodes the image anew; here it is saved, because the API might refuse it';

const TEXTS: ResultRow[] = [
  succeed('a text', [text('hello')]),
  succeed('three texts', [text('one'), text('two'), text('three')]),
  succeed('an empty text', [text('')]),
  succeed('two empty texts', [text(''), text('')]),
  succeed('an empty text and another', [text(''), text('x')]),
  succeed('white space', [text('  \n')]),
  succeed('a text and white space', [text('a'), text(' \n')]),
  succeed('a text that ends with white space', [text('a \n\n')]),
  succeed('odd characters', [text(ODD)]),
  succeed('tags', [text('<system-reminder>x</system-reminder>')]),
  succeed('no blocks', []),
  { name: 'no content', result: {} },
  { name: 'a result of the first protocol', result: { toolResult: 'old' } },
  { name: 'not an error', result: { content: [text('x')], isError: false } },
  { name: 'fields that nobody knows', result: { content: [text('x', { extra: 1 })], extra: 2, error: 'e' } },
  { name: 'facts for the host', result: { content: [text('x')], _meta: { a: 1 } } },
  { name: 'no facts for the host', result: { content: [text('x')], _meta: {} } },
  { name: 'facts for the host and no blocks', result: { content: [], _meta: { a: 1 } } },
  succeed('facts for the host in one of two equal texts', [text('x', { _meta: { b: 1 } }), text('x')]),
  succeed('annotations', [text('x', { annotations: { audience: ['user'], priority: 1 } })]),
];

const BINARIES: ResultRow[] = [
  succeed('an image', [image(PNG)]),
  succeed('two images', [image(PNG), image(GIF, 'image/gif')]),
  succeed('a text, an image, a text', [text('a'), image(PNG), text('b')]),
  succeed('an image of another type than it says', [image(PNG, 'image/jpeg'), image(GIF)]),
  succeed('a WebP', [image(WEBP, 'image/webp')]),
  succeed('an image with parameters', [image(PNG, 'image/PNG; a=b')]),
  succeed('an image the API refuses', [image('PHN2Zy8+', 'image/svg+xml')]),
  succeed('an image of an unknown type', [image(PNG, 'foo')]),
  succeed('an image that is none', [image('AAAA')]),
  succeed('an empty image', [image('')]),
  succeed('an image of too many squares', [image(pngOf(1933, 1932))], { differs: { new: ENCODED_ANEW } }),
  succeed('an image that is too wide', [image(pngOf(2001, 10))], { differs: { new: SAVED } }),
  succeed('a sound', [audio(WAV, 'audio/wav')]),
  succeed('a text and a sound', [text('x'), audio(WAV, 'audio/mpeg')]),
  succeed('a sound of an unknown type', [audio(WAV, 'audio/x-odd')]),
  succeed('a resource', [resource({ uri: 'demo://1', text: 'inside', mimeType: 'text/plain' })]),
  succeed('an empty resource', [resource({ uri: 'demo://1', text: '' })]),
  succeed('a resource with text and bytes', [resource({ uri: 'demo://1', text: 'both', blob: BYTES })]),
  succeed('bytes', [resource({ uri: 'demo://2', blob: BYTES })]),
  succeed('no bytes', [resource({ uri: 'demo://2', blob: '', mimeType: '' })]),
  ...['application/pdf', ' TEXT/plain; charset=utf-8', 'application/x-foo', 'image/svg+xml', 'image/jpg'].map(
    (mimeType) => succeed(`bytes of ${mimeType}`, [resource({ uri: 'demo://2', blob: PNG, mimeType })]),
  ),
  succeed('an image as a resource', [resource({ uri: 'demo://3.png', blob: PNG, mimeType: 'image/png' })]),
  ...[1023, 1024, 1536, 20_000].map((bytes) =>
    succeed(`${bytes} bytes`, [resource({ uri: 'demo://2', blob: Buffer.alloc(bytes).toString('base64') })]),
  ),
  succeed('a link', [link({ description: 'far' })]),
  succeed('a bare link', [link({})]),
  succeed('a link with everything', [
    text('see'),
    link({
      title: 'The third',
      description: 'far',
      mimeType: 'text/x',
      size: 12,
      annotations: { audience: ['user'] },
    }),
  ]),
  succeed('links around a text', [
    link({ description: '' }),
    text('m'),
    link({ uri: 'demo://4', name: 'n' }),
  ]),
  { name: 'a link and facts for the host', result: { content: [link({})], _meta: { a: 1 } } },
];

const STRUCTURED: ResultRow[] = [
  structured('structured content', [text('hidden')], { shown: true, list: [1, 'ä', null] }),
  structured('structured content and no blocks', [], { a: 1 }),
  structured('structured content alone', undefined, { a: 1 }),
  structured('empty structured content', [text('x')], {}),
  structured('structured content and an image', [text('b'), image(PNG), text('c')], { a: 1 }),
  structured('structured content and a link', [link({})], { a: 1 }),
  structured('structured content and a resource', [resource({ uri: 'demo://1', text: 'inside' })], { a: 1 }),
  structured('structured content and a sound', [audio(WAV, 'audio/wav')], { a: 1 }),
  structured('structured content and bytes', [resource({ uri: 'demo://2', blob: BYTES })], { a: 1 }),
  {
    name: 'structured content and facts',
    result: { content: [], structuredContent: { a: 1 }, _meta: { k: 1 } },
  },
];

const ERRORS: ResultRow[] = [
  fail('an error', [text('bad')]),
  fail('an error in two texts', [text('bad'), text('worse')]),
  fail('an error without blocks', []),
  fail('an error without content', undefined),
  fail('an error without a word', [text('')]),
  fail('an error whose first text is empty', [text(''), text('b')]),
  fail('an error with white space around it', [text(' a \n')]),
  fail('an error with an image only', [image(PNG)]),
  fail('an error with an image first', [image(PNG), text('a')]),
  fail('an error with an image between', [text('a'), image(PNG), text('b')]),
  fail('an error with structured content', [text('a')], { structuredContent: { a: 1 } }),
  fail('an error of structured content only', [], { structuredContent: { a: 1 } }),
  fail('an error in a resource', [resource({ uri: 'demo://1', text: 'inside' })]),
  fail('an error in a link', [link({ description: 'far' })]),
  fail('an error with facts for the host', [text('a')], { _meta: { k: 1 } }),
  fail('an error with odd characters', [text('ä\u2028😀\u0000\u001b[31m')]),
  ...[10_000, 10_001, 11_024, 11_025, 1_000_000].map((length) =>
    fail(`an error of ${length} characters`, [text('e'.repeat(length))]),
  ),
  fail('a long error in many lines', [text(lines(3000))]),
  fail('a long error in two texts', [text('a'.repeat(6000)), text('b'.repeat(6000))]),
  fail('a long error of emoji', [text(`x${'😀'.repeat(9000)}`)]),
  fail('a long error of emoji, cut elsewhere', [text(`${'😀'.repeat(9000)}x`)]),
  fail('a long error of white space', [text(`${' '.repeat(6000)}a${' '.repeat(6000)}`)]),
  { name: 'an error of the protocol', error: { code: -32_602, message: 'Bad params', data: { a: 1 } } },
  { name: 'an error of the protocol without a word', error: { code: -1, message: '' } },
];

const BASE64_UNION = 'this CLI lists every kind of block that it is not';
const MALFORMED: ResultRow[] = [
  { name: 'content that is no list', result: { content: 'text' } },
  { name: 'structured content that is a list', result: { content: [text('x')], structuredContent: [1] } },
  { name: 'structured content that is null', result: { content: [text('x')], structuredContent: null } },
  succeed('a block of no known type', [text('a'), { type: 'hologram', x: 1 }]),
  succeed('a text without text', [{ type: 'text' }]),
  succeed('a sound without a type', [{ type: 'audio', data: BYTES }]),
  succeed('a resource without anything', [resource({ uri: 'demo://1' })]),
  succeed('a resource that is no base64', [resource({ uri: 'd://1', blob: '!!!no' })], {
    differs: { old: BASE64_UNION },
  }),
];

const LONG: ResultRow[] = [
  ...[50_000, 50_001, 99_973, 99_974, 120_000].map((length) =>
    succeed(`${length} characters`, [text('x'.repeat(length))]),
  ),
  succeed('60,000 characters that JSON escapes', [text('"'.repeat(60_000))]),
  succeed('60,000 line ends', [text('\n'.repeat(60_000))]),
  succeed('60,000 characters in two texts', [text('a'.repeat(30_000)), text('b'.repeat(30_000))]),
  succeed('50,000 characters in two texts', [text('a'.repeat(49_990)), text('b'.repeat(10))]),
  succeed('60,000 characters in many lines', [text(lines(6000))]),
  succeed('many short texts', many(1800, 30)),
  succeed('texts of 1500 characters', many(40, 1500)),
  succeed('a short text and a long one', [text('s'.repeat(700)), text('l'.repeat(60_000))]),
  succeed('a text of 1000 characters and a long one', [text('s'.repeat(1000)), text('l'.repeat(60_000))]),
  succeed('a long resource', [resource({ uri: 'd://1', text: 'r'.repeat(60_000) })]),
  succeed('a long text and a link', [text('q'.repeat(60_000)), link({})]),
  structured('long structured content', [text('hidden')], table(1000)),
  succeed('a long text and an image', [text('z'.repeat(60_000)), image(PNG)]),
  ...[11, 1954, 1955, 1961].map((length) =>
    succeed(`${length} characters where 10 are allowed`, [text('v'.repeat(length))], { tool: 'tiny' }),
  ),
  succeed('two texts where 10 characters are allowed', [text('hello'), text('world!', { _meta: { a: 1 } })], {
    tool: 'tiny',
  }),
  { ...fail('an error where 10 characters are allowed', [text('hello world')]), tool: 'tiny' },
  {
    ...structured('structured emoji where 10 are allowed', [], { a: `w${'😀'.repeat(1200)}` }),
    tool: 'tiny',
  },
  {
    ...structured('other structured emoji where 10 are allowed', [], { a: '😀'.repeat(1200) }),
    tool: 'tiny',
  },
];

const OVERSIZED: ResultRow[] = [
  succeed('too many tokens in one line', [text('x'.repeat(450_000))]),
  succeed('too many tokens in many lines', [text(lines(60_000))]),
  succeed('too many tokens and a line end', [text(`${'b'.repeat(450_000)}\n`)]),
  succeed('too many tokens, lines of 80,000', [text(`${'w'.repeat(80_000)}\n`.repeat(6))]),
  succeed('too many tokens, lines of 80,001', [text(`${'w'.repeat(80_001)}\n`.repeat(6))]),
  succeed('too many tokens in two texts', [text('a'.repeat(230_000)), text('b\nc'.repeat(80_000))]),
  succeed('too many tokens and an empty text', [text('b'.repeat(450_000)), text('')]),
  succeed('too many tokens that are JSON', [text(JSON.stringify(table(9000)))]),
  succeed('too many tokens in a resource', [resource({ uri: 'd://1', text: 'r'.repeat(460_000) })]),
  structured('too many tokens in structured content', [text('hidden')], table(9000)),
  structured('too many tokens of another shape', [], {
    deep: { b: { c: 1 }, empty: {}, list: [], lists: [[[1]]], first: [{ a: 1 }], none: null },
    e: {},
    'a "key"': 1.5,
    ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`k${index}`, true])),
    pad: 'p'.repeat(450_000),
  }),
  structured('too many tokens, few keys', [], { a: [[[{ x: 1 }]]], b: { c: {} }, pad: 'p'.repeat(450_000) }),
  succeed('too many tokens, then two images', [text('z'.repeat(460_000)), image(PNG), image(PNG)]),
  succeed('too many tokens around an image', [
    text('z'.repeat(100_000)),
    image(PNG),
    text('b'.repeat(360_000)),
  ]),
  succeed('an image, then too many tokens', [image(PNG), text('z'.repeat(460_000)), text('after')]),
  succeed('an image that costs less than is left', [
    text('z'.repeat(94_000)),
    image(PNG),
    text('b'.repeat(360_000)),
  ]),
  succeed('many images, then too many tokens', [
    ...Array.from({ length: 17 }, () => image(PNG)),
    text('z'.repeat(460_000)),
  ]),
  succeed('an image and two long texts', [image(PNG), text('x'.repeat(40_000)), text('y'.repeat(460_000))]),
  succeed('an image and too many tokens where they are allowed', [text('z'.repeat(460_000)), image(PNG)], {
    tool: 'wide',
  }),
  structured('structured content of too many tokens, with an image', [image(PNG)], {
    a: 'x'.repeat(460_000),
  }),
];

// These stay in the conversation, or take long: they come last, because every request repeats what was before.
const HEAVY: ResultRow[] = [
  succeed('an image as large as it may be', [image(pngOf(1932, 1932))]),
  succeed('an image of 500 kB', [image(padded(511_000))]),
  succeed('an image of 520 kB', [image(padded(520_000))], { differs: { new: ENCODED_ANEW } }),
  succeed('an image of 4 MB', [image(padded(4_000_000))], { differs: { new: SAVED, old: SAVED } }),
  succeed('400,000 characters where 500,000 are allowed', [text('w'.repeat(400_000))], { tool: 'wide' }),
  succeed(
    '600,000 characters where 500,000 are allowed',
    [text('a'.repeat(300_000)), text('b'.repeat(300_000))],
    {
      tool: 'wide',
    },
  ),
];

const DENIALS: ResultRow[] = ['Not today.', '', ' spaced \n', 'm'.repeat(12_000), 'ä😀\u2028<b>'].map(
  (message) => ({
    name: `the denial ${JSON.stringify(message.slice(0, 12))}`,
    denial: { message },
  }),
);

/** All rows; the last one ends the turn. */
export const RESULT_ROWS: readonly ResultRow[] = [
  ...TEXTS,
  ...BINARIES,
  ...STRUCTURED,
  ...ERRORS,
  ...MALFORMED,
  ...LONG,
  ...OVERSIZED,
  ...HEAVY,
  ...DENIALS,
  { name: 'the denial that interrupts', denial: { message: 'stop', interrupt: true } },
];
