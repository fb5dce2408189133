// Results as the CLI gives them, good and bad, against schemas of several libraries.
import { type } from 'arktype';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { InvalidOptionsError, OutputValidationError } from '../../../src/errors.js';
import { createOutputReader } from '../../../src/live/output/structured-output.js';
import type { OutputReading } from '../../../src/live/output/read-output.js';
import type { SDKResultMessage } from '../../../src/wire/protocol/messages/messages.js';

const City = z.object({ name: z.string(), people: z.number().int(), twin: z.string().default('none') });
const paris = { name: 'Paris', people: 2_100_000 };
const asParsed = { ...paris, twin: 'none' };

function success(fields: {
  result?: string;
  structured_output?: unknown;
  is_error?: boolean;
}): SDKResultMessage {
  return { type: 'result', subtype: 'success', is_error: false, result: '', ...fields } as SDKResultMessage;
}

function failure(subtype: string, errors: string[] = []): SDKResultMessage {
  return { type: 'result', subtype, is_error: true, errors } as unknown as SDKResultMessage;
}

function errorOf(reading: OutputReading<unknown>): OutputValidationError {
  if (reading.ok) throw new Error('It was read');
  return reading.error;
}

describe('a schema that the CLI cannot be given', () => {
  it('is refused, by the keyword', () => {
    const schema = { type: 'object', properties: { a: { type: 'number', multipleOf: 0 } } };
    expect(() => createOutputReader(schema as never).outputFormat).toThrow(InvalidOptionsError);
    expect(() => createOutputReader(schema as never).outputFormat).toThrow(
      '"multipleOf" at #/properties/a that is not a number above 0',
    );
  });
});

describe('what reads a result', () => {
  it('gives the value as the schema makes it', async () => {
    const reading = await createOutputReader(City).read(success({ structured_output: paris }));
    expect(reading).toEqual({ ok: true, value: asParsed });
    if (reading.ok)
      expectTypeOf(reading.value).toEqualTypeOf<{ name: string; people: number; twin: string }>();
  });

  it.each([
    ['wrapped', { structured_output: { output: paris } }],
    ['wrapped twice', { structured_output: { output: { output: paris } } }],
    ['as text', { result: JSON.stringify(paris) }],
    ['as text, wrapped', { result: JSON.stringify({ output: paris }) }],
    ['in a fence', { result: `Here it is:\n\`\`\`json\n${JSON.stringify(paris, null, 2)}\n\`\`\`\nDone.` }],
    [
      'in a fence behind one of another language',
      { result: `\`\`\`sh\nls\n\`\`\`\n\`\`\`json\n${JSON.stringify(paris)}\n\`\`\`` },
    ],
    [
      'in a fence of four, with code in the sentence',
      { result: `See \`\`\`x\`\`\`:\n\`\`\`\`json  \n${JSON.stringify(paris)}\n\`\`\`\`` },
    ],
    ['in a fence without a name', { result: `\`\`\`\n${JSON.stringify(paris)}\n\`\`\`` }],
    [
      'in the last fence that fits',
      { result: '```json\n{"name":1}\n```\n```JSON\n' + JSON.stringify(paris) + '\n```\n```\nls\n```' },
    ],
    ['beside a null', { structured_output: null, result: JSON.stringify(paris) }],
  ])('finds it %s', async (_, fields) => {
    expect(await createOutputReader(City).read(success(fields))).toEqual({ ok: true, value: asParsed });
  });

  it('does not unwrap what fits as it is', async () => {
    const Own = z.object({ output: z.object({}).loose() });
    const given = { output: { output: {} } };
    expect(await createOutputReader(Own).read(success({ structured_output: given }))).toEqual({
      ok: true,
      value: given,
    });
  });

  it('says where it does not fit, and what the model said', async () => {
    const reading = await createOutputReader(City).read(
      success({ structured_output: { name: 'Paris', people: 'many' }, result: 'Paris is large.' }),
    );
    const error = errorOf(reading);
    expect(error).toBeInstanceOf(OutputValidationError);
    expect(error).toMatchObject({ code: 'OUTPUT_INVALID', phase: 'result', text: 'Paris is large.' });
    expect(error.issues).toEqual([{ path: ['people'], message: expect.any(String) }]);
    expect(error.message).toContain('people: ');
  });

  it('reports a structured output that does not fit even when the text would', async () => {
    const fields = { structured_output: { name: 1 }, result: JSON.stringify(paris) };
    expect(errorOf(await createOutputReader(City).read(success(fields))).issues.length).toBeGreaterThan(0);
  });

  it.each([
    ['only text', success({ result: 'I cannot.' }), /succeeded without a structured output.*I cannot/s],
    ['a list', success({ result: '[1]' }), /no JSON object/],
    ['broken JSON', success({ result: '```json\n{"name":\n```' }), /no JSON object/],
    ['an API error', success({ is_error: true, result: 'API Error: 500' }), /turn failed.*API Error: 500/],
    [
      'used-up retries',
      failure('error_max_structured_output_retries', ['5 tries']),
      /within the CLI's retries: 5 tries/,
    ],
    ['too many turns', failure('error_max_turns'), /turn failed.*error_max_turns/],
  ])('says what there was instead: %s', async (_, result, message) => {
    const error = errorOf(await createOutputReader(City).read(result));
    expect(error.message).toMatch(message);
    expect(error.issues).toEqual([]);
  });

  it('ends in an error of ours when the schema itself throws', async () => {
    const Broken = z.object({ name: z.string() }).refine(() => {
      throw new Error('mine');
    });
    const error = errorOf(await createOutputReader(Broken).read(success({ structured_output: paris })));
    expect(error.cause).toMatchObject({ message: 'mine' });
  });

  it('takes schemas of other libraries, shapes and plain JSON Schema', async () => {
    const result = success({ structured_output: paris });
    const Ark = type({ name: 'string', people: 'number' });
    expect(await createOutputReader(Ark).read(result)).toEqual({ ok: true, value: paris });
    const shape = await createOutputReader({ name: 'string', people: z.number() }).read(result);
    expect(shape).toEqual({ ok: true, value: paris });
    if (shape.ok) expectTypeOf(shape.value).toEqualTypeOf<{ name: string; people: number }>();
    const plain = { type: 'object', properties: { people: { type: 'string' } } } as const;
    expect(errorOf(await createOutputReader(plain).read(result)).issues[0]?.path).toEqual(['people']);
  });

  it('waits for a schema that is asynchronous', async () => {
    const Slow = City.refine(async (city) => await Promise.resolve(city.people > 0));
    expect(await createOutputReader(Slow).read(success({ structured_output: paris }))).toMatchObject({
      ok: true,
    });
  });
});

describe('the option outputFormat', () => {
  it('shows the model what goes into the schema, not what comes out', () => {
    const Age = z.object({ age: z.string().transform(Number), unit: z.string().default('years') });
    const { type: kind, schema } = createOutputReader(Age).outputFormat;
    expect(kind).toBe('json_schema');
    expect(schema).toMatchObject({
      type: 'object',
      properties: { age: { type: 'string' } },
      required: ['age'],
    });
  });

  it('keeps a plain JSON Schema as it is', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    expect(createOutputReader(schema).outputFormat.schema).toEqual(schema);
  });

  it('refuses what is no object', () => {
    expect(() => createOutputReader(z.array(z.string()) as never).outputFormat).toThrow(InvalidOptionsError);
    expect(() => createOutputReader(z.array(z.string()) as never).outputFormat).toThrow(
      /^The schema in the option "output" is of type "array", but a structured output is always an object/,
    );
  });
});
