// The schema of frames: it takes every recorded frame, and refuses each of them with a field missing or of another type.
import { readFileSync } from 'node:fs';
import { Validator, type Schema } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../scripts/support/protocol/build-schema.mjs';
import { readAllRecordings } from '../../scripts/support/protocol/protocol-files.mjs';
import { createSdkMcpServer, query, tool } from '../../packages/inboard/src/index.js';
import { createFakeCli, reply, text, thinking, toolUse } from '../../packages/inboard/src/testing.js';
import type { TraceEvent } from '../../packages/inboard/src/trace.js';

interface Definition {
  const?: unknown;
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Definition>;
  items?: Definition;
}
type Path = readonly (string | number)[];

const TEXT = readFileSync(new URL('../../schema/frames.schema.json', import.meta.url), 'utf8');
const SCHEMA = JSON.parse(TEXT) as Schema & { $defs: Record<string, Definition> };
const frames = readAllRecordings();
const whole = new Validator(SCHEMA, '2020-12');
const byName = new Map<string, Validator>();

function validatorOf(name: string): Validator {
  const known = byName.get(name) ?? new Validator(SCHEMA.$defs[name] as Schema, '2020-12');
  byName.set(name, known);
  return known;
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Every way to spoil a value that its schema can notice: a required field taken out, a value of another type or text. */
function* spoil(schema: Definition, value: unknown, path: Path = []): Generator<{ path: Path; by: unknown }> {
  if ('const' in schema) yield { path, by: 'something else' };
  const types = schema.type === undefined ? [] : [schema.type].flat();
  const other = [true, 0, 'x', [], {}].find((each) => !types.includes(typeOf(each)));
  if (types.length > 0 && path.length > 0) yield { path, by: other };
  if (typeOf(value) === 'object') {
    const object = value as Record<string, unknown>;
    for (const key of schema.required ?? []) yield { path: [...path, key], by: undefined };
    for (const [key, below] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(object, key)) yield* spoil(below, object[key], [...path, key]);
  }
  if (Array.isArray(value) && value.length > 0 && schema.items)
    yield* spoil(schema.items, value[0], [...path, 0]);
}

function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  if (rest.length === 0 && by === undefined) delete copy[step];
  else copy[step] = replaced(copy[step], rest, by);
  return copy;
}

describe('the schema of frames', () => {
  it('is closed in itself', () => {
    const defined = Object.keys(SCHEMA.$defs);
    const used = [...TEXT.matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name);
    expect(used.length).toBeGreaterThan(50);
    for (const name of used) expect(defined).toContain(name);
  });

  it('takes every recorded frame, as a frame and as what it is', () => {
    const faults = frames.flatMap(({ kind, frame }) => {
      const definition = definitionOf(kind, frame);
      const isFrame = whole.validate(frame).valid;
      const isKind =
        !definition ||
        !SCHEMA.$defs[definition.name] ||
        validatorOf(definition.name).validate(definition.part).valid;
      return isFrame && isKind ? [] : [`${kind}: ${JSON.stringify(frame).slice(0, 200)}`];
    });
    expect(faults).toEqual([]);
    expect(frames.length).toBeGreaterThan(800);
  });

  it('takes what the fake CLI sends, and what is sent to it', async () => {
    const shop = createSdkMcpServer({ name: 'shop', tools: [tool('count', 'Counts', {}, () => 7)] });
    await using fake = createFakeCli([reply(thinking('Hm.'), toolUse('mcp__shop__count')), text('Seven.')]);
    const events: TraceEvent[] = [];
    const session = query({
      prompt: 'How many?',
      options: {
        transport: fake.transport,
        mcpServers: { shop },
        includePartialMessages: true,
        hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
        canUseTool: (_name, input) => Promise.resolve({ behavior: 'allow', updatedInput: input }),
        trace: { write: (event) => void events.push(event) },
      },
    });
    for await (const message of session) void message;
    const sent = events.flatMap((event) => (event.type === 'frame' && event.frame ? [event.frame] : []));
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.filter((frame) => !whole.validate(frame).valid)).toEqual([]);
  });

  it('refuses frames of every kind with a field missing or of another type', () => {
    let count = 0;
    const seen = new Set<string>();
    for (const { kind, frame } of frames) {
      const { name, part } = definitionOf(kind, frame) ?? { name: '', part: undefined };
      const schema = SCHEMA.$defs[name];
      if (!schema || seen.has(name)) continue;
      seen.add(name);
      for (const { path, by } of spoil(schema, part)) {
        count += 1;
        const { valid } = validatorOf(name).validate(replaced(part, path, by));
        expect({ name, path, by, valid }).toEqual({ name, path, by, valid: false });
      }
    }
    expect(seen.size).toBeGreaterThan(90);
    expect(count).toBeGreaterThan(900);
  });

  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['an object without a type', {}],
    ['a request without an id', { type: 'control_request', request: { subtype: 'interrupt' } }],
    ['a request without a subtype', { type: 'control_request', request_id: 'r', request: {} }],
    [
      'a request without a field that it needs',
      { type: 'control_request', request_id: 'r', request: { subtype: 'mcp_message' } },
    ],
    ['an answer of no kind', { type: 'control_response', response: { subtype: 'maybe', request_id: 'r' } }],
    [
      'an error without a text',
      { type: 'control_response', response: { subtype: 'error', request_id: 'r' } },
    ],
    ['a withdrawal of nothing', { type: 'control_cancel_request' }],
    ['an init without facts', { type: 'system', subtype: 'init' }],
    ['a result without its totals', { type: 'result', subtype: 'success' }],
  ])('refuses %s', (_name, value) => {
    expect(whole.validate(value).valid).toBe(false);
  });

  it('takes kinds and fields that are not known yet', () => {
    const sample = frames.find(({ kind }) => kind === 'message in system/init')?.frame;
    expect(whole.validate({ ...sample, brand_new: true }).valid).toBe(true);
    expect(whole.validate({ type: 'brand_new' }).valid).toBe(true);
    expect(whole.validate({ type: 'system', subtype: 'brand_new' }).valid).toBe(true);
    const request = { subtype: 'brand_new', more: 1 };
    expect(whole.validate({ type: 'control_request', request_id: 'r', request }).valid).toBe(true);
  });
});
