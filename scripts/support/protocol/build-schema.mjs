// schema/frames.schema.json: one definition for each kind of request, reply and message in the recordings, and a root that
// finds the right one.
/* oxlint-disable unicorn/no-thenable -- `then` is a word of JSON Schema */
import { inferSchema } from './infer-schema.mjs';
import { NEWEST, OLDEST } from './recorded-versions.mjs';

const DESCRIPTION =
  `One line of the protocol, in either direction. Made from recordings of CLI ${OLDEST} and ${NEWEST} by ` +
  'scripts/write-protocol-page.mjs: a field is required where every recording of its kind has it. Kinds and fields that were ' +
  'not recorded are allowed, because the CLI grows. `request.<subtype>` is what stands in `request`, `reply.<subtype>` what ' +
  'stands in `response.response`; a reply does not say what it answers, so the root checks no more of it than its envelope.';

const byName = (one, other) => (one < other ? -1 : 1);
const text = { type: 'string', minLength: 1 };

/** The definition a frame is held to, and the part of it that is meant; undefined for a reply that has no body. */
export function definitionOf(kind, frame) {
  const [what, , name = ''] = kind.split(' ');
  if (what === 'cancel') return { name: 'cancel', part: frame };
  if (what === 'request') return { name: `request.${name}`, part: frame.request };
  if (what === 'reply') {
    const { subtype, response } = frame.response;
    return subtype === 'success' && response !== undefined
      ? { name: `reply.${name}`, part: response }
      : undefined;
  }
  // The ways a turn can end differ in a few fields only.
  const [type, subtype] = name.split('/');
  return {
    name: `message.${subtype === undefined || type === 'result' ? type : `${type}.${subtype}`}`,
    part: frame,
  };
}

/** The whole schema, from frames as `readRecordings` gives them. */
export function buildSchema(frames) {
  const samples = new Map();
  for (const { kind, frame } of frames) {
    const found = definitionOf(kind, frame);
    if (found) samples.set(found.name, [...(samples.get(found.name) ?? []), found.part]);
  }
  // A request without fields has nothing that the envelope does not say.
  const isBare = (name) => samples.get(name).every((part) => Object.keys(part).join() === 'subtype');
  const names = [...samples.keys()]
    .filter((name) => !name.startsWith('request.') || !isBare(name))
    .toSorted(byName);
  const definitions = Object.fromEntries(names.map((name) => [name, inferSchema(samples.get(name))]));
  const when = (conditions, name, required) => ({
    if: { properties: conditions, ...(required && { required }) },
    then: { $ref: `#/$defs/${name}` },
  });
  const bodies = names.filter((name) => name.startsWith('request.'));
  const messages = names.filter((name) => name.startsWith('message.'));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:inboard:frames:1',
    title: 'Frames between a host and the Claude CLI',
    description: DESCRIPTION,
    type: 'object',
    required: ['type'],
    properties: { type: text },
    allOf: [
      when({ type: { const: 'control_request' } }, 'request'),
      when({ type: { const: 'control_response' } }, 'reply'),
      when({ type: { const: 'control_cancel_request' } }, 'cancel'),
      ...messages.map((name) => {
        const [, type, subtype] = name.split('.');
        return subtype === undefined
          ? when({ type: { const: type } }, name)
          : when({ type: { const: type }, subtype: { const: subtype } }, name, ['subtype']);
      }),
    ],
    $defs: {
      request: {
        type: 'object',
        required: ['type', 'request_id', 'request'],
        properties: {
          request_id: text,
          request: {
            type: 'object',
            required: ['subtype'],
            properties: { subtype: text },
            allOf: bodies.map((name) => when({ subtype: { const: name.slice('request.'.length) } }, name)),
          },
        },
      },
      reply: {
        type: 'object',
        required: ['type', 'response'],
        properties: {
          response: {
            type: 'object',
            required: ['subtype', 'request_id'],
            properties: {
              subtype: { enum: ['success', 'error'] },
              request_id: text,
              error: { type: 'string' },
              error_code: { type: 'string' },
            },
            if: { properties: { subtype: { const: 'error' } } },
            then: { required: ['error'] },
          },
        },
      },
      ...definitions,
    },
  };
}

/** The schema as text: one definition to a line, which keeps it small and its differences readable. */
export function formatSchema(schema) {
  const lines = (object, indent) =>
    Object.entries(object)
      .map(([key, value]) => {
        const isOpened = key === '$defs' || (key === 'allOf' && indent === '  ');
        if (!isOpened) return `${indent}${JSON.stringify(key)}: ${JSON.stringify(value)}`;
        if (Array.isArray(value))
          return `${indent}${JSON.stringify(key)}: [\n${value.map((each) => `${indent}  ${JSON.stringify(each)}`).join(',\n')}\n${indent}]`;
        return `${indent}${JSON.stringify(key)}: {\n${lines(value, `${indent}  `)}\n${indent}}`;
      })
      .join(',\n');
  return `{\n${lines(schema, '  ')}\n}\n`;
}
