// A model that goes along with any example: it calls every tool the example brings, once, and then says so.
import { text, toolUse, type ModelRequest, type Reply } from '../../packages/inboard/src/testing.js';

type Schema = Readonly<Record<string, unknown>>;

/** Answers a request of any conversation; made for `onExhausted` of a scripted model. */
export function answerWillingly(request: ModelRequest): Reply {
  const called = new Set(
    request.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map((block) => block['name']),
    ),
  );
  const next = (request.body.tools ?? []).find(({ name }) => isBroughtAlong(name) && !called.has(name));
  if (next === undefined) return text('All done.');
  return toolUse(String(next['name']), fillSchema(next['input_schema'] as Schema) as Record<string, unknown>);
}

// The CLI's own tools act on the machine; only those of MCP servers and the one for structured output are the example's.
function isBroughtAlong(name: unknown): boolean {
  return typeof name === 'string' && (name.startsWith('mcp__') || name === 'StructuredOutput');
}

/** A small value that fits a JSON Schema of the kind found in examples. */
export function fillSchema(schema: Schema | undefined): unknown {
  if (schema === undefined) return {};
  if ('const' in schema) return schema['const'];
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const choices = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(choices)) return fillSchema(choices[0] as Schema);
  switch (Array.isArray(schema['type']) ? schema['type'][0] : schema['type']) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
      const required = (schema['required'] ?? []) as string[];
      return Object.fromEntries(required.map((name) => [name, fillSchema(properties[name])]));
    }
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () =>
        fillSchema(schema['items'] as Schema),
      );
    case 'string':
      return 'example';
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1);
    default:
      return {};
  }
}
