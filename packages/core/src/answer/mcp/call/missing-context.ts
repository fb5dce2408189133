// A hint for a handler that looked for a context where there is none, and then failed. The compiler asks for `toolContext` where it knows the
// tools; this is for programs in JavaScript, and for options and servers whose types do not tell. It stays a hint: that a handler has looked
// does not show that it failed over that.
import type { CallToolResult } from '../result/tool-content.js';

/** What to tell the host about a handler that read its context, which was missing, and then failed; undefined if that was surely over something else. */
export function explainMissingContext(tool: string, thrown: unknown): string | undefined {
  // What every engine says about reading a property of nothing names the value it found.
  if (!(thrown instanceof TypeError) || !/\b(?:undefined|null)\b/.test(thrown.message)) return undefined;
  return (
    `The tool "${tool}" read its context, but there is none, and then failed: ${thrown.message}. If it failed because of that, set ` +
    `"toolContext" in the options of the session, or "context" on the tool's server.`
  );
}

/** A failed result with a line behind the error's own text. */
export function noteMissingContext(result: CallToolResult): CallToolResult {
  const note = { type: 'text' as const, text: 'Note: this tool read its context, but none is set.' };
  return { ...result, content: [...result.content, note] };
}
