// The host's say in a turn: permissions and hooks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { outcomeOf, text, toolUse } from '../support/inboard.js';
import type { CanUseTool, HookCallback } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { readRest, resultsOf } from '../support/talk.js';

async function decideOnPermissions(cli: Cli): Promise<void> {
  const commands = ['touch allowed', 'touch denied', 'touch changed', 'touch thrown'];
  const script = [...commands.map((command) => toolUse('Bash', { command })), text('Done.')];
  const asked: unknown[] = [];
  const canUseTool: CanUseTool = (name, input, { toolUseID }) => {
    asked.push({ name, input, toolUseID });
    switch (input['command']) {
      case 'touch allowed':
        return Promise.resolve({ behavior: 'allow' });
      case 'touch denied':
        return Promise.resolve({ behavior: 'deny', message: 'Not that one.' });
      case 'touch changed':
        return Promise.resolve({ behavior: 'allow', updatedInput: { command: 'echo "other $((1+1))"' } });
      default:
        throw new Error('it is broken');
    }
  };
  await onStage(cli, { script }, async (stage) => {
    const { query, warnings } = stage.start('Go.', { canUseTool });
    const { messages, error } = await readRest(query);
    expect(warnings.map(({ code }) => code)).toEqual(['PERMISSION_CALLBACK_FAILED']);
    expect(warnings[0]?.message).toContain('it is broken');
    expect(error).toBeUndefined();
    expect(asked).toEqual(
      commands.map((command, index) => ({
        name: 'Bash',
        input: { command },
        toolUseID: `toolu_scripted_000${index + 1}`,
      })),
    );
    expect(stage.model.conversation.flatMap(({ toolResults }) => toolResults)).toMatchObject([
      { isError: false },
      { isError: true, text: 'Not that one.' },
      { isError: false, text: 'other 2' },
      { isError: true, text: 'The permission callback failed, so the call was denied' },
    ]);
    const made = (name: string): boolean => existsSync(join(stage.home.cwd, name));
    expect(['allowed', 'denied', 'changed', 'thrown'].filter(made)).toEqual(['allowed']);
    const [result] = resultsOf(messages);
    expect(result?.permission_denials).toMatchObject([
      { tool_use_id: 'toolu_scripted_0002' },
      { tool_use_id: 'toolu_scripted_0004' },
    ]);
  });
}

async function withdrawAQuestion(cli: Cli): Promise<void> {
  await onStage(cli, { script: [toolUse('Bash', { command: 'touch made' })] }, async (stage) => {
    let tellAsked: (signal: AbortSignal) => void = () => {};
    const asked = new Promise<AbortSignal>((resolve) => {
      tellAsked = resolve;
    });
    const canUseTool: CanUseTool = (_name, _input, { signal }) => {
      tellAsked(signal);
      // The callback never answers; only the signal ends it.
      return new Promise(() => {});
    };
    const { query } = stage.start('Go.', { canUseTool });
    const reading = readRest(query);
    const signal = await asked;
    expect(signal.aborted).toBe(false);
    await query.interrupt();
    const { messages, error } = await reading;
    expect(error).toBeUndefined();
    expect(signal.aborted).toBe(true);
    expect(resultsOf(messages).map((result) => outcomeOf(result).kind)).toEqual(['interrupted']);
  });
}

async function decideByHook(cli: Cli): Promise<void> {
  const script = [
    toolUse('Bash', { command: 'echo one' }),
    toolUse('Bash', { command: 'echo two' }),
    text('Done.'),
  ];
  const seen: string[] = [];
  const hook: HookCallback = async (input) => {
    seen.push(input.hook_event_name);
    if (input.hook_event_name !== 'PreToolUse' || !JSON.stringify(input.tool_input).includes('one'))
      return {};
    const decision = { permissionDecision: 'deny', permissionDecisionReason: 'One is enough.' } as const;
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
  };
  const hooks = {
    PreToolUse: [{ matcher: 'Bash', hooks: [hook] }],
    PostToolUse: [{ hooks: [hook] }],
    Stop: [{ hooks: [hook] }],
  };
  await onStage(cli, { script, options: { allowedTools: ['Bash'], hooks } }, async (stage) => {
    expect((await readRest(stage.start('Go.').query)).error).toBeUndefined();
    expect(seen).toEqual(['PreToolUse', 'PreToolUse', 'PostToolUse', 'Stop']);
    expect(stage.model.conversation.flatMap(({ toolResults }) => toolResults)).toMatchObject([
      { isError: true, text: expect.stringContaining('One is enough.') as string },
      { isError: false, text: 'two' },
    ]);
  });
}

async function blockOnABrokenHook(cli: Cli): Promise<void> {
  const fail = (): never => {
    throw new Error('it is broken');
  };
  const hooks = { PreToolUse: [{ hooks: [fail], onFailure: 'block' as const }] };
  if (cli.isOld) {
    await onStage(cli, {}, async ({ start }) => {
      const { error } = await readRest(start('Go.', { hooks }).query);
      expect(error).toMatchObject({ code: 'UNSUPPORTED_OPTION', option: 'hooks.PreToolUse.onFailure' });
    });
    return;
  }
  const script = [toolUse('Bash', { command: 'touch made' }), text('Done.')];
  await onStage(cli, { script, options: { allowedTools: ['Bash'], hooks } }, async (stage) => {
    expect((await readRest(stage.start('Go.').query)).error).toBeUndefined();
    expect(stage.lastRequest().toolResults).toMatchObject([{ isError: true }]);
    expect(existsSync(join(stage.home.cwd, 'made'))).toBe(false);
  });
}

export const callbackCases: CaseSet = {
  'asks the host, and does as it says': decideOnPermissions,
  'withdraws a question when the turn is interrupted': withdrawAQuestion,
  'lets a hook refuse a call': decideByHook,
  'runs nothing when a hook fails that must not': blockOnABrokenHook,
};
