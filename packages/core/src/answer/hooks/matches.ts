// Decides whether a hook's matcher covers a tool, by the CLI's rules. They were found by experiment.
import { isNameList, matcherNamesOf } from './matcher-miss.js';

/** Whether hooks with this matcher are called for a tool with this name. */
export function matchesTool(matcher: string | undefined, toolName: string): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (isNameList(matcher)) return matcherNamesOf(matcher).includes(toolName);
  try {
    return new RegExp(matcher).test(toolName);
  } catch {
    // A regular expression with an error matches nothing. `hook-warnings` has warned of it.
    return false;
  }
}
