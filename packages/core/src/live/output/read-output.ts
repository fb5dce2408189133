// Reads a checked value from a result. The CLI enforces the format only loosely. A turn can succeed without
// `structured_output`, and the model may wrap its answer in another object or put it in a code fence.
import { asString, isRecord, parseRecord } from '../../util/guards.js';
import { textOrJson } from '../../util/message-of.js';
import { OutputValidationError, type OutputIssue } from '../../errors.js';
import type { SDKResultMessage } from '../../wire/protocol/messages/messages.js';
import type { CompiledSchema } from '../../answer/schema/compile-schema.js';
import { describeIssues } from '../../answer/schema/list-issues.js';

/** The output as the schema returned it, or the reason why there is none. */
export type OutputReading<Output> = { ok: true; value: Output } | { ok: false; error: OutputValidationError };

/** How many times an answer may be wrapped in `{ "output": … }`. */
const MAX_WRAPPERS = 3;

const MAX_QUOTE = 200;

const FENCE = '```';
const JSON_LANGUAGES: ReadonlySet<string> = new Set(['', 'json', 'jsonc', 'json5']);

/** Checks the possible readings of a result, likeliest first. */
export async function readResultOutput(
  result: SDKResultMessage,
  { validate }: CompiledSchema,
): Promise<OutputReading<unknown>> {
  const raw = result as unknown as Record<string, unknown>;
  const text = typeof raw['result'] === 'string' ? raw['result'] : '';
  if (raw['subtype'] !== 'success' || raw['is_error'] === true) return refuse(describeFailure(raw), text);
  let issues: readonly OutputIssue[] | undefined;
  try {
    for (const candidate of listCandidates(raw['structured_output'], text)) {
      const verdict = await validate(candidate);
      if (verdict.ok) return { ok: true, value: verdict.value };
      // The first candidate is the most literal reading, so its issues are the ones to report.
      issues ??= verdict.issues;
    }
  } catch (cause) {
    return refuse('Checking the structured output failed', text, [], cause);
  }
  const message =
    issues === undefined
      ? 'The turn succeeded without a structured output, and its text contains no JSON object'
      : `The structured output does not match its schema: ${describeIssues(issues, '').join('; ')}`;
  return refuse(message, text, issues);
}

/** The possible readings of an answer, likeliest first. */
function* listCandidates(structured: unknown, text: string): Generator {
  if (structured !== undefined && structured !== null) {
    yield* listUnwrapped(structured);
    return;
  }
  const whole = parseRecord(text);
  if (whole) yield* listUnwrapped(whole);
  // The last block is usually the conclusion. Earlier ones are often examples.
  for (const block of listJsonBlocks(text).toReversed()) {
    const value = parseRecord(block);
    if (value) yield* listUnwrapped(value);
  }
}

/**
 * Lists the content of each fenced block whose language is JSON or is not named, in the order of the text. It takes
 * one pass. A regular expression would read to the end of the answer at every fence that is left open.
 */
export function listJsonBlocks(text: string): string[] {
  const blocks: string[] = [];
  let lineEnd = -1;
  for (let open = text.indexOf(FENCE); open >= 0;) {
    const start = skipTicks(text, open);
    const close = text.indexOf(FENCE, start);
    if (close < 0) break;
    // Many fences may stand on one line. The end of that line is searched for only once.
    if (lineEnd < start) lineEnd = text.indexOf('\n', start);
    if (lineEnd < 0) break;
    // A fence that closes on the same line is code inside a sentence.
    if (lineEnd < close && JSON_LANGUAGES.has(text.slice(start, lineEnd).trim().toLowerCase()))
      blocks.push(text.slice(lineEnd + 1, close));
    open = text.indexOf(FENCE, skipTicks(text, close));
  }
  return blocks;
}

/** Finds the end of the backticks that begin at `from`. A fence may have more than three. */
function skipTicks(text: string, from: number): number {
  let end = from;
  while (text.charAt(end) === '`') end += 1;
  return end;
}

/** Lists the value itself. If the value has only the key `output`, also lists the object under that key, and so on. */
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
  const errors = Array.isArray(raw['errors']) ? raw['errors'].map(textOrJson).join('; ') : '';
  const reason = errors || asString(raw['result']) || (asString(raw['subtype']) ?? '');
  return raw['subtype'] === 'error_max_structured_output_retries'
    ? `The model did not produce output that matches the schema within the CLI's retries: ${reason}`
    : `The turn failed, so there is no structured output: ${reason}`;
}

function refuse(
  why: string,
  text: string,
  issues: readonly OutputIssue[] = [],
  cause?: unknown,
): OutputReading<never> {
  const quote = text === '' ? '' : `. The answer begins: ${JSON.stringify(text.slice(0, MAX_QUOTE))}`;
  return { ok: false, error: new OutputValidationError(`${why}${quote}`, { text, issues }, { cause }) };
}
