// The rows of the options about the CLI's messages and answers.
import { toDraft07, type Draft07 } from '../../answer/schema/draft-07/to-draft-07.js';
import { isRecord } from '../../util/guards.js';
import { plansFor, type PlannedVersion } from '../supported-versions.js';
import { unlessOff, type OptionRows } from './option-row.js';
import { fields, flag, oneOf, record, shape } from '../../util/option-shapes.js';

export const OUTPUT = {
  includePartialMessages: { shape: flag, argv: { order: 250, flag: '--include-partial-messages' } },
  outputFormat: {
    shape: {
      ...fields("{ type: 'json_schema', schema } with a JSON Schema object", {
        type: oneOf('json_schema'),
        schema: record,
      }),
      read: (value) => (asksForNoSchema(value) ? undefined : value),
    },
    // The handshake carries the schema, too, so that a schema that is too long can be left out of the command line.
    argv: {
      order: 90,
      write: ({ schema }, { version }) => [
        { words: [`--json-schema=${JSON.stringify(fitSchema(schema, version).schema)}`], overflow: 'omit' },
      ],
    },
    initialize: {
      order: 10,
      field: 'jsonSchema',
      from: ({ schema }, { version }) => fitSchema(schema, version).schema,
    },
    findProblem({ schema }) {
      const { problem } = fitSchema(schema, undefined);
      return problem && `has a schema that the CLI does not accept: it ${problem}.`;
    },
  },
  // It is converted to an `outputFormat` before the launch is planned.
  output: {
    shape: shape('a schema', (value) => typeof value === 'object' || typeof value === 'function'),
    host: true,
  },
  forwardSubagentText: { shape: flag, since: '2.1.119', older: unlessOff, initialize: { order: 130 } },
  promptSuggestions: { shape: flag, since: '2.1.48', older: unlessOff, initialize: { order: 110 } },
  agentProgressSummaries: { shape: flag, since: '2.1.72', older: unlessOff, initialize: { order: 120 } },
} satisfies Partial<OptionRows>;

// Found by experiment. Older CLIs ignore a whole schema if it has a `format`.
const FORMAT_SINCE = '2.1.205';

/** A schema in the form that this version accepts. */
export function fitSchema(schema: Record<string, unknown>, version: PlannedVersion): Draft07 {
  return toDraft07(schema, plansFor(version, FORMAT_SINCE));
}

function asksForNoSchema(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { type, schema } = value;
  return type === 'text' || (type === 'json_schema' && (schema === undefined || schema === null));
}
