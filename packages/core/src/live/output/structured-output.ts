// Turns a schema into the `outputFormat` option and into a reader of results. `read-output` checks a result.
import { InvalidOptionsError, SchemaError } from '../../errors.js';
import type { JsonSchemaOutputFormat } from '../../options/options.js';
import type { SDKResultMessage } from '../../wire/protocol/messages/messages.js';
import { toDraft07 } from '../../answer/schema/draft-07/to-draft-07.js';
import { compileSchema, type CompiledSchema } from '../../answer/schema/compile-schema.js';
import type { AnySchema, InferOutput } from '../../answer/schema/infer.js';
import { readResultOutput, type OutputReading } from './read-output.js';

/** The type that a schema gives the answer. `never` without a schema. */
export type OutputOf<Schema> = [Schema] extends [undefined] ? never : InferOutput<Schema>;

/** A compiled schema: the option that asks for an output, and the check of any number of results. */
export interface OutputReader<Output> {
  /** The value for the option `outputFormat`. */
  outputFormat: JsonSchemaOutputFormat;
  /**
   * Checks a turn's output. Uses `structured_output` or, if it is missing, JSON in the answer's text. Never rejects, whatever the
   * result holds.
   */
  read(result: SDKResultMessage): Promise<OutputReading<Output>>;
}

/** Compiles a schema from any library once. Throws an `InvalidOptionsError` if it cannot become a JSON Schema object. */
export function createOutputReader<const Schema extends AnySchema>(
  schema: Schema,
): OutputReader<InferOutput<Schema>> {
  const compiled = compileOutput(schema);
  return {
    outputFormat: { type: 'json_schema', schema: compiled.jsonSchema },
    read: (result) => readResultOutput(result, compiled) as Promise<OutputReading<InferOutput<Schema>>>,
  };
}

/** The error for a caller who asks for an output without having given a schema. */
export function missingOutput(): InvalidOptionsError {
  return new InvalidOptionsError(['output'], 'There is no output to wait for: set the option "output".');
}

function compileOutput(schema: unknown): CompiledSchema {
  try {
    // The model writes the schema's input type. The caller gets its output type, after transforms.
    const compiled = compileSchema(schema, { tool: 'output', side: 'input' });
    const { problem } = toDraft07(compiled.jsonSchema);
    if (problem === undefined) return compiled;
    throw new InvalidOptionsError(
      ['output'],
      `The schema in the option "output" cannot be passed to the CLI: it ${problem}.`,
    );
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const message = error.message
      .replace('The input schema of tool "output"', 'The schema in the option "output"')
      .replace('the arguments of a tool are always', 'a structured output is always');
    throw new InvalidOptionsError(['output'], message, { cause: error });
  }
}
