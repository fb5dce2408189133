// The same tool arguments written in every way the schema room takes.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';
import * as z3 from 'zod-3';
import * as nestedZ3 from 'zod/v3';
import * as mini from 'zod/mini';

const zodShape = {
  city: z.string().min(1).describe('the city'),
  days: z.number().min(1).max(14),
  unit: z.enum(['c', 'f']).optional(),
  tags: z.array(z.string().describe('a tag')),
  place: z.object({ lat: z.number().describe('north'), lon: z.number().optional() }).describe('where'),
  note: z.string().nullable(),
};

const miniShape = {
  city: mini.string().check(mini.minLength(1), mini.describe('the city')),
  days: mini.number().check(mini.gte(1), mini.lte(14)),
  unit: mini.optional(mini.enum(['c', 'f'])),
  tags: mini.array(mini.string().check(mini.describe('a tag'))),
  place: mini
    .object({ lat: mini.number().check(mini.describe('north')), lon: mini.optional(mini.number()) })
    .check(mini.describe('where')),
  note: mini.nullable(mini.string()),
};

const zod3Shape = (zod: typeof z3) => ({
  city: zod.string().min(1).describe('the city'),
  days: zod.number().min(1).max(14),
  unit: zod.enum(['c', 'f']).optional(),
  tags: zod.array(zod.string().describe('a tag')),
  place: zod.object({ lat: zod.number().describe('north'), lon: zod.number().optional() }).describe('where'),
  note: zod.string().nullable(),
});

const arkSchema = type({
  city: type('string >= 1').describe('the city'),
  days: '1 <= number <= 14',
  'unit?': "'c' | 'f'",
  tags: type('string').describe('a tag').array(),
  place: type({ lat: type('number').describe('north'), 'lon?': 'number' }).describe('where'),
  note: 'string | null',
});

const valibotEntries = {
  city: v.pipe(v.string(), v.minLength(1), v.description('the city')),
  days: v.pipe(v.number(), v.minValue(1), v.maxValue(14)),
  unit: v.optional(v.picklist(['c', 'f'])),
  tags: v.array(v.pipe(v.string(), v.description('a tag'))),
  place: v.pipe(
    v.object({ lat: v.pipe(v.number(), v.description('north')), lon: v.optional(v.number()) }),
    v.description('where'),
  ),
  note: v.nullable(v.string()),
};

const jsonSchema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1, description: 'the city' },
    days: { type: 'number', minimum: 1, maximum: 14 },
    unit: { enum: ['c', 'f'] },
    tags: { type: 'array', items: { type: 'string', description: 'a tag' } },
    place: {
      type: 'object',
      description: 'where',
      properties: { lat: { type: 'number', description: 'north' }, lon: { type: 'number' } },
      required: ['lat'],
    },
    note: { type: ['string', 'null'] },
  },
  required: ['city', 'days', 'tags', 'place', 'note'],
};

/** One logical schema; the names are the ways to write it. */
export const libraries: Record<string, unknown> = {
  'zod 4 raw shape': zodShape,
  'zod 4 object': z.object(zodShape),
  'zod/mini raw shape': miniShape,
  'zod/mini object': mini.object(miniShape),
  'zod 3 raw shape': zod3Shape(z3),
  'zod 3 object': z3.object(zod3Shape(z3)),
  'zod/v3 of zod 4': zod3Shape(nestedZ3 as unknown as typeof z3),
  arktype: arkSchema,
  valibot: toStandardJsonSchema(v.object(valibotEntries)),
  'shape of valibot fields': Object.fromEntries(
    Object.entries(valibotEntries).map(([key, field]) => [
      key,
      toStandardJsonSchema(field as v.GenericSchema),
    ]),
  ),
  'plain JSON Schema': jsonSchema,
};

/** The plainest of them, to compare the others with. */
export const reference = jsonSchema;
