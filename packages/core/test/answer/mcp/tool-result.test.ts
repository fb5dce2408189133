import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolResultError } from '../../../src/errors.js';
import {
  audio,
  errorResult,
  image,
  jsonBlock,
  resource,
  textBlock,
} from '../../../src/answer/mcp/result/content-helpers.js';
import { RETURN_KINDS, toToolResult } from '../../../src/answer/mcp/result/to-tool-result.js';
import type { ToolContent } from '../../../src/answer/mcp/result/tool-content.js';
import { readWholePage } from '../../../../../test/package/project.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

const source = { server: 'my server', tool: 'make' };
const convert = (value: unknown) => toToolResult(value, source);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]);
const GIF = Buffer.from('GIF89a\x01\0\x01\0', 'latin1');
const WEBP = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');
const WAV = Buffer.from('RIFF\x10\0\0\0WAVEfmt ', 'latin1');
const SVG = Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>');

describe('plain values', () => {
  const values: [unknown, unknown][] = [
    ['hello', [{ type: 'text', text: 'hello' }]],
    ['', [{ type: 'text', text: 'The tool completed with no output.' }]],
    [undefined, [{ type: 'text', text: 'The tool completed with no output.' }]],
    [null, [{ type: 'text', text: 'null' }]],
    [0, [{ type: 'text', text: '0' }]],
    [1.5, [{ type: 'text', text: '1.5' }]],
    [false, [{ type: 'text', text: 'false' }]],
    [{ a: [1, null] }, [{ type: 'text', text: '{"a":[1,null]}' }]],
    [[1, 'two'], [{ type: 'text', text: '[1,"two"]' }]],
    [[], [{ type: 'text', text: '[]' }]],
    [new Map([['a', 1]]), [{ type: 'text', text: '{"a":1}' }]],
    [new Set([1, 2]), [{ type: 'text', text: '[1,2]' }]],
    [new Date(0), [{ type: 'text', text: '1970-01-01T00:00:00.000Z' }]],
    // Data that only resembles a result is data.
    [{ content: 'a text', title: 't' }, [{ type: 'text', text: '{"content":"a text","title":"t"}' }]],
    [{ content: [], title: 't' }, [{ type: 'text', text: '{"content":[],"title":"t"}' }]],
    [
      { content: [{ type: 'para' }], id: 1 },
      [{ type: 'text', text: '{"content":[{"type":"para"}],"id":1}' }],
    ],
    [{ type: 'text', text: 'x', id: 1 }, [{ type: 'text', text: '{"type":"text","text":"x","id":1}' }]],
  ];
  it.each(values)('%o', (value, content) => {
    expect(convert(value)).toEqual({ content });
  });

  it('any JSON value comes out as its JSON, or as itself when it is a text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const result = convert(value) as { content: { text: string }[] };
        const given = typeof value === 'string' ? value : JSON.stringify(value);
        expect(result.content[0]?.text).toBe(value === '' ? 'The tool completed with no output.' : given);
      }),
    );
  });

  it('an Error is a failed result with its causes and without its stack', () => {
    const error = new Error('outer', { cause: new Error('inner', { cause: 'root' }) });
    expect(convert(error)).toEqual({
      content: [{ type: 'text', text: 'outer\nCaused by: inner\nCaused by: root' }],
      isError: true,
    });
  });

  it('a ring of causes and a hostile value end', () => {
    const a = new Error('a');
    a.cause = new Error('b', { cause: a });
    expect(errorResult(a).content).toEqual([{ type: 'text', text: 'a\nCaused by: b' }]);
    const hostile = {
      get message(): string {
        throw new Error('no');
      },
    };
    expect(errorResult(hostile).content[0]).toMatchObject({ type: 'text' });
    expect(errorResult(new AggregateError([new Error('x'), 'y'], 'all failed')).content).toEqual([
      { type: 'text', text: 'all failed\n- x\n- y' },
    ]);
  });

  it.each([
    [{ a: { b: 1n } }, /result\.a\.b is a BigInt/],
    [[{ n: 1n }], /result\[0\]\.n is a BigInt/],
    [10n, /bigint/],
    [Symbol('s'), /symbol/],
    [() => {}, /function/],
    [Readable.from(['x']), /stream/],
    [new ReadableStream(), /stream/],
    [{ toJSON: () => undefined }, /no JSON form/],
  ])('%o is refused with a reason', (value, reason) => {
    expect(() => convert(value)).toThrow(ToolResultError);
    expect(() => convert(value)).toThrow(reason);
  });

  it('a cycle is refused with its path', () => {
    const cycle: Record<string, unknown> = { a: {} };
    (cycle['a'] as Record<string, unknown>)['back'] = cycle;
    expect(() => convert(cycle)).toThrow(/result\.a\.back refers back/);
  });

  it('the same object twice is no cycle', () => {
    const shared = { x: 1 };
    expect(convert({ a: shared, b: shared })).toMatchObject({
      content: [{ text: '{"a":{"x":1},"b":{"x":1}}' }],
    });
  });
});

describe('bytes', () => {
  it.each([
    [PNG, 'image/png'],
    [JPEG, 'image/jpeg'],
    [GIF, 'image/gif'],
    [WEBP, 'image/webp'],
  ])('%o are a picture of the type %s', (bytes, mimeType) => {
    expect(convert(bytes)).toEqual({
      content: [{ type: 'image', data: bytes.toString('base64'), mimeType }],
    });
    expect(convert(new Uint8Array(bytes))).toEqual(convert(bytes));
    expect(convert(new Uint8Array(bytes).buffer)).toEqual(convert(bytes));
  });

  it('sound is sound', () => {
    expect(convert(WAV)).toEqual({
      content: [{ type: 'audio', data: WAV.toString('base64'), mimeType: 'audio/wav' }],
    });
  });

  it.each([
    [Buffer.from('anything'), 'application/octet-stream'],
    [SVG, 'image/svg+xml'],
    [Buffer.from('%PDF-1.7'), 'application/pdf'],
    [Buffer.from('BMW is no bitmap'), 'application/octet-stream'],
  ])('%o are a resource', (bytes, mimeType) => {
    expect(convert(bytes)).toEqual({
      content: [
        {
          type: 'resource',
          resource: { uri: 'tool-result://my%20server/make', mimeType, blob: bytes.toString('base64') },
        },
      ],
    });
  });

  it('a view into a larger buffer gives only its own bytes', () => {
    const whole = Buffer.concat([Buffer.from('xxxx'), PNG, Buffer.from('yyyy')]);
    expect(convert(whole.subarray(4, 4 + PNG.length))).toEqual(convert(PNG));
  });

  it('a Blob is read, and its bytes count more than its type', async () => {
    expect(await convert(new Blob([PNG], { type: 'image/jpeg' }))).toEqual(convert(PNG));
    expect(await convert(new Blob(['a,b'], { type: 'text/csv' }))).toMatchObject({
      content: [{ resource: { mimeType: 'text/csv' } }],
    });
  });

  it('no bytes are no output', () => {
    expect(convert(Buffer.alloc(0))).toEqual(convert(undefined));
  });
});

describe('helpers', () => {
  it('make blocks that stand for themselves, alone or in a list with texts', () => {
    expect(convert(textBlock('a'))).toEqual({ content: [{ type: 'text', text: 'a' }] });
    expect(convert(jsonBlock({ a: 1 }))).toEqual({ content: [{ type: 'text', text: '{"a":1}' }] });
    expect(convert(['Look:', image(PNG), audio(WAV)])).toEqual({
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
        { type: 'audio', data: WAV.toString('base64'), mimeType: 'audio/wav' },
      ],
    });
    expect(convert(resource({ uri: 'x://1', text: 't' }))).toEqual({
      content: [{ type: 'resource', resource: { uri: 'x://1', text: 't' } }],
    });
    expect(resource({ uri: 'x://2', data: PNG }).resource).toEqual({
      uri: 'x://2',
      mimeType: 'image/png',
      blob: PNG.toString('base64'),
    });
    expect(errorResult('no').isError).toBe(true);
  });

  it('image reads base64 and data URLs, and trusts the bytes', () => {
    const base64 = JPEG.toString('base64');
    expect(image(`data:image/png;base64,${base64}`)).toEqual({
      type: 'image',
      data: base64,
      mimeType: 'image/jpeg',
    });
    expect(image(base64, 'image/png').mimeType).toBe('image/jpeg');
  });

  it.each([
    [() => image(SVG), /svg.*convert it to PNG/],
    [() => image(Buffer.from('nothing known'), 'image/png'), /bytes were not recognized/],
    [() => image('not base64!'), /not base64/],
    [() => image(''), /not base64/],
    [() => image(Buffer.alloc(0)), /empty/],
    [() => audio(Buffer.from('zzzz')), /audio\//],
    [() => jsonBlock(1n), /BigInt/],
  ])('%s is refused', (make, reason) => {
    expect(make).toThrow(ToolResultError);
    expect(make).toThrow(reason);
  });
});

describe('MCP results', () => {
  it('go through untouched, as the same object', () => {
    const results = [
      { content: [] },
      { content: [{ type: 'text', text: '' }] },
      { content: [{ type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' }], isError: false },
      { content: [{ type: 'resource_link', uri: 'x://3', name: 'n', description: 'd' }], _meta: { a: 1 } },
      { content: [{ type: 'text', text: 'x' }], structuredContent: { a: 1 }, custom: true },
    ];
    for (const result of results) expect(convert(result)).toBe(result);
  });

  it('is_error is read like isError, and missing content is none', () => {
    expect(convert({ content: [{ type: 'text', text: 'x' }], is_error: true })).toEqual({
      content: [{ type: 'text', text: 'x' }],
      isError: true,
    });
    expect(convert({ content: [], is_error: false })).toEqual({ content: [] });
    expect(convert({ structuredContent: { a: 1 } })).toEqual({ content: [], structuredContent: { a: 1 } });
    expect(convert({ isError: true })).toEqual({ content: [], isError: true });
  });

  const png = PNG.toString('base64');
  it.each([
    [{ type: 'image', data: SVG.toString('base64'), mimeType: 'image/svg+xml' }, /image\/svg\+xml.*convert/],
    [{ type: 'image', data: JPEG.toString('base64'), mimeType: 'image/jpg' }, /image\/jpeg/],
    [{ type: 'image', data: 'not base64', mimeType: 'image/png' }, /not base64/],
    [{ type: 'image', data: '', mimeType: 'image/png' }, /not base64/],
    [{ type: 'image', data: `data:image/png;base64,${png}`, mimeType: 'image/png' }, /data URL/],
    [{ type: 'image', data: png, mimeType: 'image/jpeg' }, /bytes are image\/png/],
    [{ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }, /bytes are not/],
    [{ type: 'image', url: 'http://x' }, /lacks "data"/],
    [{ type: 'audio', data: '%', mimeType: 'audio/wav' }, /not base64/],
    [{ type: 'resource', resource: { uri: 'x://', blob: '%' } }, /not base64/],
    [{ type: 'resource', resource: { uri: 'x://' } }, /lacks a "resource"/],
    [{ type: 'resource_link', uri: 'x://' }, /lacks "uri" and "name"/],
    [{ type: 'text' }, /lacks its "text"/],
    [{ type: 'video', data: '' }, /"video"/],
    ['a string', /must be an object/],
    [null, /must be an object/],
  ])('the block %o becomes a text that says what to do, and the call fails', (block, reason) => {
    const kept = { type: 'text', text: 'kept' };
    const result = convert({ content: [kept, block] }) as { content: { text: string }[]; isError: boolean };
    expect(result.isError).toBe(true);
    expect(result.content[0]).toBe(kept);
    expect(result.content[1]?.text).toMatch(reason);
  });

  it('what JSON cannot hold is found before the line is written', () => {
    const block = { type: 'text', text: 'x' };
    expect(() => convert({ content: [{ ...block, annotations: 1n }] })).toThrow(
      /content\[0\]\.annotations.*BigInt/,
    );
    expect(() => convert({ ...block, annotations: { a: 1n } })).toThrow(/annotations\.a is a BigInt/);
    expect(() => convert({ content: [block], custom: 1n })).toThrow(/result\.custom is a BigInt/);
    expect(() => convert({ content: [{ ...block, toJSON: () => undefined }] })).toThrow(/toJSON/);
    expect(() => convert({ content: Object.assign([block], { toJSON: () => [] }) })).toThrow(/toJSON/);
    const dated = { content: [block], structuredContent: { at: new Date(0) } };
    expect(convert(dated)).toBe(dated);
    expect(() => convert({ content: [], structuredContent: { n: 1n } })).toThrow(/BigInt/);
    expect(() => convert({ content: [], _meta: { n: 1n } })).toThrow(/BigInt/);
    expect(() => convert({ content: [], structuredContent: [1] })).toThrow(/must be an object/);
  });
});

describe('the kinds there are', () => {
  const [, table = ''] = /\| returned \|[^\n]*\n([^]*?)\n\n/.exec(readWholePage('docs/tools.md')) ?? [];

  /** One object of each kind, and how the table of docs/tools.md names it. */
  const OBJECTS: [string, object][] = [
    ['`{ content: [...] }`', { content: [] }],
    ['`Error`', new Error('x')],
    ['`Uint8Array`', new Uint8Array([1])],
    ['`ArrayBuffer`', new ArrayBuffer(1)],
    ['`Blob`', new Blob(['x'])],
    ['content block', { type: 'text', text: 'x' }],
    ['list of texts and blocks', ['x', { type: 'text', text: 'y' }]],
    ['stream', Readable.from([])],
    ['`Map`', new Map()],
    ['`Set`', new Set()],
    ['`Date`', new Date(0)],
  ];
  /** One block of each type. */
  const BLOCKS: { [Kind in ToolContent as Kind['type']]: Kind } = {
    text: { type: 'text', text: 'x' },
    image: { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
    audio: { type: 'audio', data: WAV.toString('base64'), mimeType: 'audio/wav' },
    resource: { type: 'resource', resource: { uri: 'a://b', text: 'x' } },
    resource_link: { type: 'resource_link', uri: 'a://b', name: 'b' },
  };

  it('of objects each have one here, and a line in the table', () => {
    const kinds = OBJECTS.map(([, value]) => RETURN_KINDS.find((kind) => kind.matches(value)));
    expect(kinds).toEqual(RETURN_KINDS);
    for (const [name] of OBJECTS) expect(table).toContain(name);
  });

  it('of blocks are sent as they are, and are in the table and in the error about others', () => {
    const refused = JSON.stringify(convert({ content: [{ type: 'moon' }] }));
    for (const [type, block] of Object.entries(BLOCKS)) {
      expect(convert({ content: [block] })).toEqual({ content: [block] });
      expect(convert(block)).toEqual({ content: [block] });
      expect(table).toContain(`\`${type}\``);
      expect(refused).toContain(type);
    }
  });
});

describe('any value at all', () => {
  class Odd {
    readonly #own = 1;
    readonly shown = this.#own;
    get broken(): never {
      throw new Error('a getter');
    }
  }
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const trap = (_target: object, key?: string | symbol): never => {
    // fast-check itself asks for symbols of its own.
    if (typeof key === 'symbol') return undefined as never;
    throw new Error('trapped');
  };
  const throwing = new Proxy({}, { get: trap, has: trap, ownKeys: trap });
  const deep = (): unknown => {
    let value: unknown = [];
    for (let depth = 0; depth < 8_000; depth += 1) value = [value];
    return value;
  };
  const STRANGE: unknown[] = [
    undefined,
    null,
    1n,
    Symbol('s'),
    () => 1,
    Number.NaN,
    -0,
    new Odd(),
    cycle,
    throwing,
    deep(),
    new Map<unknown, unknown>([[{}, 1n]]),
    new Set([1n]),
    new Date(Number.NaN),
    /x/,
    new Error(''),
    Odd,
    new Proxy([], {}),
    Object.create(null),
    { toJSON: () => undefined },
    { toJSON: () => 1n },
    new Uint8Array(3),
    new Float64Array(2),
    new ArrayBuffer(0),
    new WeakMap(),
    new Blob(['x']),
    PNG,
    Object.freeze({ content: [] }),
    { content: 'text' },
    { content: null },
    { content: {} },
  ];
  const strange = fc.nat(STRANGE.length - 1).map((index) => STRANGE[index]);
  const loose = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withTypedArray: true,
    withSparseArray: true,
    withObjectString: true,
  });
  const part = fc.oneof(strange, loose);
  const word = fc.oneof(fc.constantFrom('x', 'image/png', PNG.toString('base64'), ''), part);
  const poison = fc.constantFrom<unknown>(1n, { a: [1n] }, cycle, { toJSON: () => undefined }, () => 1);
  const poisoned = fc.record(
    { type: fc.constant('text'), text: fc.constant('x'), annotations: poison, _meta: poison, toJSON: poison },
    { requiredKeys: ['type', 'text'] },
  );
  const types = fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link');
  const block = fc.record(
    {
      type: fc.oneof({ weight: 5, arbitrary: types }, part),
      text: word,
      data: word,
      mimeType: word,
      uri: word,
      name: word,
      annotations: part,
      _meta: part,
      resource: fc.oneof(fc.record({ uri: word, text: word, more: part }), part),
    },
    { requiredKeys: [] },
  );
  const resultish = fc.record(
    {
      content: fc.oneof(fc.array(fc.oneof(block, poisoned, part), { maxLength: 3 }), part),
      structuredContent: part,
      isError: part,
      is_error: part,
      _meta: part,
      custom: poison,
    },
    { requiredKeys: [] },
  );

  it('becomes a result that can be sent, or an error that says why not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(part, block, poisoned, fc.array(block), resultish), async (value) => {
        let result: unknown;
        try {
          result = await convert(value);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolResultError);
          expect((error as Error).message).toMatch(/\w+ .*\w/);
          return;
        }
        // As the other side reads it: nothing in it may depend on what JSON leaves out.
        const sent = JSON.parse(JSON.stringify(result)) as { content?: unknown; isError?: unknown };
        expect(Array.isArray(sent.content)).toBe(true);
        for (const each of sent.content as { type?: unknown }[]) expect(each.type).toBeTypeOf('string');
        expect(['undefined', 'boolean']).toContain(typeof sent.isError);
      }),
      propertyOptions(300),
    );
  });
});
