// What a hook can decide about a tool, a prompt and the end of a turn.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { createSdkMcpServer, text, tool, toolUse } from '../support/inboard.js';
import type { HookCallback, Options, PreToolUseHookSpecificOutput } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { ask, openTalk, readRest, resultsOf, textsOf } from '../support/talk.js';

const bash = (command: string) => toolUse('Bash', { command });
const commandOf = (input: unknown): string => String((input as { command?: unknown }).command);

async function decideBeforeATool(cli: Cli): Promise<void> {
  const decisions: Record<string, Omit<PreToolUseHookSpecificOutput, 'hookEventName'>> = {
    'touch allowed': { permissionDecision: 'allow' },
    'touch denied': { permissionDecision: 'deny', permissionDecisionReason: 'Not that one.' },
    'touch asked': { permissionDecision: 'ask', permissionDecisionReason: 'Better ask.' },
    'touch changed': { permissionDecision: 'allow', updatedInput: { command: 'echo "changed $((1+1))"' } },
    'touch shown': { updatedInput: { command: 'echo shown' } },
    'echo context': { additionalContext: 'THE CONTEXT' },
  };
  const asked: string[] = [];
  const guard: HookCallback<'PreToolUse'> = (input) => {
    const decision = decisions[commandOf(input.tool_input)];
    if (decision === undefined) return Promise.resolve({ decision: 'block', reason: 'Blocked.' });
    return Promise.resolve({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } });
  };
  const script = [...Object.keys(decisions), 'touch blocked'].map(bash);
  await onStage(cli, { script: [...script, text('Done.')] }, async (stage) => {
    const { query } = stage.start('Go.', {
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [guard] }] },
      canUseTool: (_name, input, { decisionReason }) => {
        asked.push(`${commandOf(input)}: ${decisionReason ?? ''}`);
        return Promise.resolve({ behavior: 'deny', message: 'The host says no.' });
      },
    });
    expect((await readRest(query)).error).toBeUndefined();
    // 2.1.33 does not pass on why it asks.
    const reason = cli.isOld ? '' : 'Better ask.';
    expect(asked).toEqual([`touch asked: ${reason}`]);
    const results = stage.model.conversation.flatMap(({ toolResults }) => toolResults);
    expect(results).toMatchObject([
      { isError: false },
      { isError: true, text: expect.stringContaining('Not that one.') as string },
      { isError: true, text: 'The host says no.' },
      { isError: false, text: 'changed 2' },
      { isError: false, text: 'shown' },
      { isError: false, text: 'context' },
      { isError: true, text: expect.stringContaining('Blocked.') as string },
    ]);
    const made = (name: string): boolean => existsSync(join(stage.home.cwd, name));
    expect(
      ['allowed', 'denied', 'asked', 'changed', 'shown', 'blocked'].filter(made),
      'what was run',
    ).toEqual(['allowed']);
    expect(stage.lastRequest().rawBody.includes('THE CONTEXT')).toBe(true);
  });
}

async function changeWhatAToolSaid(cli: Cli): Promise<void> {
  const after: HookCallback<'PostToolUse'> = (input) => {
    if (input.tool_name === 'mcp__local__speak')
      return Promise.resolve({
        hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'other words' },
      });
    const said = commandOf(input.tool_input);
    if (said === 'echo blocked') return Promise.resolve({ decision: 'block', reason: 'THE REASON' });
    const shown = { stdout: 'replaced', stderr: '', interrupted: false, isImage: false };
    return Promise.resolve({
      hookSpecificOutput: {
        hookEventName: 'PostToolUse',
        updatedToolOutput: shown,
        additionalContext: 'THE CONTEXT',
      },
    });
  };
  const failed: string[] = [];
  const afterFailure: HookCallback<'PostToolUseFailure'> = (input) => {
    failed.push(`${input.tool_name}: ${input.error}`);
    return Promise.resolve({
      hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext: 'THE FAILURE' },
    });
  };
  const speak = tool('speak', 'Speaks.', {}, () => 'first words');
  const script = [toolUse('mcp__local__speak'), bash('echo own'), bash('echo blocked'), bash('false')];
  await onStage(cli, { script: [...script, text('Done.')] }, async (stage) => {
    const { query } = stage.start('Go.', {
      allowedTools: ['Bash', 'mcp__local'],
      mcpServers: { local: createSdkMcpServer({ name: 'local', tools: [speak] }) },
      hooks: { PostToolUse: [{ hooks: [after] }], PostToolUseFailure: [{ hooks: [afterFailure] }] },
    });
    expect((await readRest(query)).error).toBeUndefined();
    const results = stage.model.conversation.flatMap(({ toolResults }) => toolResults);
    expect(results).toMatchObject([
      { text: 'other words' },
      // Only servers' tools could be given other words in 2.1.33.
      { text: cli.isOld ? 'own' : 'replaced' },
      { text: 'blocked' },
      { isError: true },
    ]);
    expect(failed).toEqual(['Bash: Exit code 1']);
    const { rawBody } = stage.lastRequest();
    for (const words of ['THE CONTEXT', 'THE REASON', 'THE FAILURE']) expect(rawBody).toContain(words);
  });
}

async function decideOnPrompts(cli: Cli): Promise<void> {
  const onPrompt: HookCallback<'UserPromptSubmit'> = ({ prompt }) => {
    if (prompt.includes('secret')) return Promise.resolve({ decision: 'block', reason: 'No secrets.' });
    if (prompt.includes('stop')) return Promise.resolve({ continue: false, stopReason: 'Enough.' });
    return Promise.resolve({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'THE CONTEXT' },
    });
  };
  const talk = openTalk();
  await onStage(cli, { script: [text('Hello.')] }, async (stage) => {
    const act = stage.start(talk.prompt, { hooks: { UserPromptSubmit: [{ hooks: [onPrompt] }] } });
    await ask(act, talk, 'the secret');
    await ask(act, talk, 'stop it');
    expect(stage.model.conversation).toHaveLength(0);
    await ask(act, talk, 'Hello?');
    talk.end();
    expect(stage.lastRequest().rawBody).toContain('THE CONTEXT');
    expect(stage.lastRequest().rawBody).not.toContain('the secret');
  });
}

async function goOnAtTheEnd(cli: Cli): Promise<void> {
  const seen: boolean[] = [];
  const onStop: HookCallback<'Stop'> = ({ stop_hook_active }) => {
    seen.push(stop_hook_active);
    return Promise.resolve(stop_hook_active ? {} : { decision: 'block', reason: 'NOT YET' });
  };
  await onStage(cli, { script: [text('Done.'), text('Really done.')] }, async (stage) => {
    const { messages, error } = await readRest(
      stage.start('Go.', { hooks: { Stop: [{ hooks: [onStop] }] } }).query,
    );
    expect(error).toBeUndefined();
    expect(seen).toEqual([false, true]);
    expect(textsOf(messages)).toEqual(['Done.', 'Really done.']);
    expect(resultsOf(messages)).toHaveLength(1);
    expect(stage.lastRequest().rawBody).toContain('NOT YET');
  });
}

async function followASubagent(cli: Cli): Promise<void> {
  const seen: string[] = [];
  const ids = new Set<string>();
  const note: HookCallback<'PreToolUse' | 'SubagentStart' | 'SubagentStop'> = (input) => {
    const what = 'tool_name' in input ? input.tool_name : input.agent_type;
    if (input.agent_id !== undefined) ids.add(input.agent_id);
    seen.push(`${input.hook_event_name} ${what} ${input.agent_id === undefined ? 'main' : 'sub'}`);
    if (input.hook_event_name === 'SubagentStop' && !input.stop_hook_active)
      return Promise.resolve({ decision: 'block', reason: 'NOT YET' });
    if (input.hook_event_name !== 'SubagentStart') return Promise.resolve({});
    return Promise.resolve({
      hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'THE CONTEXT' },
    });
  };
  const hooks: Options['hooks'] = {
    // The newest CLI calls the tool Agent, and still matches it by its older name.
    PreToolUse: [{ matcher: 'Task|Bash', hooks: [note] }],
    SubagentStart: [{ matcher: 'general-purpose', hooks: [note] }],
    SubagentStop: [{ matcher: 'general-purpose', hooks: [note] }],
  };
  const order = {
    description: 'd',
    prompt: 'CHILD',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  const plan = {
    conversations: [{ when: /CHILD/, script: [bash('echo child'), text('Child done.'), text('Really.')] }],
    script: [toolUse('Task', order), text('Done.')],
    onExhausted: text('Done again.'),
  };
  await onStage(cli, plan, async (stage) => {
    const { query } = stage.start('Go.', { hooks, allowedTools: ['Task', 'Bash'] });
    expect((await readRest(query)).error).toBeUndefined();
    const name = cli.isOld ? 'Task' : 'Agent';
    expect(seen).toEqual([
      `PreToolUse ${name} main`,
      'SubagentStart general-purpose sub',
      'PreToolUse Bash sub',
      'SubagentStop general-purpose sub',
      'SubagentStop general-purpose sub',
    ]);
    // 2.1.33 names the agent only at its start and end; its tools are told the call that made it.
    expect(ids.size).toBe(cli.isOld ? 2 : 1);
    const child = stage.model.conversation.filter(({ rawBody }) => rawBody.includes('THE CONTEXT'));
    expect(child).toHaveLength(3);
    expect(child.at(-1)?.rawBody).toContain('NOT YET');
  });
}

export const hookCases: CaseSet = {
  'decides about a tool before it runs': decideBeforeATool,
  'changes what the model hears of a tool': changeWhatAToolSaid,
  'stops a prompt, or adds to it': decideOnPrompts,
  'makes the model go on at the end of a turn': goOnAtTheEnd,
  'follows a subagent, and tells who calls a tool': followASubagent,
};
