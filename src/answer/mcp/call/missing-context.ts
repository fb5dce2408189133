// Why a handler failed that looked for a context where there is none. The compiler asks for `toolContext` where it knows the tools; this is for
// programs in JavaScript, and for options and servers whose types do not tell.
import { InboardError } from '../../../errors.js';

/** What to tell of a handler that read its context, which was missing, and then failed; undefined if it failed over something else. */
export function explainMissingContext(tool: string, thrown: unknown): InboardError | undefined {
  // What every engine says about reading a property of nothing names the value it found.
  if (!(thrown instanceof TypeError) || !/\b(?:undefined|null)\b/.test(thrown.message)) return undefined;
  return new InboardError(
    'TOOL_CONTEXT_MISSING',
    `The tool "${tool}" read its context, but there is none. Set "toolContext" in the options of the session, or "context" on the tool's server.`,
    { cause: thrown },
  );
}
