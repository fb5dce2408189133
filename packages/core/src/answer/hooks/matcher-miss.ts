// Explains why a hook's matcher can never match. The CLI's rules were found by experiment.
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';

// Built-in tools whose names are often written in the wrong case, or with the parentheses of a permission rule.
const BUILT_IN_TOOLS: readonly string[] = [
  'Agent',
  'AskUserQuestion',
  'Bash',
  'Edit',
  'EnterPlanMode',
  'ExitPlanMode',
  'Glob',
  'Grep',
  'NotebookEdit',
  'Read',
  'Skill',
  'Task',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  'Write',
];

/** Why a matcher can never match. Undefined when it can match, and when this is not known. */
export function explainMiss(event: string, matcher: string): string | undefined {
  if (!isNameList(matcher)) {
    const error = findPatternError(matcher);
    if (error !== undefined) return `it is not a valid regular expression (${error}).`;
  }
  if (findHookEvent(event)?.matchedBy === 'tool name') return explainToolMiss(matcher);
  if (
    event === 'SessionStart' &&
    matcherNamesOf(matcher).every((name) => name === 'startup' || name === 'resume')
  )
    return 'the CLI starts or resumes the session before it knows the hooks of this process. Only "clear" and "compact" reach them.';
  return undefined;
}

function explainToolMiss(matcher: string): string | undefined {
  const rule = /^(\w+)\(.*\)$/.exec(matcher)?.[1];
  if (rule !== undefined && BUILT_IN_TOOLS.includes(rule))
    return `it is only compared with the tool's name. Write "${rule}", and look at the input in the hook.`;
  if (!isNameList(matcher)) return undefined;
  const misses = matcherNamesOf(matcher).map(explainNameMiss);
  // If one name can match, the other names may be in the list for a reason that is not known here.
  return misses.every((miss) => miss !== undefined) ? misses.join(' ') : undefined;
}

function explainNameMiss(name: string): string | undefined {
  if (name.startsWith('mcp__') && !/^mcp__.+?__./.test(name))
    return `it must match the whole name. Write "${name.replace(/(?<!_)_+$/, '')}__.*" for all tools of that server.`;
  const meant = BUILT_IN_TOOLS.find((tool) => tool.toLowerCase() === name.toLowerCase());
  return meant === undefined || meant === name ? undefined : `names are case-sensitive. Write "${meant}".`;
}

/** Whether the CLI reads a matcher as a list of whole names; anything else is a regular expression. */
export function isNameList(matcher: string): boolean {
  return /^[\w\-|, ]+$/.test(matcher);
}

export function matcherNamesOf(matcher: string): string[] {
  return matcher.split(/[|,]/).map((name) => name.trim());
}

function findPatternError(matcher: string): string | undefined {
  try {
    return void RegExp(matcher);
  } catch (error) {
    return (error as Error).message;
  }
}
