// From a schema to the `outputFormat` option, and from a result to a checked value. The CLI enforces the format only
// loosely: a turn can succeed without `structured_output`, and the model may wrap or fence what it was asked for.
import { isRecord, parseRecord } from '../../util/guards.js';
import { InvalidOptionsError, OutputValidationError, SchemaError, type OutputIssue } from '../../errors.js';
import type { JsonSchemaOutputFormat } from '../../options/options.js';
import type { SDKResultMessage } from '../../wire/protocol/messages/messages.js';
import { compileSchema, type CompiledSchema } from '../../answer/schema/compile-schema.js';
import type { AnySchema, InferOutput } from '../../answer/schema/infer.js';

/** The output as its schema made it, or why there is none. */
export type OutputReading<Output> = { ok: true; value: Output } | { ok: false; error: OutputValidationError };

/** A schema ready for many results. */
export interface OutputReader<Output> {
  /** For the option of the same name. */
  outputFormat: JsonSchemaOutputFormat;
  /** Never rejects, whatever the result holds. */
  read(result: SDKResultMessage): Promise<OutputReading<Output>>;
}

/** How deep in `{ "output": … }` an answer may be wrapped. */
const MAX_WRAPPERS = 3;
const MAX_QUOTE = 200;

/** Compiles a schema of any library once; throws an `InvalidOptionsError` when it cannot become a JSON Schema object. */
export function createOutputReader<const Schema extends AnySchema>(
  schema: Schema,
): OutputReader<InferOutput<Schema>> {
  const compiled = compileOutput(schema);
  return {
    outputFormat: { type: 'json_schema', schema: compiled.jsonSchema },
    read: async (result) => {
      const reading = await readResult(result, compiled);
      return reading as OutputReading<InferOutput<Schema>>;
    },
  };
}

/** The error for asking for an output that no schema was given for. */
export function missingOutput(): InvalidOptionsError {
  return new InvalidOptionsError(['output'], 'There is no output to wait for: give the option "output".');
}

/** The `outputFormat` option for a schema of any library. */
export function outputFormatOf(schema: AnySchema): JsonSchemaOutputFormat {
  return createOutputReader(schema).outputFormat;
}

/** Checks a turn's output against a schema; takes `structured_output` or else JSON in the text of the answer. */
export async function readStructuredOutput<const Schema extends AnySchema>(
  result: SDKResultMessage,
  schema: Schema,
): Promise<OutputReading<InferOutput<Schema>>> {
  return await createOutputReader(schema).read(result);
}

function compileOutput(schema: unknown): CompiledSchema {
  try {
    // The model writes the schema's input; the caller gets its output, after transforms.
    return compileSchema(schema, { tool: 'output', side: 'input' });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const message = error.message
      .replace('The input schema of tool "output"', 'The schema in the option "output"')
      .replace('the arguments of a tool are always', 'a structured output is always');
    throw new InvalidOptionsError(['output'], message, { cause: error });
  }
}

interface Refusal {
  message: string;
  text: string;
  issues: readonly OutputIssue[];
  cause?: unknown;
}

async function readResult(
  result: SDKResultMessage,
  { validate }: CompiledSchema,
): Promise<OutputReading<unknown>> {
  const raw = result as unknown as Record<string, unknown>;
  const text = typeof raw['result'] === 'string' ? raw['result'] : '';
  if (raw['subtype'] !== 'success' || raw['is_error'] === true)
    return refuse({ message: describeFailure(raw), text, issues: [] });
  let issues: readonly OutputIssue[] | undefined;
  try {
    for (const candidate of listCandidates(raw['structured_output'], text)) {
      const verdict = await validate(candidate);
      if (verdict.ok) return { ok: true, value: verdict.value };
      // The first candidate is the most literal reading, so its issues are the ones to report.
      issues ??= verdict.issues;
    }
  } catch (cause) {
    return refuse({ message: 'The check of the structured output itself failed', text, issues: [], cause });
  }
  const message =
    issues === undefined
      ? 'The turn succeeded without a structured output, and its text holds no JSON object'
      : `The structured output does not fit its schema: ${describeIssues(issues)}`;
  return refuse({ message, text, issues: issues ?? [] });
}

/** The possible readings of an answer, likeliest first. */
function* listCandidates(structured: unknown, text: string): Generator {
  if (structured !== undefined && structured !== null) {
    yield* listUnwrapped(structured);
    return;
  }
  const whole = parseRecord(text);
  if (whole) yield* listUnwrapped(whole);
  // The last block is the conclusion; earlier ones are often examples.
  const blocks = [...text.matchAll(/```(?:json[c5]?)?[^\S\n]*\n(.*?)\n?[^\S\n]*```/gis)].toReversed();
  for (const [, block = ''] of blocks) {
    const value = parseRecord(block);
    if (value) yield* listUnwrapped(value);
  }
}

/** The value, and what is in it when all of it is one object under `output`. */
function* listUnwrapped(value: unknown): Generator {
  yield value;
  let inner = value;
  for (let depth = 0; depth < MAX_WRAPPERS; depth += 1) {
    if (!isRecord(inner) || Object.keys(inner).length !== 1) return;
    inner = inner['output'];
    if (!isRecord(inner)) return;
    yield inner;
  }
}

function describeFailure(raw: Record<string, unknown>): string {
  const errors = Array.isArray(raw['errors']) ? raw['errors'].join('; ') : '';
  const reason = errors || (typeof raw['result'] === 'string' && raw['result']) || String(raw['subtype']);
  return raw['subtype'] === 'error_max_structured_output_retries'
    ? `The model did not give an output that fits the schema within the CLI's retries: ${reason}`
    : `The turn failed, so there is no structured output: ${reason}`;
}

function describeIssues(issues: readonly OutputIssue[]): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}

function refuse({ text, issues, ...why }: Refusal): OutputReading<never> {
  const quote = text === '' ? '' : `. The answer begins: ${JSON.stringify(text.slice(0, MAX_QUOTE))}`;
  const message = `${why.message}${quote}`;
  return { ok: false, error: new OutputValidationError(message, { text, issues }, { cause: why.cause }) };
}
