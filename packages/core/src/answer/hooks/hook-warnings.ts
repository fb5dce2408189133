// Warns of hooks that are valid but probably not what was meant: a matcher that never matches or is ignored,
// `failClosed` where nothing can be blocked, a timeout in the wrong unit. Also warns of hooks that the CLI did not register.
import type { HookCallbackMatcher, HookEvent } from '../../wire/protocol/hooks/hook-callback.js';
import { findHookEvent } from '../../wire/protocol/hooks/hook-events.js';
import { canBlock } from './block-answer.js';
import { explainMiss } from './matcher-miss.js';

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

/** A timeout of this many seconds (nearly three hours) or more was probably meant as milliseconds. */
const LARGE_TIMEOUT = 10_000;

/** The warnings about all hooks. `options/` reports unknown events, so they are not among these warnings. */
export function findHookWarnings(
  hooks: Partial<Record<HookEvent, HookCallbackMatcher[]>> | undefined,
): HookWarning[] {
  return Object.entries(hooks ?? {}).flatMap(([event, matchers]) =>
    (matchers ?? []).flatMap((entry, index) => findMatcherWarnings(event, `hooks.${event}[${index}]`, entry)),
  );
}

/** The warning that the CLI will not call the hooks, if its handshake says so. Older CLIs never say so. */
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
  // Programs without types may pass null to match everything.
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
