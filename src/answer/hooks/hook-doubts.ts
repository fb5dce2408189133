// Hooks that are allowed and yet probably not what was meant: matchers that never match or are never looked
// at, a guard where nothing can be guarded, a time limit in the wrong unit. How the CLI matches was observed.
import type { HookCallbackMatcher, HookEvent } from '../../wire/protocol/hooks/hook-callback.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { canBlock } from './block-answer.js';

/** Something doubtful about a hook; `code` is stable. */
export interface HookDoubt {
  code:
    | 'HOOK_NEVER_MATCHES'
    | 'HOOK_MATCHER_IGNORED'
    | 'HOOK_CANNOT_BLOCK'
    | 'HOOK_TIMEOUT_LARGE'
    | 'HOOKS_NOT_APPLIED';
  message: string;
}

// Names of the CLI's own tools that people write in another case, or with a permission rule's parentheses.
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

/** Seconds above which a limit looks like milliseconds: nearly three hours. */
const LARGE_TIMEOUT = 10_000;

/** Everything doubtful about the hooks; unknown events are another's business. */
export function findHookDoubts(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> | undefined,
): HookDoubt[] {
  return Object.entries(hooks ?? {}).flatMap(([event, matchers]) =>
    (matchers ?? []).flatMap((entry, index) => findMatcherDoubts(event, `hooks.${event}[${index}]`, entry)),
  );
}

/** Whether the CLI's answer to the handshake says that the hooks will not be called; older CLIs say nothing either way. */
export function findUnapplied(
  declared: object | undefined,
  reply: { hooks_applied?: unknown },
): HookDoubt | undefined {
  if (reply.hooks_applied !== false || Object.keys(declared ?? {}).length === 0) return undefined;
  return {
    code: 'HOOKS_NOT_APPLIED',
    message:
      'The CLI was already running and did not register the hooks: none will be called. Start a session of its own for them.',
  };
}

function findMatcherDoubts(event: string, place: string, entry: HookCallbackMatcher): HookDoubt[] {
  const { matcher, timeout, failClosed } = entry;
  const doubts: HookDoubt[] = [];
  const doubt = (code: HookDoubt['code'], message: string): void => {
    doubts.push({ code, message });
  };
  // A program without types may say null for "all".
  if (typeof matcher === 'string' && matcher !== '' && matcher !== '*') {
    const why = explainMiss(event, matcher);
    if (findHookEvent(event)?.matchedBy === 'nothing')
      doubt(
        'HOOK_MATCHER_IGNORED',
        `The matcher "${matcher}" of ${place} has no effect: hooks of ${event} are called every time.`,
      );
    else if (why !== undefined)
      doubt('HOOK_NEVER_MATCHES', `The matcher "${matcher}" of ${place} never matches: ${why}`);
  }
  if (failClosed === true && !canBlock(event))
    doubt(
      'HOOK_CANNOT_BLOCK',
      `"failClosed" of ${place} has no effect: a hook of ${event} cannot keep anything from happening.`,
    );
  if (timeout !== undefined && timeout >= LARGE_TIMEOUT)
    doubt(
      'HOOK_TIMEOUT_LARGE',
      `"timeout" of ${place} is ${timeout} seconds. If milliseconds were meant, write ${timeout / 1000}.`,
    );
  return doubts;
}

/** Why a matcher can never match; undefined when it can, or when that is not known. */
function explainMiss(event: string, matcher: string): string | undefined {
  if (!isNameList(matcher)) {
    const error = findPatternError(matcher);
    if (error !== undefined) return `it is no regular expression (${error}).`;
  }
  if (findHookEvent(event)?.matchedBy === 'tool name') return explainToolMiss(matcher);
  if (event === 'SessionStart' && namesOf(matcher).every((name) => name === 'startup' || name === 'resume'))
    return 'the CLI starts and resumes a session before it knows the hooks of this process. Only "clear" and "compact" come here.';
  return undefined;
}

function explainToolMiss(matcher: string): string | undefined {
  const rule = /^(\w+)\(.*\)$/.exec(matcher)?.[1];
  if (rule !== undefined && BUILT_IN_TOOLS.includes(rule))
    return `it is held against the tool's name alone. Write "${rule}", and look at the input in the hook.`;
  if (!isNameList(matcher)) return undefined;
  const misses = namesOf(matcher).map(explainNameMiss);
  // One name that fits is enough for the others to be there for another reason.
  return misses.every((miss) => miss !== undefined) ? misses.join(' ') : undefined;
}

function explainNameMiss(name: string): string | undefined {
  if (name.startsWith('mcp__') && !/^mcp__.+?__./.test(name))
    return `a name is compared whole. Write "${name.replace(/_+$/, '')}__.*" for all tools of the server.`;
  const meant = BUILT_IN_TOOLS.find((tool) => tool.toLowerCase() === name.toLowerCase());
  return meant === undefined || meant === name ? undefined : `names are case-sensitive. Write "${meant}".`;
}

/** Whether the CLI takes a matcher for names, compared whole; all else is a regular expression. */
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
