// Hooks that are valid and yet probably not what was meant: a matcher that never matches or is ignored, `failClosed`
// where nothing can be blocked, a timeout in the wrong unit. How the CLI matches was found by experiment.
import type { HookCallbackMatcher, HookEvent } from '../../wire/protocol/hooks/hook-callback.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { canBlock } from './block-answer.js';

/** A warning about a hook; `code` is stable. */
export interface HookWarning {
  code:
    | 'HOOK_NEVER_MATCHES'
    | 'HOOK_MATCHER_IGNORED'
    | 'HOOK_CANNOT_BLOCK'
    | 'HOOK_TIMEOUT_LARGE'
    | 'HOOKS_NOT_APPLIED';
  message: string;
}

// Built-in tools whose names people write in the wrong case, or with the parentheses of a permission rule.
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

/** From this many seconds on (nearly three hours) a timeout looks like milliseconds. */
const LARGE_TIMEOUT = 10_000;

/** The warnings about all hooks, except for unknown events, which `options/` reports. */
export function findHookWarnings(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> | undefined,
): HookWarning[] {
  return Object.entries(hooks ?? {}).flatMap(([event, matchers]) =>
    (matchers ?? []).flatMap((entry, index) => findMatcherWarnings(event, `hooks.${event}[${index}]`, entry)),
  );
}

/** The warning that the CLI will not call the hooks, if its answer to the handshake says so; older CLIs never say. */
export function findUnappliedHooks(
  declared: object | undefined,
  reply: { hooks_applied?: unknown },
): HookWarning | undefined {
  if (reply.hooks_applied !== false || Object.keys(declared ?? {}).length === 0) return undefined;
  return {
    code: 'HOOKS_NOT_APPLIED',
    message:
      'The CLI was already running and did not register the hooks: none will be called. Start a new session to use them.',
  };
}

function findMatcherWarnings(event: string, path: string, entry: HookCallbackMatcher): HookWarning[] {
  const { matcher, timeout, failClosed } = entry;
  const warnings: HookWarning[] = [];
  const warn = (code: HookWarning['code'], message: string): void => {
    warnings.push({ code, message });
  };
  // Untyped programs pass null for "all".
  if (typeof matcher === 'string' && matcher !== '' && matcher !== '*') {
    const why = explainMiss(event, matcher);
    if (findHookEvent(event)?.matchedBy === 'nothing')
      warn(
        'HOOK_MATCHER_IGNORED',
        `The matcher "${matcher}" of ${path} has no effect: hooks of ${event} are called every time.`,
      );
    else if (why !== undefined)
      warn('HOOK_NEVER_MATCHES', `The matcher "${matcher}" of ${path} never matches: ${why}`);
  }
  if (failClosed === true && !canBlock(event))
    warn(
      'HOOK_CANNOT_BLOCK',
      `"failClosed" of ${path} has no effect: a hook of ${event} cannot block anything.`,
    );
  if (timeout !== undefined && timeout >= LARGE_TIMEOUT)
    warn(
      'HOOK_TIMEOUT_LARGE',
      `"timeout" of ${path} is ${timeout} seconds. If you meant milliseconds, write ${timeout / 1000}.`,
    );
  return warnings;
}

/** Why a matcher can never match; undefined when it can, or when that is not known. */
function explainMiss(event: string, matcher: string): string | undefined {
  if (!isNameList(matcher)) {
    const error = findPatternError(matcher);
    if (error !== undefined) return `it is not a valid regular expression (${error}).`;
  }
  if (findHookEvent(event)?.matchedBy === 'tool name') return explainToolMiss(matcher);
  if (event === 'SessionStart' && namesOf(matcher).every((name) => name === 'startup' || name === 'resume'))
    return 'the CLI starts or resumes the session before it knows the hooks of this process. Only "clear" and "compact" reach them.';
  return undefined;
}

function explainToolMiss(matcher: string): string | undefined {
  const rule = /^(\w+)\(.*\)$/.exec(matcher)?.[1];
  if (rule !== undefined && BUILT_IN_TOOLS.includes(rule))
    return `it is compared with the tool's name only. Write "${rule}", and look at the input in the hook.`;
  if (!isNameList(matcher)) return undefined;
  const misses = namesOf(matcher).map(explainNameMiss);
  // If one name can match, the others may be there for a reason we do not know.
  return misses.every((miss) => miss !== undefined) ? misses.join(' ') : undefined;
}

function explainNameMiss(name: string): string | undefined {
  if (name.startsWith('mcp__') && !/^mcp__.+?__./.test(name))
    return `names are compared as a whole. Write "${name.replace(/_+$/, '')}__.*" for all tools of the server.`;
  const meant = BUILT_IN_TOOLS.find((tool) => tool.toLowerCase() === name.toLowerCase());
  return meant === undefined || meant === name ? undefined : `names are case-sensitive. Write "${meant}".`;
}

/** Whether the CLI reads a matcher as a list of whole names; anything else is a regular expression. */
function isNameList(matcher: string): boolean {
  return /^[\w\-|, ]+$/.test(matcher);
}

function namesOf(matcher: string): string[] {
  return matcher.split(/[|,]/).map((name) => name.trim());
}

function findPatternError(matcher: string): string | undefined {
  try {
    return void RegExp(matcher);
  } catch (error) {
    return (error as Error).message;
  }
}
