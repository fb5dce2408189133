// `ready()` beside a short prompt: the first message waits for the tools, and the input for the answer.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { useSessions } from '../../../../test/support/session-scene.js';
import {
  HANG,
  expectLine,
  handshake,
  mark,
  oldTurn,
  reply,
  turn,
  type Step,
} from '../../../../test/support/steps.js';

const shop = createSdkMcpServer({ name: 'shop', tools: [tool('count', 'Counts', {}, () => 'x')] });
const options = { mcpServers: { shop } };
const NEW = handshake({ capabilities: [] });
const status = (value: string): Step[] => [
  expectLine('mcp_status'),
  reply({ mcpServers: [{ name: 'shop', status: value, tools: [{ name: 'count' }] }] }),
];

describe('ready()', () => {
  const play = useScenes();
  const open = useSessions();
  /** What the CLI got, in order. */
  const got = (cli: { received(): Record<string, unknown>[] }): unknown[] =>
    cli.received().map(({ type, request }) => (request as { subtype?: string } | undefined)?.subtype ?? type);

  it('holds the first message back until the servers are there', async () => {
    const steps = [...NEW, ...status('pending'), ...status('connected'), ...turn()];
    const { q, cli } = play({ kind: 'memory', steps, options });
    const ready = q.ready();
    const { error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(await ready).toMatchObject({ servers: [{ status: 'connected' }], unknown: [] });
    expect(got(cli)).toEqual(['initialize', 'mcp_status', 'mcp_status', 'user']);
  });

  it('that fails lets its caller close before anything is sent to the model', async () => {
    const { q, cli } = play({ kind: 'memory', steps: [...NEW, ...status('failed'), HANG], options });
    expect(await outcomeOf(q.ready())).toMatchObject({ error: { code: 'TOOLS_NOT_READY' } });
    await q.close();
    expect(got(cli)).not.toContain('user');
  });

  it('keeps the input open when the turn is over first', async () => {
    const steps = [...NEW, expectLine('user'), mark('sent'), ...turn().slice(1), ...status('connected')];
    const { q, cli } = play({ kind: 'memory', steps, options });
    const ending = runToEnd(q);
    await cli.marked('sent');
    expect(await q.ready()).toMatchObject({ servers: [{ status: 'connected' }] });
    expect((await ending).error).toBeUndefined();
  });

  it('lets the message go where in-process servers connect only with it, and waits for them', async () => {
    const steps = [...handshake(), expectLine('user'), ...status('connected'), ...oldTurn().slice(1)];
    const { q, cli } = play({ kind: 'memory', steps, options });
    const ready = q.ready();
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(await ready).toMatchObject({ servers: [{ status: 'connected' }], unknown: [] });
    expect(got(cli)).toContain('user');
  });

  it('of a session without a message says of which servers it cannot know', async () => {
    const steps = [...handshake(), expectLine('mcp_status'), reply({ mcpServers: [] }), HANG];
    const { session } = open([steps], { options });
    expect(await session.ready()).toMatchObject({ servers: [], unknown: ['shop'] });
  });

  it('of a query whose prompt gives no message yet says the same, and waits once there is one', async () => {
    const first = createDeferred<void>();
    const prompt = (async function* () {
      await first.promise;
      yield 'Hi';
    })();
    const steps = [
      ...handshake(),
      expectLine('mcp_status'),
      reply({ mcpServers: [] }),
      expectLine('user'),
      mark('sent'),
      expectLine('mcp_status'),
      reply({ mcpServers: [] }),
      ...status('connected'),
      ...oldTurn().slice(1),
    ];
    const { q, cli } = play({ kind: 'memory', steps, options, prompt });
    const ending = runToEnd(q);
    expect(await q.ready()).toMatchObject({ servers: [], unknown: ['shop'] });
    first.resolve();
    await cli.marked('sent');
    expect(await q.ready()).toMatchObject({ servers: [{ status: 'connected' }], unknown: [] });
    expect((await ending).error).toBeUndefined();
  });
});
