// The CLI's questions on the wire: what is written for each answer, when, and how often.
import { describe, expect, it, vi } from 'vitest';
import type { Options } from '../../src/options/options.js';
import type { CanUseTool, PermissionResult } from '../../src/wire/protocol/control/permission-question.js';
import { createDeferred } from '../../src/util/deferred.js';
import { runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES, type ScriptedCli } from '../../../../test/support/scripted-cli.js';
import {
  answered,
  ask,
  canUseTool,
  emit,
  expectLine,
  handshake,
  hookCallback,
  init,
  mark,
  result,
  state,
  type Step,
} from '../../../../test/support/steps.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

const asking = (...middle: Step[]): Step[] => [
  ...handshake(),
  expectLine('user'),
  emit(state('running'), init()),
  ...middle,
  emit(result(), state('idle')),
];
const answerLine = (cli: ScriptedCli, id: string): string | undefined =>
  cli.lines().find((line) => line.includes(`"request_id":"${id}"`));

describe.each(STAGES)('questions (%s)', (kind) => {
  const play = useScenes();

  it('are answered while nobody iterates', async () => {
    const { q, cli } = play({
      kind,
      steps: asking(
        ask('p', canUseTool()),
        answered('p'),
        ask('h', hookCallback()),
        answered('h'),
        mark('answered'),
      ),
      options: {
        canUseTool: () => Promise.resolve({ behavior: 'allow' }),
        hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({ decision: 'approve' })] }] },
      },
    });
    await cli.marked('answered');
    expect(cli.answer('p')).toEqual({
      subtype: 'success',
      request_id: 'p',
      response: { behavior: 'allow', updatedInput: { command: 'ls' }, toolUseID: 'toolu_1' },
    });
    expect(cli.answer('h')).toEqual({
      subtype: 'success',
      request_id: 'h',
      response: { decision: 'approve' },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('run side by side, and are answered in the order in which they are decided', async () => {
    const decisions = new Map<string, () => void>();
    const all = createDeferred<void>();
    const { q, cli } = play({
      kind,
      steps: asking(
        ...['a', 'b', 'c'].map((id) => ask(id, canUseTool({ tool_use_id: id }))),
        answered('c'),
        answered('a'),
        answered('b'),
      ),
      options: {
        canUseTool: (_name, _input, { toolUseID }) =>
          new Promise((resolve) => {
            decisions.set(toolUseID, () => resolve({ behavior: 'deny', message: toolUseID }));
            if (decisions.size === 3) all.resolve();
          }),
      },
    });
    await all.promise;
    for (const id of ['c', 'a', 'b']) decisions.get(id)?.();
    expect((await runToEnd(q)).error).toBeUndefined();
    const answers = cli.received().filter(({ type }) => type === 'control_response');
    expect(answers.map(({ response }) => (response as { request_id: string }).request_id)).toEqual([
      'c',
      'a',
      'b',
    ]);
  });

  it('that are put twice under one id are asked and answered once', async () => {
    const decided = createDeferred<void>();
    const callback = vi.fn<CanUseTool>(async () => {
      await decided.promise;
      return { behavior: 'allow' };
    });
    const { q, cli, warnings } = play({
      kind,
      steps: asking(ask('p', canUseTool()), ask('p', canUseTool()), mark('twice'), answered('p')),
      options: { canUseTool: callback },
    });
    await cli.marked('twice');
    await waitUntil(() => warnings.length > 0);
    decided.resolve();
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(callback).toHaveBeenCalledTimes(1);
    expect(cli.received().filter(({ type }) => type === 'control_response')).toHaveLength(1);
    expect(warnings).toMatchObject([{ code: 'MALFORMED_FRAME' }]);
  });

  it('that are withdrawn abort their signal, and an answer that comes all the same is still written', async () => {
    const reasons: unknown[] = [];
    const { q, cli } = play({
      kind,
      steps: asking(ask('p', canUseTool()), { do: 'cancel', id: 'p' }, answered('p')),
      options: {
        canUseTool: (_name, _input, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              resolve({ behavior: 'deny', message: 'withdrawn' });
            });
          }),
      },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(reasons).toMatchObject([{ code: 'ABORTED' }]);
    expect(cli.answer('p')).toMatchObject({ response: { message: 'withdrawn' } });
  });

  it('that were withdrawn and then left to others are forgotten, and their id is free', async () => {
    const decisions: Array<PermissionResult | null> = [null, { behavior: 'allow' }];
    const { q, cli } = play({
      kind,
      steps: asking(
        ask('p', canUseTool()),
        { do: 'cancel', id: 'p' },
        ask('h', hookCallback()),
        answered('h'),
        ask('p', canUseTool()),
        answered('p'),
      ),
      options: {
        hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
        canUseTool: (_name, _input, { signal }) =>
          new Promise((resolve) => {
            const decision = decisions.shift() ?? null;
            if (decision) resolve(decision);
            else signal.addEventListener('abort', () => resolve(null));
          }),
      },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.answer('p')).toMatchObject({ response: { behavior: 'allow' } });
  });

  it('that a reply to the handshake brings along are asked like any other', async () => {
    const callback = vi.fn<CanUseTool>(() => Promise.resolve({ behavior: 'allow' }));
    const pending = { type: 'control_request', request_id: 'old', request: canUseTool() };
    const { q, cli } = play({
      kind,
      steps: [
        expectLine('initialize'),
        { do: 'reply', response: {}, siblings: { pending_permission_requests: [pending] } },
        answered('old'),
        expectLine('user'),
        emit(init(), result()),
      ],
      options: { canUseTool: callback },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(callback).toHaveBeenCalledTimes(1);
    expect(cli.answer('old')).toMatchObject({ subtype: 'success' });
  });
});

describe('what is written', () => {
  const play = useScenes();

  it.each<[string, object, Options, string]>([
    [
      'no callback for permissions',
      canUseTool(),
      {},
      '{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"behavior":"deny","message":"No permission callback (canUseTool) is set, so the call was denied","toolUseID":"toolu_1"}}}',
    ],
    [
      'an answer that JSON cannot hold: a denial',
      canUseTool(),
      { canUseTool: () => Promise.resolve({ behavior: 'allow', updatedInput: { big: 1n } }) },
      '{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"behavior":"deny","message":"The permission callback failed, so the call was denied","toolUseID":"toolu_1"}}}',
    ],
    [
      'a hook that gives nothing',
      hookCallback(),
      { hooks: { PreToolUse: [{ hooks: [() => Promise.resolve(undefined as never)] }] } },
      // The CLI calls anything but an object a failure of the hook.
      '{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{}}}',
    ],
    [
      'a hook that gives null',
      hookCallback(),
      { hooks: { PreToolUse: [{ hooks: [() => Promise.resolve(null as never)] }] } },
      '{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{}}}',
    ],
    [
      'a hook that throws',
      hookCallback(),
      { hooks: { PreToolUse: [{ hooks: [() => Promise.reject(new Error('hook boom'))] }] } },
      '{"type":"control_response","response":{"subtype":"error","request_id":"q","error":"hook boom"}}',
    ],
    [
      'a hook nobody declared',
      hookCallback({ callback_id: 'hook_99' }),
      {},
      '{"type":"control_response","response":{"subtype":"error","request_id":"q","error":"There is no hook callback with the id hook_99"}}',
    ],
    [
      'an elicitation without a callback',
      { subtype: 'elicitation', mcp_server_name: 's', message: 'm' },
      {},
      '{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"action":"decline"}}}',
    ],
    [
      'an elicitation',
      { subtype: 'elicitation', mcp_server_name: 's', message: 'm' },
      { onElicitation: () => Promise.resolve({ action: 'accept', content: { a: 1 } }) },
      '{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"action":"accept","content":{"a":1}}}}',
    ],
    [
      'a dialog',
      { subtype: 'request_user_dialog', dialog_kind: 'k', payload: {} },
      {
        supportedDialogKinds: ['k'],
        onUserDialog: () => Promise.resolve({ behavior: 'completed', result: 1 }),
      },
      '{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"behavior":"completed","result":1}}}',
    ],
    [
      'a question nobody here knows',
      { subtype: 'totally_unknown' },
      {},
      '{"type":"control_response","response":{"subtype":"error","request_id":"q","error":"Unsupported control request subtype: totally_unknown","error_code":"unsupported_request"}}',
    ],
    [
      'a question of ours turned round',
      { subtype: 'set_model', model: 'm' },
      {},
      '{"type":"control_response","response":{"subtype":"error","request_id":"q","error":"Unsupported control request subtype: set_model","error_code":"unsupported_request"}}',
    ],
  ])('for %s', async (_, question, options, line) => {
    const { q, cli } = play({ kind: 'memory', steps: asking(ask('q', question), answered('q')), options });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(answerLine(cli, 'q')).toBe(line);
  });

  it.each<[string, object, Options]>([
    ['a permission question left to others', canUseTool(), { canUseTool: () => Promise.resolve(null) }],
    [
      'an elicitation left to others',
      { subtype: 'elicitation', mcp_server_name: 's', message: 'm' },
      { onElicitation: () => Promise.resolve(null) },
    ],
    ['a dialog that is not ours', { subtype: 'request_user_dialog', dialog_kind: 'k', payload: {} }, {}],
  ])('nothing for %s', async (_, question, options) => {
    const { q, cli } = play({ kind: 'memory', steps: asking(ask('q', question)), options });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(answerLine(cli, 'q')).toBeUndefined();
  });
});
