// Hooks as guards: what fails, is late or makes no sense must not let a call through. And the ways of a hook
// that ends a turn, goes on in the background, puts a call off, or answers a permission question.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { replayPermissions } from '../../../src/answer/permissions/replay-permissions.js';
import { allow, deny, text, toolUse } from '../support/inboard.js';
import type { HookCallback, PermissionRequestHookSpecificOutput } from '../support/inboard.js';
import { onStage, type Stage } from '../support/stage.js';
import { ask, openTalk, readRest, resultsOf } from '../support/talk.js';

const bash = (command: string) => toolUse('Bash', { command });
const commandOf = (input: unknown): string => String((input as { command?: unknown }).command);
const isMade = (stage: Stage, name: string): boolean => existsSync(join(stage.home.cwd, name));
const resultsIn = (stage: Stage) => stage.model.conversation.flatMap(({ toolResults }) => toolResults);

async function failClosed(cli: Cli): Promise<void> {
  const commands = ['touch thrown', 'touch nonsense', 'touch nothing'];
  const guard: HookCallback<'PreToolUse'> = (input) => {
    const command = commandOf(input.tool_input);
    if (command === 'touch thrown') throw new Error('it is broken');
    return Promise.resolve((command === 'touch nonsense' ? 'deny' : undefined) as never);
  };
  await onStage(cli, { script: [...commands.map(bash), text('Done.')] }, async (stage) => {
    const { query, warnings } = stage.start('Go.', {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [guard], failClosed: true }] },
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(resultsIn(stage)).toMatchObject([
      { isError: true, text: expect.stringContaining('hooks.PreToolUse[0].hooks[0] failed') as string },
      { isError: true, text: expect.stringContaining('gave no valid answer') as string },
      { isError: true, text: expect.stringContaining('gave no valid answer') as string },
    ]);
    expect(['thrown', 'nonsense', 'nothing'].filter((name) => isMade(stage, name))).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual([
      'HOOK_FAILED',
      'HOOK_OUTPUT_INVALID',
      'HOOK_OUTPUT_INVALID',
    ]);
  });
}

async function refuseWhenLate(cli: Cli): Promise<void> {
  let reason: unknown;
  const guard: HookCallback<'PreToolUse'> = (_input, _id, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        ({ reason } = signal);
        resolve({});
      });
    });
  await onStage(cli, { script: [bash('touch made'), text('Done.')] }, async (stage) => {
    const { query } = stage.start('Go.', {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [guard], timeout: 3 }] },
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(resultsIn(stage)).toMatchObject([
      { isError: true, text: expect.stringContaining('hooks.PreToolUse[0].hooks[0]') as string },
    ]);
    expect(isMade(stage, 'made')).toBe(false);
    expect(reason).toMatchObject({ code: 'HOOK_TIMEOUT', event: 'PreToolUse' });
  });
}

async function takeARefusalForOne(cli: Cli): Promise<void> {
  // Each is a refusal that the CLI itself cannot read, and would let pass.
  const answers: Record<string, unknown> = {
    'touch unnamed': {
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'No 1.' },
    },
    'touch nulled': {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'No 2.',
        updatedInput: null,
      },
    },
    'touch misplaced': { permissionDecision: 'deny' },
    'touch misspelled': { decision: 'deny' },
  };
  const guard: HookCallback<'PreToolUse'> = (input) =>
    Promise.resolve(answers[commandOf(input.tool_input)] as never);
  const script = [...Object.keys(answers).map(bash), text('Done.')];
  await onStage(cli, { script, options: { allowedTools: ['Bash'] } }, async (stage) => {
    const { query, warnings } = stage.start('Go.', { hooks: { PreToolUse: [{ hooks: [guard] }] } });
    expect((await readRest(query)).error).toBeUndefined();
    // The model is told that the answer was not valid; the host, why.
    expect(resultsIn(stage)).toMatchObject([
      { isError: true, text: expect.stringContaining('No 1.') as string },
      { isError: true, text: expect.stringContaining('No 2.') as string },
      { isError: true, text: expect.stringContaining('gave no valid answer') as string },
      { isError: true, text: expect.stringContaining('gave no valid answer') as string },
    ]);
    const told = warnings.map(({ message }) => message).join('\n');
    expect(told).toContain('it belongs inside');
    expect(told).toContain('expected "approve" or "block"');
  });
}

async function withholdAResult(cli: Cli): Promise<void> {
  const fail = (): never => {
    throw new Error('cannot redact');
  };
  await onStage(cli, { script: [bash('echo secret')] }, async (stage) => {
    const { query } = stage.start('Go.', {
      allowedTools: ['Bash'],
      hooks: { PostToolUse: [{ hooks: [fail], failClosed: true }] },
    });
    const { messages } = await readRest(query);
    expect(resultsOf(messages)).toHaveLength(1);
    expect(stage.model.conversation).toHaveLength(1);
  });
}

async function blockAPromptOfABrokenGuard(cli: Cli): Promise<void> {
  const fail = (): never => {
    throw new Error('it is broken');
  };
  await onStage(cli, {}, async (stage) => {
    const { query } = stage.start('Go.', {
      hooks: { UserPromptSubmit: [{ hooks: [fail], failClosed: true }] },
    });
    await readRest(query);
    expect(stage.model.conversation).toHaveLength(0);
  });
}

async function goOnInTheBackground(cli: Cli): Promise<void> {
  await onStage(cli, { script: [bash('echo done'), text('Done.')] }, async (stage) => {
    const { query, warnings } = stage.start('Go.', {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({ async: true, asyncTimeout: 1000 })] }] },
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(resultsIn(stage)).toMatchObject([{ isError: false, text: 'done' }]);
    expect(warnings).toEqual([]);
  });
}

async function endTheTurn(cli: Cli): Promise<void> {
  await onStage(cli, { script: [bash('echo done')] }, async (stage) => {
    const { query } = stage.start('Go.', {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({ continue: false, stopReason: 'Enough.' })] }] },
    });
    const { messages } = await readRest(query);
    expect(resultsOf(messages)).toMatchObject([{ subtype: 'success' }]);
    expect(stage.model.conversation).toHaveLength(1);
  });
}

async function withdrawAHook(cli: Cli): Promise<void> {
  await onStage(cli, { script: [bash('touch made')] }, async (stage) => {
    let tellCalled: (signal: AbortSignal) => void = () => {};
    const called = new Promise<AbortSignal>((resolve) => {
      tellCalled = resolve;
    });
    const guard: HookCallback = (_input, _id, { signal }) => {
      tellCalled(signal);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({}));
      });
    };
    const { query } = stage.start('Go.', {
      allowedTools: ['Bash'],
      hooks: { PreToolUse: [{ hooks: [guard] }] },
    });
    const reading = readRest(query);
    const signal = await called;
    expect(signal.aborted).toBe(false);
    await query.interrupt();
    await reading;
    expect(signal.aborted).toBe(true);
    expect(isMade(stage, 'made')).toBe(false);
  });
}

async function answerAQuestion(cli: Cli): Promise<void> {
  const decisions: Record<string, PermissionRequestHookSpecificOutput['decision']> = {
    'touch denied': { behavior: 'deny', message: 'Not that one.' },
    'touch changed': { behavior: 'allow', updatedInput: { command: 'touch allowed' } },
  };
  const decide: HookCallback<'PermissionRequest'> = (input) => {
    const decision = decisions[commandOf(input.tool_input)] ?? { behavior: 'deny' };
    return Promise.resolve({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  };
  const script = [...Object.keys(decisions).map(bash), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const { query } = stage.start('Go.', {
      hooks: { PermissionRequest: [{ hooks: [decide] }] },
      // The newest CLI asks hook and host at once and takes the first answer; 2.1.33 asks the hook first.
      canUseTool: (_name, _input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(deny('too late')));
        }),
    });
    expect((await readRest(query)).error).toBeUndefined();
    expect(resultsIn(stage)).toMatchObject([{ isError: true, text: 'Not that one.' }, { isError: false }]);
    expect(['denied', 'changed', 'allowed'].filter((name) => isMade(stage, name))).toEqual(['allowed']);
  });
}

async function beThereForACompaction(cli: Cli): Promise<void> {
  const seen: string[] = [];
  const talk = openTalk();
  const plan = { script: [text('Hello.'), text('A summary.')], onExhausted: text('A summary.') };
  await onStage(cli, plan, async (stage) => {
    const act = stage.start(talk.prompt, {
      hooks: {
        PreCompact: [
          {
            matcher: 'manual',
            hooks: [
              (input: { custom_instructions: string | null }) => {
                seen.push(`PreCompact ${input.custom_instructions ?? ''}`);
                return Promise.resolve({});
              },
            ],
          },
        ],
        SessionStart: [
          {
            matcher: 'compact',
            hooks: [
              (input: { source: string }) => {
                seen.push(`SessionStart ${input.source}`);
                return Promise.resolve({
                  hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'THE CONTEXT' },
                });
              },
            ],
          },
        ],
      },
    });
    await ask(act, talk, 'Hello?');
    await ask(act, talk, '/compact briefly');
    expect(seen).toEqual(['PreCompact briefly', 'SessionStart compact']);
    await ask(act, talk, 'And now?');
    talk.end();
    expect(stage.lastRequest().rawBody).toContain('THE CONTEXT');
  });
}

async function putACallOff(cli: Cli): Promise<void> {
  const putOff: HookCallback<'PreToolUse'> = () =>
    Promise.resolve({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' },
    });
  const script = [bash('touch made'), text('Done.')];
  await onStage(cli, { script }, async (stage) => {
    const first = stage.start('Go.', {
      hooks: { PreToolUse: [{ hooks: [putOff] }] },
      canUseTool: () => Promise.resolve(deny('Not now.')),
    });
    const [result] = resultsOf((await readRest(first.query)).messages);
    if (cli.version === '2.1.33') {
      // It does not know the word, and goes on to ask.
      expect(resultsIn(stage)).toMatchObject([{ isError: true, text: 'Not now.' }]);
      return;
    }
    if (result?.subtype !== 'success' || !result.deferred_tool_use) throw new Error('Nothing was put off');
    expect(result.terminal_reason).toBe('tool_deferred');
    const { id, name, input } = result.deferred_tool_use;
    const decision = { toolUseID: id, toolName: name, input, result: allow() };
    const talk = openTalk();
    const second = stage.start(talk.prompt, {
      resume: result.session_id,
      canUseTool: replayPermissions([decision]),
    });
    const reading = readRest(second.query);
    await stage.model.waitFor(({ toolResults }) => toolResults.some(({ toolUseId }) => toolUseId === id));
    talk.end();
    expect((await reading).error).toBeUndefined();
    expect(isMade(stage, 'made')).toBe(true);
  });
}

export const hookGuardCases: CaseSet = {
  'counts a guard that fails as a no': failClosed,
  'counts a guard that is late as a no': refuseWhenLate,
  'takes a refusal for one even where the CLI would not': takeARefusalForOne,
  'shows the model nothing when the guard of a result fails': withholdAResult,
  'sends no prompt when its guard fails': blockAPromptOfABrokenGuard,
  'goes on without a hook that works in the background': goOnInTheBackground,
  'ends the turn when a hook says so': endTheTurn,
  'tells a hook that nobody waits for it': withdrawAHook,
  'answers a permission question in place of the host': answerAQuestion,
  'is told of a compaction, and speaks after it': beThereForACompaction,
  'puts a call off until the session is resumed': putACallOff,
};
