// What the guard of parallel tools lets run, for CLIs that do not run hooks or change their mode at the wrong moment.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { InboardWarning } from '../../../src/options/check/warning.js';
import { ParallelGuard } from '../../../src/live/tooling/parallel-guard.js';
import { runToEnd, useScenes } from '../../../../../test/support/scene.js';
import {
  answered,
  ask,
  emit,
  exit,
  expectLine,
  handshake,
  init,
  result,
  state,
} from '../../../../../test/support/steps.js';

const house = createSdkMcpServer({
  name: 'house',
  tools: [
    tool({ name: 'paint', parallel: true, run: () => 'painted' }),
    tool({ name: 'look', run: () => 'seen' }),
  ],
});
const call = (name: string) => ({
  subtype: 'mcp_message',
  server_name: 'house',
  message: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: {}, _meta: { 'claudecode/toolUseId': 't1' } },
  },
});
const hook = (mode?: string) => ({
  subtype: 'hook_callback',
  callback_id: 'hook_0',
  tool_use_id: 't1',
  input: {
    hook_event_name: 'PreToolUse',
    tool_name: 'mcp__house__paint',
    tool_input: {},
    tool_use_id: 't1',
    ...(mode !== undefined && { permission_mode: mode }),
  },
});
const question = {
  subtype: 'can_use_tool',
  tool_name: 'mcp__house__paint',
  input: {},
  tool_use_id: 't1',
};
const changeTo = (permissionMode: string) =>
  emit({ type: 'system', subtype: 'status', status: null, permissionMode, session_id: 's', uuid: 'u' });
const asked = (id: string, request: object) => [ask(id, request), answered(id)];

describe('a call of a parallel tool', () => {
  const play = useScenes();
  const callAfter = async (before: readonly object[], name = 'paint') => {
    const steps = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init()),
      ...before,
      ...asked('call', call(name)),
      emit(result(), state('idle')),
      exit(0),
    ];
    const warnings: InboardWarning[] = [];
    const options = {
      mcpServers: { house },
      canUseTool: () => Promise.resolve({ behavior: 'allow' as const }),
      onWarning: (warning: InboardWarning) => warnings.push(warning),
    };
    const { q, cli } = play({ kind: 'memory', steps: steps as never, options });
    await runToEnd(q);
    // The scripted CLI lists no tools, which causes another warning.
    const codes = warnings.map(({ code }) => code).filter((code) => code !== 'TOOLS_MISSING');
    return { text: JSON.stringify(cli.answer('call')), codes, cli };
  };

  it.each<[string, object[]]>([
    ['a hook saw it', asked('hook', hook('default'))],
    [
      'a hook saw it, and the mode changed to one that makes no difference',
      [...asked('hook', hook('default')), changeTo('acceptEdits')],
    ],
    ['the CLI asked about it, and no hook was run', asked('question', question)],
    ['the CLI was made to ask about it', asked('hook', hook('plan'))],
    [
      'a subagent made it in a mode of its own, while the session plans',
      [changeTo('plan'), ...asked('hook', hook('acceptEdits'))],
    ],
  ])('runs if %s', async (_case, before) => {
    const { text, codes } = await callAfter(before);
    expect(text).toContain('painted');
    expect(codes).toEqual([]);
  });

  it.each<[string, object[], RegExp]>([
    ['no hook saw it', [], /runs no hooks/],
    [
      'the session began to plan after the hook, so that the CLI may have left out its question',
      [...asked('hook', hook('default')), changeTo('plan')],
      /the permission mode changed to plan/,
    ],
  ])('does not run if %s', async (_case, before, why) => {
    const { text, codes } = await callAfter(before);
    expect(text).not.toContain('painted');
    expect(text).toContain('"isError":true');
    expect(text).toMatch(why);
    expect(codes).toEqual(['PARALLEL_CALL_REFUSED']);
  });

  it('runs without a hook if it is of another tool', async () => {
    expect((await callAfter([], 'look')).text).toContain('seen');
  });

  it.each(['default', 'acceptEdits', 'dontAsk', 'bypassPermissions', 'auto'])(
    'gets no question from the hook in the mode %s',
    async (mode) => {
      const { cli } = await callAfter(asked('hook', hook(mode)));
      expect(JSON.stringify(cli.answer('hook'))).not.toContain('permissionDecision');
    },
  );

  it.each(['plan', 'a mode of later CLIs', undefined])(
    'gets a question from the hook in the mode %s',
    async (mode) => {
      const { cli } = await callAfter(asked('hook', hook(mode)));
      expect(JSON.stringify(cli.answer('hook'))).toContain('"permissionDecision":"ask"');
    },
  );
});

describe('the hook of the guard', () => {
  it('is the last of its event, and is there only if a tool is covered', () => {
    const guard = new ParallelGuard();
    const own = { hooks: [() => Promise.resolve({})] };
    const hooks = { PreToolUse: [own], Stop: [own] };
    expect(guard.addHook(hooks)).toBe(hooks);
    guard.cover(['mcp__a__x', 'mcp__b__y']);
    expect(guard.addHook(hooks)).toMatchObject({
      PreToolUse: [own, { matcher: 'mcp__a__x|mcp__b__y' }],
      Stop: [own],
    });
  });

  it('forgets the oldest calls', () => {
    const guard = new ParallelGuard();
    guard.cover(['x']);
    for (let index = 0; index <= 1_000; index += 1)
      guard.noteQuestion({ tool_name: 'x', tool_use_id: `t${index}` });
    expect(guard.findProblem('x', 't0')).toBeDefined();
    expect(guard.findProblem('x', 't1000')).toBeUndefined();
  });
});
