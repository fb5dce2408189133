// Redaction options that are wrong: they are refused wherever they are given, before anything is shown or written.
import { describe, expect, it } from 'vitest';
import { run } from '@inboard/inboard/index.js';
import { createFakeCli, text } from '@inboard/inboard/testing.js';
import { InvalidOptionsError } from '../../src/errors.js';
import { inspect } from '@inboard/inspector/inspect.js';
import { clusterTelemetry } from '@inboard/otel/cluster/cluster-telemetry.js';
import { withTelemetry } from '@inboard/otel/with-telemetry.js';
import { createRedactor } from '../../src/record/trace/recorder/redact.js';

const WRONG: [string, unknown, string][] = [
  ['a misspelt name', { value: ['4711-0815'] }, '"redact" has no field "value". Did you mean "values"?'],
  ['another name', { secrets: [] }, '"redact" has no field "secrets". It has "fields", "patterns"'],
  [
    'one value',
    { values: '4711-0815' },
    '"redact.values" must be a list of texts, such as [\'4711-0815\'], not a string',
  ],
  ['a value that is no text', { values: [4711] }, '"redact.values" must be a list of texts'],
  ['one field', { fields: 'pin' }, '"redact.fields" must be a list of field names or regular expressions'],
  ['a pattern as text', { patterns: ['4711'] }, '"redact.patterns" must be a list of regular expressions'],
  [
    'a text as function',
    { text: 'x' },
    '"redact.text" must be a function from a text to a text, not a string',
  ],
  ['a text as number', { maxCharacters: '9' }, '"redact.maxCharacters" must be a number of characters'],
  ['true', true, '"redact" must be false, or an object'],
  [
    'a list',
    ['4711-0815'],
    '"redact" must be false, or an object such as { values: [\'4711-0815\'] }, not a list',
  ],
  ['null', null, '"redact" must be false, or an object'],
];

const hello = () => createFakeCli([text('hello')], { allowEarlyEnd: true }).transport;

/** Where it can be given. */
const PLACES: [string, (redact: never) => unknown][] = [
  ['createRedactor', (redact) => createRedactor(redact)],
  ['inspect', (redact) => inspect({ redact, print: false, port: 0 })],
  [
    'trace',
    (redact) => run({ prompt: 'x', options: { trace: { file: '/nowhere/t', redact }, transport: hello() } }),
  ],
  ['withTelemetry', (redact) => withTelemetry({}, { redact })],
  ['clusterTelemetry', (redact) => clusterTelemetry({ redact })],
];

describe.each(PLACES)('redact of %s', (_place, give) => {
  it.each(WRONG)('is refused where it is wrong: %s', async (_what, redact, message) => {
    const given = (async () => await give(redact as never))();
    await expect(given).rejects.toThrow(InvalidOptionsError);
    await expect(given).rejects.toThrow(message);
  });
});

it('leaves later runs alone where an inspector refused it', async () => {
  await expect(inspect({ redact: { fields: 'pin' } as never, print: false, port: 0 })).rejects.toThrow(
    '"redact.fields"',
  );
  expect((await run({ prompt: 'x', options: { transport: hello() } })).text).toBe('hello');
});

it('may be anything in a sink, which the inspector does not take for it', async () => {
  const inspector = await inspect({ print: false, port: 0 });
  try {
    const trace = { write: () => {}, redact: (line: string) => line };
    expect((await run({ prompt: 'x', options: { trace, transport: hello() } })).text).toBe('hello');
  } finally {
    await inspector.close();
  }
});

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['false', false],
  ['an empty object', {}],
  [
    'everything',
    { fields: ['a', /b/], patterns: [/c/g], values: ['dddd'], text: String, maxCharacters: Infinity },
  ],
  ['undefined fields', { fields: undefined, values: undefined }],
])('takes %s', (_what, redact) => {
  expect(() => createRedactor(redact as never)).not.toThrow();
});
