import { expect, it } from 'vitest';
import { findHookWarnings, findUnappliedHooks } from '../../../src/answer/hooks/hook-warnings.js';
import type { HookCallbackMatcher } from '../../../src/wire/protocol/hooks/hook-callback.js';

function warningsOf(event: string, more: Partial<HookCallbackMatcher>) {
  return findHookWarnings({ [event]: [{ hooks: [], ...more }] });
}

it.each([
  ['PreToolUse', 'mcp__demo', 'Write "mcp__demo__.*"'],
  ['PreToolUse', 'mcp__demo__', 'Write "mcp__demo__.*"'],
  ['PreToolUse', 'mcp__my-server', 'Write "mcp__my-server__.*"'],
  ['PostToolUse', 'mcp__a|mcp__b', 'Write "mcp__b__.*"'],
  ['PreToolUse', 'bash', 'Write "Bash"'],
  ['PreToolUse', 'Bash(git:*)', 'Write "Bash", and look at the input'],
  ['PermissionRequest', '[', 'not a valid regular expression'],
  ['Notification', '(', 'not a valid regular expression'],
  ['SessionStart', 'startup', 'Only "clear" and "compact"'],
  ['SessionStart', 'startup|resume', 'Only "clear" and "compact"'],
])('warns that for %s "%s" never matches, and says what to write', (event, matcher, hint) => {
  expect(warningsOf(event, { matcher })).toEqual([
    { code: 'HOOK_NEVER_MATCHES', message: expect.stringContaining(hint) as string },
  ]);
});

it.each([
  ['PreToolUse', 'mcp__demo__k'],
  ['PreToolUse', 'mcp__demo__.*'],
  ['PreToolUse', 'mcp__demo__*'],
  ['PreToolUse', 'mcp__.*'],
  ['PreToolUse', 'mcp__my-server__k'],
  ['PreToolUse', 'Bash|mcp__demo'],
  ['PreToolUse', '(Bash|Read)'],
  ['PreToolUse', 'Bash, Read'],
  ['PreToolUse', ''],
  ['PreToolUse', '*'],
  ['PreToolUse', 'MyOwnTool'],
  ['SubagentStart', 'bash'],
  ['SubagentStart', 'mcp__demo'],
  ['SessionStart', 'startup|compact'],
  ['Stop', '*'],
  ['Stop', undefined],
])('accepts %s with "%s"', (event, matcher) => {
  expect(warningsOf(event, matcher === undefined ? {} : { matcher })).toEqual([]);
});

it.each(['UserPromptSubmit', 'Stop', 'PostToolBatch', 'MessageDisplay'])(
  'warns that a matcher of %s is ignored',
  (event) => {
    expect(warningsOf(event, { matcher: 'Bash' })).toMatchObject([{ code: 'HOOK_MATCHER_IGNORED' }]);
  },
);

it('warns where failing closed has no effect, and names the matcher', () => {
  expect(warningsOf('Notification', { failClosed: true })).toEqual([
    { code: 'HOOK_CANNOT_BLOCK', message: expect.stringContaining('hooks.Notification[0]') as string },
  ]);
  expect(warningsOf('PreToolUse', { failClosed: true })).toEqual([]);
});

it('takes a huge timeout for milliseconds', () => {
  expect(warningsOf('PreToolUse', { timeout: 30_000 })).toMatchObject([
    { code: 'HOOK_TIMEOUT_LARGE', message: expect.stringContaining('write 30.') as string },
  ]);
  expect(warningsOf('PreToolUse', { timeout: 3600 })).toEqual([]);
});

it('warns when the CLI registered no hooks, if there are any', () => {
  expect(findUnappliedHooks({ Stop: [] }, { hooks_applied: false })).toMatchObject({
    code: 'HOOKS_NOT_APPLIED',
  });
  expect(findUnappliedHooks({ Stop: [] }, { hooks_applied: true })).toBeUndefined();
  expect(findUnappliedHooks({ Stop: [] }, {})).toBeUndefined();
  expect(findUnappliedHooks({}, { hooks_applied: false })).toBeUndefined();
  expect(findUnappliedHooks(undefined, { hooks_applied: false })).toBeUndefined();
});
