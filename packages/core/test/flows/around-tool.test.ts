// What the host puts around its tools, and what it is told at the end.
import { describe, expect, it } from 'vitest';
import { LeaseLostError } from '../../src/errors.js';
import { createSdkMcpServer } from '../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../src/answer/mcp/tool/tool.js';
import type { AroundTool } from '../../src/answer/mcp/tool/tool-events.js';
import type { InboardWarning } from '../../src/options/check/warning.js';
import { runToEnd, useScenes } from '../../../../test/support/scene.js';
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
} from '../../../../test/support/steps.js';

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
  const callWith = async (
    aroundTool: AroundTool,
    onWarning: (warning: InboardWarning) => void = () => {},
  ): Promise<unknown> => {
    const options = { mcpServers: { house }, aroundTool, onWarning };
    const { q, cli } = play({ kind: 'memory', steps, options });
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
      {
        server: 'house',
        tool: 'look',
        toolName: 'mcp__house__look',
        requestId: 1,
        toolUseId: 't1',
        input: { at: 'stars' },
        callKey: expect.stringMatching(/^call_[0-9a-f]{40}_1$/) as string,
        attempt: 1,
      },
      'after',
    ]);
  });

  it('that throws, or gives back nothing, is a failed call', async () => {
    const text = expect.stringMatching(/"look" could not be called: a callback in the host failed/) as string;
    const isError = { mcp_response: { result: { isError: true, content: [{ text }] } } };
    const told: string[] = [];
    const onWarning = ({ code, message }: InboardWarning): void => {
      if (code !== 'TOOLS_MISSING') told.push(`${code}: ${message}`);
    };
    const fail = (): never => {
      throw new Error('no transaction at db.internal');
    };
    expect(await callWith(fail, onWarning)).toMatchObject(isError);
    expect(await callWith(async () => fail(), onWarning)).toMatchObject(isError);
    expect(await callWith((_call, run) => void run(), onWarning)).toMatchObject(isError);
    expect(await callWith(async (_call, run) => void (await run()), onWarning)).toMatchObject(isError);
    const secret = expect.stringMatching(/^AROUND_TOOL_FAILED: .*no transaction at db\.internal/) as string;
    const nothing = expect.stringMatching(/^AROUND_TOOL_FAILED: .*must return what/) as string;
    expect(told).toEqual([secret, secret, nothing, nothing]);
  });

  it('that finds the lease lost is no fault, and the call fails', async () => {
    const told: string[] = [];
    const lose = (): never => {
      throw new LeaseLostError({ key: 'a', epoch: 1 }, { reason: 'released' });
    };
    const answer = await callWith(lose, ({ code }) => told.push(code));
    const text = expect.stringMatching(/has ended: another process may have/) as string;
    expect(answer).toMatchObject({ mcp_response: { result: { isError: true, content: [{ text }] } } });
    expect(told).not.toContain('AROUND_TOOL_FAILED');
  });

  it('is told what a tool of any form wants for a call that was begun before', async () => {
    const run = (): string => 'saw';
    const forms = [
      tool({ name: 'look', onRepeat: 'recorded', run }),
      tool('look', 'Looks', run, { onRepeat: 'run' }),
      tool.readOnly('look', 'Looks', run, { onRepeat: 'unknown' }),
      { name: 'look', onRepeat: 'run' as const, run },
      tool({ name: 'look', run }),
    ];
    const told: unknown[] = [];
    for (const form of forms) {
      const mcpServers = { house: createSdkMcpServer({ name: 'house', tools: [form] }) };
      const aroundTool: AroundTool = (call, go) => {
        told.push('onRepeat' in call && call.onRepeat);
        return go();
      };
      const { q } = play({ kind: 'memory', steps, options: { mcpServers, aroundTool } });
      await runToEnd(q);
    }
    expect(told).toEqual(['recorded', 'run', 'unknown', 'run', false]);
  });

  it('passes on what the handler throws, which is for the model', async () => {
    const broken = tool({ name: 'look', run: () => Promise.reject(new Error('it is dark')) });
    const mcpServers = { house: createSdkMcpServer({ name: 'house', tools: [broken] }) };
    const options = { mcpServers, aroundTool: ((_call, run) => run()) as AroundTool };
    const { q, cli } = play({ kind: 'memory', steps, options });
    await runToEnd(q);
    const text = expect.stringContaining('it is dark') as string;
    const response = { mcp_response: { result: { isError: true, content: [{ text }] } } };
    expect(cli.answer('m1')?.['response']).toMatchObject(response);
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
    expect(warnings).toMatchObject([
      { code: 'CALLBACK_FAILED', message: expect.stringContaining('"onEnd"') },
    ]);
  });
});
