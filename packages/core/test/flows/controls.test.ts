// Control requests through a whole session: when they work, and how they fail.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  AbortError,
  ControlRequestError,
  ControlTimeoutError,
  SessionClosedError,
  ToolsNotReadyError,
} from '../../src/errors.js';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES } from '../../../../test/support/scripted-cli.js';
import {
  HANG,
  INITIALIZE_REPLY,
  answered,
  ask,
  assistant,
  emit,
  exit,
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

describe.each(STAGES)('control requests (%s)', (kind) => {
  const play = useScenes();

  it('work before the first message, during the iteration, and without one', async () => {
    const { q, cli } = play({
      kind,
      steps: [
        expectLine('initialize'),
        expectLine('set_permission_mode'),
        reply(INITIALIZE_REPLY, 'initialize'),
        reply({ mode: 'plan' }, 'set_permission_mode'),
        expectLine('user'),
        emit(state('running'), init(), assistant('working')),
        expectLine('set_model'),
        reply(undefined, 'set_model'),
        emit(result(), state('idle')),
      ],
    });
    await q.setPermissionMode('plan');
    for (let step = await q.next(); !step.done; step = await q.next()) {
      if (step.value.type === 'assistant') expect(await q.setModel('m')).toBeUndefined();
    }
    const [first, second] = cli.received();
    expect(first).toMatchObject({ request: { subtype: 'initialize' } });
    expect([second, ...cli.received()]).toContainEqual({
      request_id: expect.stringMatching(/^[a-z0-9]{10,12}$/) as string,
      type: 'control_request',
      request: { subtype: 'set_permission_mode', mode: 'plan' },
    });
    expect(await q.initializationResult()).toEqual(INITIALIZE_REPLY);
  });

  it('may be many at once, and be answered in any order', async () => {
    const { q } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine({ request: { subtype: 'stop_task', task_id: 'a' } }, 'a'),
        expectLine({ request: { subtype: 'stop_task', task_id: 'b' } }, 'b'),
        expectLine('background_tasks'),
        { do: 'refuse', error: 'no task b', code: 'not_found', to: 'b' },
        reply({ backgrounded: false }, 'background_tasks'),
        reply({}, 'a'),
        ...turn(),
      ],
    });
    const all = [q.stopTask('a'), q.stopTask('b'), q.backgroundTasks()].map(outcomeOf);
    const [a, b, background] = await Promise.all(all);
    expect(a).toEqual({ value: undefined });
    expect(background).toEqual({ value: false });
    expect(b?.error).toBeInstanceOf(ControlRequestError);
    expect(b?.error).toMatchObject({
      code: 'CONTROL_REQUEST_FAILED',
      errorClass: 'control_request_failed',
      errorCode: 'not_found',
      subtype: 'stop_task',
      message: 'no task b',
    });
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('refused without a reason say at least which', async () => {
    const { q } = play({ kind, steps: [...handshake(), expectLine('set_model'), refuse(''), ...turn()] });
    await expect(q.setModel('m')).rejects.toThrow(/"set_model" and gave no reason/);
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('given up by their signal are withdrawn, and hold nothing', async () => {
    const controller = new AbortController();
    const { q, cli } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('get_context_usage'),
        mark('asked'),
        expectLine({ type: 'control_cancel_request' }),
        ...turn(),
      ],
    });
    const usage = q.request('get_context_usage', {}, { signal: controller.signal });
    await cli.marked('asked');
    controller.abort('enough');
    await expect(usage).rejects.toBeInstanceOf(AbortError);
    await expect(usage).rejects.toMatchObject({ cause: 'enough' });
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('that take too long are withdrawn, and what they began here is undone', async () => {
    const server = createSdkMcpServer({ name: 'kept', tools: [] });
    const { q, cli } = play({
      kind,
      options: { mcpServers: { kept: server } },
      steps: [
        ...handshake(),
        expectLine('mcp_set_servers'),
        expectLine({ type: 'control_cancel_request' }),
        ask('ping', {
          subtype: 'mcp_message',
          server_name: 'kept',
          message: { jsonrpc: '2.0', id: 1, method: 'ping' },
        }),
        answered('ping'),
        ...turn(),
      ],
    });
    await q.initializationResult();
    const { error } = await outcomeOf(q.setMcpServers({}, { timeoutMs: 20 }));
    expect(error).toBeInstanceOf(ControlTimeoutError);
    expect(error).toMatchObject({ subtype: 'mcp_set_servers', limitMs: 20 });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.answer('ping')).toMatchObject({ response: { mcp_response: { id: 1, result: {} } } });
  });

  it('that a CLI does not know say which version does', async () => {
    const { q } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('list_models'),
        refuse('Unsupported control request subtype: list_models', 'unsupported_request'),
        ...turn(),
      ],
    });
    const { error } = await outcomeOf(q.listModels());
    expect(error).toMatchObject({ errorCode: 'unsupported_request', subtype: 'list_models' });
    expect((error as Error).message).toMatch(/^Claude CLI 2\.1\.325 does not know/);
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('that are open at the end reject with it, and so do later ones', async () => {
    const { q } = play({
      kind,
      steps: [...handshake(), expectLine('user'), expectLine('mcp_status'), exit(7)],
    });
    const open = outcomeOf(q.mcpServerStatus());
    const { error } = await runToEnd(q);
    expect(error).toMatchObject({ exitCode: 7 });
    expect(await open).toEqual({ error });
    expect(await outcomeOf(q.mcpServerStatus())).toEqual({ error });
    expect(await q.supportedAgents()).toEqual(INITIALIZE_REPLY.agents);
  });

  it('after a clean end reject as those of a session that is over', async () => {
    const { q } = play({ kind, steps: [...handshake(), ...turn()] });
    await runToEnd(q);
    for (const late of [q.interrupt(), q.setModel('m'), q.readFile('x'), q.request('get_settings')]) {
      expect((await outcomeOf(late)).error).toBeInstanceOf(SessionClosedError);
    }
  });

  it('that JSON cannot hold reject, and the session goes on', async () => {
    const { q } = play({ kind, steps: [...handshake(), ...turn()] });
    await expect(q.applyFlagSettings({ model: 1n } as never)).rejects.toMatchObject({ code: 'UNENCODABLE' });
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('follow what the CLI tells of its commands later', async () => {
    const commands = [{ name: 'new', description: 'New', argumentHint: '' }];
    const { q } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('set_model'),
        reply(),
        expectLine('user'),
        emit({ type: 'system', subtype: 'commands_changed', commands }, result()),
      ],
    });
    expect(await q.supportedCommands()).toEqual(INITIALIZE_REPLY.commands);
    await q.setModel('m');
    await runToEnd(q);
    expect(await q.supportedCommands()).toEqual(commands);
  });

  it('whose answers come twice, late or for nobody are settled once', async () => {
    const { q, warnings } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('set_model'),
        reply({}, 'set_model'),
        { do: 'refuse', error: 'too late', to: 'set_model' },
        emit({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } }),
        ...turn(),
      ],
    });
    await q.setModel('m');
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});

describe('a control that nobody awaits', () => {
  const play = useScenes();

  it.each<[string, Step, object]>([
    ['answered', reply(undefined, 'set_model'), {}],
    ['refused', refuse('no such model'), { error: { code: 'CONTROL_REQUEST_FAILED' } }],
    ['overtaken by the end', exit(1), { error: {} }],
  ])('leaves no listener on its signal when it is %s', async (_, end, expected) => {
    const { q } = play({ kind: 'memory', steps: [...handshake(), expectLine('set_model'), end, HANG] });
    const { signal } = new AbortController();
    const outcome = outcomeOf(q.setModel('m', { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    expect(await outcome).toMatchObject(expected);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each<[string, object]>([
    ['an abort', {}],
    ['a time limit', { timeoutMs: 1 }],
  ])('leaves no listener on its signal when it is given up after %s', async (_, more) => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [...handshake(), expectLine('set_model'), mark('asked'), HANG],
    });
    const controller = new AbortController();
    const { signal } = controller;
    const outcome = outcomeOf(q.setModel('m', { signal, ...more }));
    await cli.marked('asked');
    if (!('timeoutMs' in more)) controller.abort();
    expect((await outcome).error).toBeInstanceOf(Error);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves no listener on its signal when it waits for tools in vain, and withdraws its question', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [
        ...handshake(),
        expectLine('mcp_status'),
        expectLine({ type: 'control_cancel_request' }),
        mark('withdrawn'),
        HANG,
      ],
    });
    const { signal } = new AbortController();
    const keep = (): void => {};
    signal.addEventListener('abort', keep);
    const { error } = await outcomeOf(q.ready({ signal, tools: ['none'], timeoutMs: 20 }));
    expect(error).toBeInstanceOf(ToolsNotReadyError);
    await cli.marked('withdrawn');
    // Those of others stay.
    expect(getEventListeners(signal, 'abort')).toEqual([keep]);
  });

  it('does not trouble the host when the session ends first', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [...handshake(), expectLine('user'), mark('up'), HANG],
    });
    void q.interrupt();
    void q.setModel('m');
    void q.mcpServerStatus();
    void q.readFile('x');
    void q.streamInput('more');
    void q.initializationResult();
    await cli.marked('up');
    await q.close();
  });
});
