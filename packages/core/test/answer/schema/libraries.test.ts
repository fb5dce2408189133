import { describe, expect, it } from 'vitest';
import { compileSchema, type JsonSchema } from '../../../src/answer/schema/compile-schema.js';
import { libraries, reference } from './libraries.js';

const about = { tool: 'weather', side: 'input' } as const;
const good = { city: 'Oslo', days: 3, unit: 'c', tags: ['a'], place: { lat: 1, lon: 2 }, note: null };

const accepted: Record<string, unknown>[] = [
  good,
  { ...good, unit: undefined, note: 'x' },
  { ...good, tags: [] },
  { ...good, place: { lat: 0 } },
  { ...good, days: 14 },
];
const refused: [path: (string | number)[], Record<string, unknown>][] = [
  [['city'], { ...good, city: undefined }],
  [['city'], { ...good, city: '' }],
  [['city'], { ...good, city: 5 }],
  [['days'], { ...good, days: 0 }],
  [['days'], { ...good, days: '3' }],
  [['days'], { ...good, days: 15 }],
  [['unit'], { ...good, unit: 'k' }],
  [['tags'], { ...good, tags: 'a' }],
  [['tags', 1], { ...good, tags: ['a', 1] }],
  [['place'], { ...good, place: null }],
  [['place', 'lat'], { ...good, place: { lon: 2 } }],
  [['place', 'lon'], { ...good, place: { lat: 1, lon: 'east' } }],
  [['note'], { ...good, note: 5 }],
];

describe.each(Object.entries(libraries))('the same arguments in %s', (_name, schema) => {
  const compiled = compileSchema(schema, about);

  it('are listed alike, descriptions included', () => {
    expect(simplify(compiled.jsonSchema)).toEqual(simplify(reference));
    expect(compiled.jsonSchema['type']).toBe('object');
  });

  it.each(accepted)('accept %j', async (value) => {
    const sent: unknown = JSON.parse(JSON.stringify(value));
    expect(await compiled.validate(sent)).toEqual({ ok: true, value: sent });
  });

  it.each(refused)('refuse at %j: %j', async (path, value) => {
    const result = await compiled.validate(JSON.parse(JSON.stringify(value)));
    expect(result).toMatchObject({ ok: false, issues: [{ path, message: expect.stringMatching(/\w{4}/) }] });
  });

  it('answer at once after the first call', async () => {
    await compiled.validate(good);
    expect(compiled.validate(good)).not.toBeInstanceOf(Promise);
  });
});

/** What a listing means, without the habits of its library. */
function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify);
  if (typeof node !== 'object' || node === null) return node;
  const { $schema: _dialect, additionalProperties: _closed, ...rest } = node as JsonSchema;
  const simple: JsonSchema = {};
  for (const key of Object.keys(rest).sort())
    simple[key] = key === 'required' ? (rest[key] as string[]).toSorted() : simplify(rest[key]);
  if (Array.isArray(simple['enum'])) delete simple['type'];
  if (Array.isArray(simple['anyOf']))
    return { type: (simple['anyOf'] as JsonSchema[]).map((branch) => branch['type']) };
  return simple;
}
