// The handshake repeated: what is sent, what is known afterwards, and what becomes of questions that wait.
import { describe, expect, it, vi } from 'vitest';
import type { Options } from '../../src/options/options.js';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { answerPermission } from '../../src/answer/permissions/permission-questions.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES } from '../../../../test/support/scripted-cli.js';
import {
  INITIALIZE_REPLY,
  answered,
  ask,
  emit,
  expectLine,
  handshake,
  init,
  mark,
  refuse,
  reply,
  result,
  state,
  turn,
  type Step,
} from '../../../../test/support/steps.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

const FRESH = { ...INITIALIZE_REPLY, output_style: 'fresh', capabilities: ['fresh_v1'] };
const PERMISSION = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'tu1',
};
const ELICITATION = { subtype: 'elicitation', mcp_server_name: 's', message: 'Name?', mode: 'form' };
const DIALOG = { subtype: 'request_user_dialog', dialog_kind: 'k', payload: {} };

/** Answers a repeated handshake, saying that these questions are open. */
const replyWith = (siblings: object): Step => ({ do: 'reply', response: FRESH, siblings, to: 'again' });
const open = (id: string, request: object): object => ({ type: 'control_request', request_id: id, request });

describe.each(STAGES)('a repeated handshake (%s)', (kind) => {
  const play = useScenes();

  it('is the first one again, with the servers there are now, and what it tells is what is known', async () => {
    const commands = [{ name: 'changed', description: '', argumentHint: '' }];
    const server = (name: string) => createSdkMcpServer({ name, tools: [] });
    const options: Options = {
      hooks: { Stop: [{ hooks: [() => Promise.resolve({})] }] },
      mcpServers: { before: server('before') },
    };
    const { q, cli } = play({
      kind,
      options,
      steps: [
        ...handshake(),
        expectLine('mcp_set_servers'),
        reply({ added: ['after'], removed: ['before'], errors: {} }),
        expectLine('set_model', 'model'),
        emit({ type: 'system', subtype: 'commands_changed', commands }),
        reply({}, 'model'),
        expectLine('initialize', 'again'),
        replyWith({ pending_permission_requests: [] }),
        ...turn(),
      ],
    });
    expect(await q.initializationResult()).toEqual(INITIALIZE_REPLY);
    await q.setMcpServers({ after: server('after') });
    await q.setModel('m');
    expect(await q.supportedCommands()).toEqual(commands);
    expect(await q.reinitialize()).toEqual(FRESH);
    expect(await q.initializationResult()).toEqual(FRESH);
    expect(await q.supportedCommands()).toEqual(FRESH.commands);
    expect(await q.supports('fresh_v1')).toBe(true);
    const [first, second] = cli.requests('initialize');
    const { sdkMcpServerManifests: listed, ...others } = first ?? {};
    expect(Object.keys(listed ?? {})).toEqual(['before']);
    expect(others['sdkMcpServers']).toEqual(['before']);
    expect(second).toMatchObject({ ...others, sdkMcpServers: ['after'] });
    expect(Object.keys(second?.['sdkMcpServerManifests'] ?? {})).toEqual(['after']);
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(await q.initializationResult()).toEqual(FRESH);
  });

  it('does not put a question again that a callback is working on', async () => {
    const gate = createDeferred<void>();
    const canUseTool = vi.fn(async () => {
      await gate.promise;
      return { behavior: 'allow' as const, updatedInput: {} };
    });
    const { q, cli } = play({
      kind,
      options: { canUseTool },
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init()),
        ask('p1', PERMISSION),
        mark('asked'),
        expectLine('initialize', 'again'),
        replyWith({ pending_permission_requests: [open('p1', PERMISSION)] }),
        answered('p1'),
        emit(result(), state('idle')),
      ],
    });
    await cli.marked('asked');
    await waitUntil(() => canUseTool.mock.calls.length === 1);
    await q.reinitialize();
    gate.resolve();
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(canUseTool).toHaveBeenCalledTimes(1);
    expect(cli.received().filter((line) => line['type'] === 'control_response')).toHaveLength(1);
  });

  it('puts every kind of question again that was left open, and each is answered once', async () => {
    const canUseTool = vi
      .fn()
      .mockResolvedValueOnce(null)
      .mockResolvedValueOnce({ behavior: 'deny', message: 'second thoughts' });
    const onElicitation = vi.fn().mockResolvedValueOnce(null).mockResolvedValueOnce({ action: 'cancel' });
    const onUserDialog = vi.fn().mockResolvedValueOnce(null).mockResolvedValueOnce({ behavior: 'cancelled' });
    const { q, cli } = play({
      kind,
      options: { canUseTool, onElicitation, onUserDialog, supportedDialogKinds: ['k'] },
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init()),
        ask('p1', PERMISSION),
        ask('e1', ELICITATION),
        ask('d1', DIALOG),
        mark('asked'),
        expectLine('initialize', 'again'),
        replyWith({
          pending_permission_requests: [open('p1', PERMISSION)],
          pending_elicitation_requests: [open('e1', ELICITATION)],
          pending_user_dialog_requests: [open('d1', DIALOG)],
        }),
        answered('p1'),
        answered('e1'),
        answered('d1'),
        emit(result(), state('idle')),
      ],
    });
    await cli.marked('asked');
    await waitUntil(() => onUserDialog.mock.calls.length === 1);
    expect(q.pendingPermissions()).toMatchObject([{ requestId: 'p1' }]);
    await q.reinitialize();
    expect((await runToEnd(q)).error).toBeUndefined();
    for (const callback of [canUseTool, onElicitation, onUserDialog])
      expect(callback).toHaveBeenCalledTimes(2);
    expect(cli.answer('p1')).toMatchObject({ response: { behavior: 'deny' } });
    expect(cli.answer('e1')).toMatchObject({ response: { action: 'cancel' } });
    expect(cli.answer('d1')).toMatchObject({ response: { behavior: 'cancelled' } });
    expect(cli.received().filter((line) => line['type'] === 'control_response')).toHaveLength(3);
  });

  it('does not put a question again that was answered while the CLI wrote its reply', async () => {
    const canUseTool = vi.fn().mockResolvedValue(null);
    const { q, cli } = play({
      kind,
      options: { canUseTool },
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init()),
        ask('late-1', PERMISSION),
        mark('asked'),
        expectLine('initialize', 'again'),
        mark('again'),
        answered('late-1'),
        replyWith({ pending_permission_requests: [open('late-1', PERMISSION)] }),
        emit(result(), state('idle')),
      ],
    });
    await cli.marked('asked');
    await waitUntil(() => q.pendingPermissions().length === 1 && canUseTool.mock.calls.length === 1);
    const fresh = q.reinitialize();
    await cli.marked('again');
    expect(answerPermission('late-1', { behavior: 'allow', updatedInput: {} })).toBe(true);
    await fresh;
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(canUseTool).toHaveBeenCalledTimes(1);
    expect(cli.received().filter((line) => line['type'] === 'control_response')).toHaveLength(1);
  });

  it('that the CLI refuses changes nothing', async () => {
    const { q } = play({
      kind,
      steps: [...handshake(), expectLine('initialize', 'again'), refuse('Already initialized'), ...turn()],
    });
    const { error } = await outcomeOf(q.reinitialize());
    expect(error).toMatchObject({ code: 'CONTROL_REQUEST_FAILED', errorCode: 'already_initialized' });
    expect(await q.initializationResult()).toEqual(INITIALIZE_REPLY);
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('of a CLI that no longer promises to honour hooks is refused, and the session goes on as agreed', async () => {
    const { q } = play({
      kind,
      options: { hooks: { Stop: [{ hooks: [() => Promise.resolve({})], onFailure: 'block' }] } },
      steps: [
        ...handshake(),
        expectLine({ request: { subtype: 'initialize' } }, 'again'),
        reply({ ...FRESH, hooks_applied: false }, 'again'),
        ...turn(),
      ],
      prompt: promptAfter(() => asked.promise),
    });
    const asked = createDeferred<void>();
    expect((await outcomeOf(q.reinitialize())).error).toMatchObject({ code: 'HANDSHAKE_REFUSED' });
    asked.resolve();
    expect(await q.initializationResult()).toEqual(INITIALIZE_REPLY);
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('that takes too long is given up', async () => {
    const { q } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('initialize', 'again'),
        expectLine({ type: 'control_cancel_request' }),
        ...turn(),
      ],
    });
    await q.initializationResult();
    const { error } = await outcomeOf(q.reinitialize({ timeoutMs: 30 }));
    expect(error).toMatchObject({ code: 'CONTROL_TIMEOUT', limitMs: 30 });
    expect(await q.initializationResult()).toEqual(INITIALIZE_REPLY);
    expect((await runToEnd(q)).error).toBeUndefined();
  });
});

async function* promptAfter(wait: () => Promise<void>): AsyncGenerator<string> {
  await Promise.resolve();
  await wait();
  yield 'hi';
}
