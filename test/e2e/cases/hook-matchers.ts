// How the CLI holds matchers against names, and that the warnings about them are true.
import { expect } from 'vitest';
import { findHookWarnings } from '../../../packages/core/src/answer/hooks/hook-warnings.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { createSdkMcpServer, text, tool, toolUse } from '../support/inboard.js';
import type { HookCallback } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest } from '../support/talk.js';

/** By matcher, the tools whose hooks are called: `B` for Bash, `k` for mcp__demo__k, `d` for mcp__my-demo__k. */
const MATCHERS: Record<string, string> = {
  '': 'Bkd',
  '*': 'Bkd',
  Bash: 'B',
  'Bash|Read': 'B',
  '(Bash|Read)': 'B',
  '^Ba': 'B',
  Ba: '',
  bash: '',
  'Bash(echo:*)': '',
  '[': '',
  mcp__demo: '',
  'Bash|mcp__demo': 'B',
  mcp__demo__k: 'k',
  'mcp__demo__.*': 'k',
  'mcp__demo__*': 'k',
  'mcp__.*': 'kd',
  'demo__.*': 'kd',
  'mcp__my-demo__k': 'd',
};
/** A hyphen made a regular expression of a name in 2.1.33, which also knew no other separator than `|`. */
const OTHERWISE_IN_OLD: Record<string, [old: string, now: string]> = {
  'mcp__my-demo': ['d', ''],
  'Bash,Read': ['', 'B'],
  'Read | Bash': ['', 'B'],
};

async function matchNames(cli: Cli): Promise<void> {
  const expected = { ...MATCHERS };
  for (const [matcher, [old, now]] of Object.entries(OTHERWISE_IN_OLD))
    expected[matcher] = cli.isOld ? old : now;
  const letters: Record<string, string> = { Bash: 'B', mcp__demo__k: 'k', 'mcp__my-demo__k': 'd' };
  const seen = Object.fromEntries(Object.keys(expected).map((matcher) => [matcher, '']));
  const noteFor =
    (matcher: string): HookCallback<'PreToolUse'> =>
    (input) => {
      seen[matcher] += letters[input.tool_name] ?? '?';
      return Promise.resolve({});
    };
  const matchers = Object.keys(expected).map((matcher) => ({ matcher, hooks: [noteFor(matcher)] }));
  const server = (name: string) => createSdkMcpServer({ name, tools: [tool('k', 'Says k.', {}, () => 'k')] });
  const script = [
    toolUse('Bash', { command: 'echo hi' }),
    toolUse('mcp__demo__k'),
    toolUse('mcp__my-demo__k'),
    text('Done.'),
  ];
  await onStage(cli, { script }, async (stage) => {
    const { query, warnings } = stage.start('Go.', {
      allowedTools: ['Bash', 'mcp__demo', 'mcp__my-demo'],
      mcpServers: { demo: server('demo'), 'my-demo': server('my-demo') },
      hooks: { PreToolUse: matchers },
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(seen).toEqual(expected);
    const doubted = warnings.filter(({ code }) => code === 'HOOK_NEVER_MATCHES');
    expect(doubted).toHaveLength(findHookWarnings({ PreToolUse: matchers }).length);
    const isDoubted = (matcher: string): boolean =>
      findHookWarnings({ PreToolUse: [{ matcher, hooks: [] }] }).length > 0;
    // A part of a name could belong to a tool that is not known here.
    expect(Object.keys(MATCHERS).filter(isDoubted)).toEqual(
      Object.keys(MATCHERS).filter((matcher) => MATCHERS[matcher] === '' && matcher !== 'Ba'),
    );
  });
}

async function ignoreMatchers(cli: Cli): Promise<void> {
  const seen: string[] = [];
  const note = (input: { hook_event_name: string }) => {
    seen.push(input.hook_event_name);
    return Promise.resolve({});
  };
  const entry = [{ matcher: 'nothing-is-called-so', hooks: [note] }];
  await onStage(cli, { script: [text('Done.')] }, async (stage) => {
    const { query, warnings } = stage.start('Go.', { hooks: { UserPromptSubmit: entry, Stop: entry } });
    expect((await readRest(query)).error).toBeUndefined();
    expect(seen).toEqual(['UserPromptSubmit', 'Stop']);
    expect(warnings.map(({ code }) => code)).toEqual(['HOOK_MATCHER_IGNORED', 'HOOK_MATCHER_IGNORED']);
  });
}

async function startWithoutHooks(cli: Cli): Promise<void> {
  const seen: string[] = [];
  const note = (input: { hook_event_name: string }) => {
    seen.push(input.hook_event_name);
    return Promise.resolve({});
  };
  const hooks = { SessionStart: [{ hooks: [note] }], SessionEnd: [{ hooks: [note] }] };
  await onStage(cli, { script: [text('One.'), text('Two.')] }, async (stage) => {
    const { messages } = await readRest(stage.start('Go.', { hooks }).query);
    const resume = messages.find(({ type }) => type === 'result')?.session_id ?? '';
    expect((await readRest(stage.start('Go on.', { hooks, resume }).query)).error).toBeUndefined();
    // The CLI does both before it knows, and after it forgets, the hooks of this process.
    expect(seen).toEqual([]);
  });
}

async function notify(cli: Cli): Promise<void> {
  const isOld = cli.isOld;
  let tell: () => void = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const seen: string[] = [];
  const note: HookCallback<'Notification'> = (input) => {
    seen.push(`${input.notification_type}: ${input.message}`);
    tell();
    return Promise.resolve({});
  };
  const script = [toolUse('Bash', { command: 'touch made' }), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const { query } = stage.start('Go.', {
      hooks: { Notification: [{ matcher: 'permission_prompt', hooks: [note] }] },
      canUseTool: async () => {
        // 2.1.33 says nothing of a question that it puts to a host.
        if (!isOld) await told;
        return { behavior: 'allow' };
      },
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(seen).toEqual(
      isOld ? [] : [expect.stringMatching(/^permission_prompt: .*permission to use Bash/) as string],
    );
  });
}

export const hookMatcherCases: CaseSet = {
  'matches names whole, and patterns anywhere': matchNames,
  'looks at no matcher of events without a subject': ignoreMatchers,
  'tells of a question that waits for a person': notify,
  'calls no hook for the start, resumption and end of a session': startWithoutHooks,
};
