// What the host puts around its tools, and what it is told at the end.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../src/answer/mcp/tool/tool.js';
import type { AroundTool } from '../../src/answer/mcp/tool/tool-events.js';
import { runToEnd, useScenes } from '../support/scene.js';
import { answered, ask, emit, exit, expectLine, handshake, init, result, state } from '../support/steps.js';

const house = createSdkMcpServer({
  name: 'house',
  tools: [tool('look', 'Looks', { at: 'string' }, async ({ at }) => `saw ${at}`)],
});
const callLook = (args: object): object => ({
  subtype: 'mcp_message',
  server_name: 'house',
  message: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'look', arguments: args, _meta: { 'claudecode/toolUseId': 't1' } },
  },
});

describe('aroundTool', () => {
  const play = useScenes();
  const steps = [
    ...handshake(),
    expectLine('user'),
    emit(state('running'), init()),
    ask('m1', callLook({ at: 'stars' })),
    answered('m1'),
    emit(result(), state('idle')),
  ];
  const callWith = async (aroundTool: AroundTool): Promise<unknown> => {
    const { q, cli } = play({ kind: 'memory', steps, options: { mcpServers: { house }, aroundTool } });
    await runToEnd(q);
    return cli.answer('m1')?.['response'];
  };

  it('runs around the handler and knows which call it is', async () => {
    const seen: unknown[] = [];
    const answer = await callWith(async (call, run) => {
      seen.push(call);
      const outcome = await run();
      seen.push('after');
      return outcome;
    });
    expect(answer).toMatchObject({ mcp_response: { result: { content: [{ text: 'saw stars' }] } } });
    expect(seen).toEqual([
      { server: 'house', tool: 'look', toolName: 'mcp__house__look', requestId: 1, toolUseId: 't1' },
      'after',
    ]);
  });

  it('that throws, or gives back nothing, is a failed call', async () => {
    const isError = { mcp_response: { result: { isError: true } } };
    expect(
      await callWith(() => {
        throw new Error('no transaction');
      }),
    ).toMatchObject(isError);
    expect(await callWith((_call, run) => void run())).toMatchObject(isError);
  });
});

describe('onEnd', () => {
  const play = useScenes();

  it('is told once, with what the iteration throws', async () => {
    const ends: unknown[] = [];
    const options = { onEnd: (error: unknown) => void ends.push(error) };
    const clean = play({
      kind: 'memory',
      steps: [...handshake(), expectLine('user'), emit(init(), result(), state('idle'))],
      options,
    });
    await runToEnd(clean.q);
    await clean.q.close();
    const broken = play({ kind: 'memory', steps: [...handshake(), exit(3)], options });
    const { error } = await runToEnd(broken.q);
    expect(ends).toEqual([undefined, error]);
    expect(error).toBeInstanceOf(Error);
  });

  it('that throws is a warning', async () => {
    const { q, warnings } = play({
      kind: 'memory',
      steps: [...handshake(), expectLine('user'), emit(init(), result(), state('idle'))],
      options: {
        onEnd: () => {
          throw new Error('listener');
        },
      },
    });
    await runToEnd(q);
    expect(warnings).toMatchObject([{ message: 'A callback of the option "onEnd" threw' }]);
  });
});
