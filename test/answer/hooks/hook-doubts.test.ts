import { expect, it } from 'vitest';
import { findHookDoubts, findUnapplied } from '../../../src/answer/hooks/hook-doubts.js';
import type { HookCallbackMatcher } from '../../../src/wire/protocol/hooks/hook-callback.js';

function doubtsOf(event: string, more: Partial<HookCallbackMatcher>) {
  return findHookDoubts({ [event]: [{ hooks: [], ...more }] });
}

it.each([
  ['PreToolUse', 'mcp__demo', 'Write "mcp__demo__.*"'],
  ['PreToolUse', 'mcp__demo__', 'Write "mcp__demo__.*"'],
  ['PreToolUse', 'mcp__my-server', 'Write "mcp__my-server__.*"'],
  ['PostToolUse', 'mcp__a|mcp__b', 'Write "mcp__b__.*"'],
  ['PreToolUse', 'bash', 'Write "Bash"'],
  ['PreToolUse', 'Bash(git:*)', 'Write "Bash", and look at the input'],
  ['PermissionRequest', '[', 'no regular expression'],
  ['Notification', '(', 'no regular expression'],
  ['SessionStart', 'startup', 'Only "clear" and "compact"'],
  ['SessionStart', 'startup|resume', 'Only "clear" and "compact"'],
])('says that for %s "%s" never matches, and what to write', (event, matcher, hint) => {
  expect(doubtsOf(event, { matcher })).toEqual([
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
])('has nothing against %s with "%s"', (event, matcher) => {
  expect(doubtsOf(event, matcher === undefined ? {} : { matcher })).toEqual([]);
});

it.each(['UserPromptSubmit', 'Stop', 'PostToolBatch', 'MessageDisplay'])(
  'says that nobody looks at a matcher of %s',
  (event) => {
    expect(doubtsOf(event, { matcher: 'Bash' })).toMatchObject([{ code: 'HOOK_MATCHER_IGNORED' }]);
  },
);

it('says where failing closed means nothing, and names the place', () => {
  expect(doubtsOf('Notification', { failClosed: true })).toEqual([
    { code: 'HOOK_CANNOT_BLOCK', message: expect.stringContaining('hooks.Notification[0]') as string },
  ]);
  expect(doubtsOf('PreToolUse', { failClosed: true })).toEqual([]);
});

it('takes a huge timeout for one in milliseconds', () => {
  expect(doubtsOf('PreToolUse', { timeout: 30_000 })).toMatchObject([
    { code: 'HOOK_TIMEOUT_LARGE', message: expect.stringContaining('write 30.') as string },
  ]);
  expect(doubtsOf('PreToolUse', { timeout: 3600 })).toEqual([]);
});

it('passes on that the CLI took no hooks, if there are any', () => {
  expect(findUnapplied({ Stop: [] }, { hooks_applied: false })).toMatchObject({ code: 'HOOKS_NOT_APPLIED' });
  expect(findUnapplied({ Stop: [] }, { hooks_applied: true })).toBeUndefined();
  expect(findUnapplied({ Stop: [] }, {})).toBeUndefined();
  expect(findUnapplied({}, { hooks_applied: false })).toBeUndefined();
  expect(findUnapplied(undefined, { hooks_applied: false })).toBeUndefined();
});
