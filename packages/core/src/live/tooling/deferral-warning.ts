// The warning about tools that the CLI keeps behind its tool search though their authors did not ask for that.
import type { DefinedTool } from '../../answer/mcp/tool/defined-tool.js';
import { MAX_CHARS_AT_ONCE, MAX_TOOLS_AT_ONCE } from '../../answer/mcp/load-budget.js';
import type { WarningReporter } from '../../options/check/warning-reporter.js';

const MAX_NAMES = 5;

/** Warns of deferred tools; not of those whose `alwaysLoad` is set, to whichever value. */
export function warnOfDeferral(deferred: readonly DefinedTool[], warnings: WarningReporter): void {
  const code = 'TOOLS_DEFERRED';
  const beyond = deferred.filter(({ loading }) => loading === 'sdk');
  if (beyond.length > 0) {
    const limits = `${MAX_TOOLS_AT_ONCE} tools and ${MAX_CHARS_AT_ONCE / 1024} KiB of definitions`;
    warnings.emit({
      code,
      message: `The model does not see ${listNames(beyond)} until it searches for it: by default, at most ${limits} are sent up front. Set "alwaysLoad: true" on the tools it must see from the start, and "alwaysLoad: false" on those it may search for.`,
    });
  }
  const official = deferred.filter(({ loading }) => loading === 'cli');
  if (official.length > 0) {
    warnings.emit(
      {
        code,
        message: `The model does not see ${listNames(official)} until it searches for it. Set "alwaysLoad: true" on the tool or its server to send it up front, or to false if this is intended.`,
      },
      // Once per process: a program written for the official SDK is used to this.
      `${code} official`,
    );
  }
}

function listNames(tools: readonly DefinedTool[]): string {
  const names = tools.slice(0, MAX_NAMES).map(({ toolName }) => toolName);
  const rest = tools.length - names.length;
  const list = rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
  return tools.length === 1 ? list : `${tools.length} tools (${list})`;
}
