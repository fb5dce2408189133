// Makes the result of a call from the value that its handler returned, or that a pending call was completed with: checks it
// against the output schema of the tool, and converts it.
import { ToolResultError } from '../../../errors.js';
import type { CompiledSchema } from '../../schema/compile-schema.js';
import { listIssues } from '../../schema/list-issues.js';
import { errorResult } from './content-helpers.js';
import { encodeJson } from './describe-failure.js';
import { isToolResult, toToolResult, type ResultSource } from './to-tool-result.js';
import type { CallToolResult } from './tool-content.js';

/** The tool that a value belongs to. */
export interface ValueSource extends ResultSource {
  readonly output: Pick<CompiledSchema, 'validate'> | undefined;
}

/** Throws, or rejects with, a ToolResultError for a value that cannot be sent or does not fit the output schema. */
export function finishValue(value: unknown, source: ValueSource): CallToolResult | Promise<CallToolResult> {
  const { output } = source;
  return output ? structureValue(value, source, output) : toToolResult(value, source);
}

async function structureValue(
  value: unknown,
  source: ResultSource,
  output: Pick<CompiledSchema, 'validate'>,
): Promise<CallToolResult> {
  if (value instanceof Error) return errorResult(value);
  const { tool } = source;
  const isWhole = typeof value === 'object' && value !== null && isToolResult(value);
  const whole = isWhole ? await toToolResult(value, source) : undefined;
  if (whole?.isError) return whole;
  if (whole && whole.structuredContent === undefined) {
    throw new ToolResultError(
      `The tool "${tool}" has an outputSchema but returned a result without structuredContent; return the value itself, or set structuredContent`,
    );
  }
  const checked = await output.validate(whole ? whole.structuredContent : value);
  if (!checked.ok) {
    throw new ToolResultError(
      `The tool "${tool}" returned a value that does not match its outputSchema:\n${listIssues(checked.issues)}`,
    );
  }
  const structuredContent = checked.value as Record<string, unknown>;
  if (whole) return { ...whole, structuredContent };
  return { content: [{ type: 'text', text: encodeJson(structuredContent) }], structuredContent };
}
