// Writes a hint about a handler that read a missing context and then failed. Where the compiler knows the tools, it
// already asks for `toolContext`. The hint is for JavaScript, and for options and servers whose types do not show the
// need. It is only a hint, because the failure may have another cause.
import { errorResult } from '../result/content-helpers.js';
import type { CallToolResult } from '../result/tool-content.js';

/**
 * The hint for the program about a handler that read a missing context and failed. Undefined if the failure surely has
 * another cause.
 */
function explainMissingContext(tool: string, thrown: unknown): string | undefined {
  // Every engine names the missing value when code reads a property of it.
  if (!(thrown instanceof TypeError) || !/\b(?:undefined|null)\b/.test(thrown.message)) return undefined;
  return (
    `The tool "${tool}" read its context, but there is none, and then failed: ${thrown.message}. If it failed because of that, set ` +
    `"toolContext" in the options of the session, or "context" on the tool's server.`
  );
}

/** The result of a call whose handler failed. `onMissing` gets the hint if the handler had read a context that is missing. */
export function describeThrown(
  tool: string,
  { thrown, missesContext, onMissing }: FailedHandler,
): CallToolResult {
  const result = errorResult(thrown);
  const missing = missesContext ? explainMissingContext(tool, thrown) : undefined;
  if (missing === undefined) return result;
  onMissing(missing);
  return noteMissingContext(result);
}

interface FailedHandler {
  readonly thrown: unknown;
  readonly missesContext: boolean;
  readonly onMissing: (message: string) => void;
}

/** Adds a line about the missing context to a failed result. */
function noteMissingContext(result: CallToolResult): CallToolResult {
  const note = { type: 'text' as const, text: 'Note: this tool read its context, but none is set.' };
  return { ...result, content: [...result.content, note] };
}
