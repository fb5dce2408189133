// Writes errors and values as text for the model. An error becomes its message and its causes, without a stack. A value
// becomes JSON. If it cannot, the error names the part that is wrong.
import { ToolResultError } from '../../../errors.js';

// A longer chain of causes adds nothing for the reader, and a chain can be circular.
const MAX_CAUSES = 8;

/** The message of a thrown value, followed by the messages of its causes, one per line. */
export function describeFailure(thrown: unknown): string {
  const lines: string[] = [];
  const seen = new Set<unknown>();
  let current = thrown;
  while (lines.length <= MAX_CAUSES && !seen.has(current)) {
    seen.add(current);
    const line = describeOne(current);
    lines.push(lines.length === 0 ? line : `Caused by: ${line}`);
    if (current instanceof AggregateError) {
      for (const each of current.errors.slice(0, MAX_CAUSES)) lines.push(`- ${describeOne(each)}`);
    }
    if (!(current instanceof Error) || current.cause === undefined || current.cause === null) break;
    current = current.cause;
  }
  return lines.join('\n');
}

/** A thrown value as an Error. A value that is none is wrapped. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describeFailure(thrown), { cause: thrown });
}

/** The JSON text of a tool's value. Throws a ToolResultError that says why the value cannot be JSON. */
export function encodeJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new ToolResultError(explainUnencodable(value, cause), { cause });
  }
  if (text === undefined) {
    throw new ToolResultError('The result has no JSON form; return a string, a plain object or an array');
  }
  return text;
}

function describeOne(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name;
    if (typeof thrown === 'string') return thrown || 'The tool failed with an empty message';
    if (thrown === undefined || thrown === null) return 'The tool failed without saying why';
    if (typeof thrown === 'bigint' || typeof thrown === 'symbol') return thrown.toString();
    const { message } = thrown as { message?: unknown };
    return typeof message === 'string' && message ? message : JSON.stringify(thrown);
  } catch {
    return 'The tool threw a value that cannot be converted to text';
  }
}

function explainUnencodable(value: unknown, cause: unknown): string {
  const found = findUnencodable(value, 'result', new Set());
  if (found?.kind === 'bigint') {
    return `The result cannot be JSON: ${found.path} is a BigInt; return it as a string or a number`;
  }
  if (found?.kind === 'cycle') {
    return `The result cannot be JSON: ${found.path} refers back to an object that contains it; return a copy without that reference`;
  }
  return `The result cannot be JSON: ${describeOne(cause)}`;
}

function findUnencodable(
  value: unknown,
  path: string,
  parents: Set<unknown>,
): { kind: 'bigint' | 'cycle'; path: string } | undefined {
  if (typeof value === 'bigint') return { kind: 'bigint', path };
  if (typeof value !== 'object' || value === null) return undefined;
  if (parents.has(value)) return { kind: 'cycle', path };
  // A much deeper value would overflow the stack of this recursive walk.
  if (parents.size > 2000) return undefined;
  parents.add(value);
  try {
    for (const [key, part] of Object.entries(value)) {
      const here = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      const found = findUnencodable(part, here, parents);
      if (found) return found;
    }
  } catch {
    // A getter threw. `JSON.stringify` met the same error, and the caller reports it.
  }
  parents.delete(value);
  return undefined;
}
