// An interrupt that the caller asks for before the CLI has begun the turn that it is to stop: it is sent once the turn has begun.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer, query, tool } from '@inboard/inboard/index.js';
import { createFakeCli, stall, text } from '@inboard/inboard/testing.js';
import { outcomeOf as turnOutcomeOf } from '../../src/live/output/outcome.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { useSessions } from '../../../../test/support/session-scene.js';
import { STAGES, type ScriptedCli } from '../../../../test/support/scripted-cli.js';
import {
  HANG,
  emit,
  expectLine,
  handshake,
  init,
  lifecycle,
  mark,
  reply,
  result,
  state,
  turn,
  type Step,
} from '../../../../test/support/steps.js';

const RECEIPT = { still_queued: [] };
const BEGUN = emit(state('running'), init());
const INTERRUPTED = emit(
  result({ subtype: 'error_during_execution', terminal_reason: 'aborted_streaming', errors: [] }),
  state('idle'),
);
const STOPPED: Step[] = [
  ...handshake(),
  expectLine('user'),
  BEGUN,
  expectLine('interrupt'),
  reply(RECEIPT),
  INTERRUPTED,
];
const UNTOUCHED: Step[] = [...handshake(), expectLine('interrupt'), reply(RECEIPT), ...turn()];

/** What the CLI got, in order. */
const got = (cli: ScriptedCli): unknown[] =>
  cli.received().map(({ type, request }) => (request as { subtype?: string } | undefined)?.subtype ?? type);

async function* oneMessage(): AsyncGenerator<string> {
  yield await Promise.resolve('hi');
}

describe.each(STAGES)('an interrupt right after query() (%s)', (kind) => {
  const play = useScenes();

  it.each([
    ['a text', () => 'hi'],
    ['an array', () => ['hi']],
    ['a generator with a message at hand', oneMessage],
  ])('comes after the first message of %s, and ends its turn', async (_, prompt) => {
    const { q, cli } = play({ kind, steps: STOPPED, prompt: prompt() });
    const receipt = q.interrupt();
    const { messages, error } = await runToEnd(q);
    expect(await receipt).toEqual(RECEIPT);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result', terminal_reason: 'aborted_streaming' });
    expect(got(cli)).toEqual(['initialize', 'user', 'interrupt']);
  });

  it('resolves and stops nothing while the source has no message', async () => {
    const first = createDeferred<void>();
    async function* waiting(): AsyncGenerator<string> {
      await first.promise;
      yield 'hi';
    }
    const { q, cli } = play({ kind, steps: UNTOUCHED, prompt: waiting() });
    const ending = runToEnd(q);
    expect(await q.interrupt()).toEqual(RECEIPT);
    first.resolve();
    const { messages, error } = await ending;
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'success' });
    expect(got(cli)).toEqual(['initialize', 'interrupt', 'user']);
  });
});

describe('an interrupt before the first message', () => {
  const play = useScenes();

  it('holds no other request back', async () => {
    const steps = [
      ...handshake(),
      expectLine('user'),
      BEGUN,
      expectLine('interrupt'),
      mark('interrupted'),
      HANG,
    ];
    const { q, cli } = play({ kind: 'memory', steps });
    void q.interrupt().catch(() => {});
    void q.setModel('m').catch(() => {});
    await cli.marked('interrupted');
    expect(got(cli)).toEqual(['initialize', 'set_model', 'user', 'interrupt']);
  });

  it('waits for as long as ready() holds the message back', async () => {
    const shop = createSdkMcpServer({ name: 'shop', tools: [tool('count', 'Counts', {}, () => 'x')] });
    const tools = { mcpServers: [{ name: 'shop', status: 'connected', tools: [{ name: 'count' }] }] };
    const steps = [
      ...handshake({ capabilities: [] }),
      expectLine('mcp_status'),
      reply(tools),
      ...STOPPED.slice(handshake().length),
    ];
    const { q, cli } = play({ kind: 'memory', steps, options: { mcpServers: { shop } } });
    const ready = q.ready();
    const receipt = q.interrupt();
    expect((await runToEnd(q)).error).toBeUndefined();
    await ready;
    expect(await receipt).toEqual(RECEIPT);
    expect(got(cli)).toEqual(['initialize', 'mcp_status', 'user', 'interrupt']);
  });

  it('is not sent any more when its caller has given it up', async () => {
    const { q, cli } = play({ kind: 'memory', steps: [...handshake(), ...turn()] });
    const { signal, abort } = withAbort();
    const receipt = q.interrupt({ signal });
    abort();
    expect(await outcomeOf(receipt)).toMatchObject({ error: { code: 'ABORTED' } });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(got(cli)).not.toContain('interrupt');
  });

  it('fails with the session when that ends first', async () => {
    const held = createDeferred<void>();
    const hook = { hooks: [() => held.promise.then(() => ({}))], onFailure: 'block' as const };
    const { q, cli } = play({
      kind: 'memory',
      steps: [expectLine('initialize'), mark('asked'), HANG],
      options: { hooks: { PreToolUse: [hook] } },
    });
    const receipt = outcomeOf(q.interrupt());
    await cli.marked('asked');
    await q.close();
    expect(await receipt).toMatchObject({ error: { code: 'SESSION_CLOSED' } });
    held.resolve();
  });

  it('fails with the reason when the message cannot be written', async () => {
    const wrong = { type: 'user', message: { role: 'user', content: 1n as never }, parent_tool_use_id: null };
    const { q } = play({ kind: 'memory', steps: [...handshake(), HANG], prompt: [wrong as never] });
    const receipt = outcomeOf(q.interrupt());
    const { error } = await runToEnd(q);
    expect(error).toBeInstanceOf(Error);
    expect((await receipt).error).toBeInstanceOf(Error);
  });
});

describe('an interrupt right after send()', () => {
  const open = useSessions();
  const named = (at: number): string => `$uuid:${at}`;
  const stopped = (at: number): Step[] => [
    expectLine('user'),
    emit(lifecycle(named(at), 'started')),
    expectLine('interrupt'),
    reply(RECEIPT),
    emit(
      result({
        subtype: 'error_during_execution',
        terminal_reason: 'aborted_streaming',
        errors: [],
        user_message_uuids: [named(at)],
      }),
      state('idle'),
    ),
  ];
  const answered = (at: number): Step[] => [
    expectLine('user'),
    emit(result({ user_message_uuids: [named(at)] }), state('idle')),
  ];

  it('ends the turn of its message while the CLI starts', async () => {
    const { session } = open([[...handshake(), ...stopped(0), ...answered(1), HANG]]);
    const turn = session.send('one');
    expect(await session.interrupt()).toEqual(RECEIPT);
    expect(await turn.outcome()).toMatchObject({ kind: 'interrupted' });
    expect(await session.send('two').outcome()).toMatchObject({ ok: true });
  });

  it('ends the turn of its message on a CLI that is idle', async () => {
    const { session, clis } = open([[...handshake(), ...answered(0), ...stopped(1), HANG]]);
    await session.send('one').outcome();
    const turn = session.send('two');
    await session.interrupt();
    expect(await turn.outcome()).toMatchObject({ kind: 'interrupted' });
    expect(got(clis[0] as ScriptedCli)).toEqual(['initialize', 'user', 'user', 'interrupt']);
  });

  it('stops nothing else once that message is withdrawn', async () => {
    const { session, clis } = open([[...handshake(), ...answered(0), HANG]]);
    const turn = session.send('one');
    const receipt = session.interrupt();
    await turn.cancel();
    expect(await receipt).toBeUndefined();
    expect(await session.send('two').outcome()).toMatchObject({ ok: true });
    expect(got(clis[0] as ScriptedCli)).not.toContain('interrupt');
  });

  it('resolves with the end of the session', async () => {
    const { session } = open([[expectLine('initialize'), HANG]]);
    session
      .send('one')
      .outcome()
      .catch(() => {});
    const receipt = session.interrupt();
    await session.close();
    expect(await receipt).toBeUndefined();
  });
});

it('ends the turn of the fake CLI, too', async () => {
  const fake = createFakeCli([stall(), text('never')]);
  const q = query({ prompt: 'Count to a million.', options: { transport: fake.transport } });
  const receipt = q.interrupt();
  const kinds: string[] = [];
  for await (const message of q) {
    if (message.type === 'result') kinds.push(turnOutcomeOf(message).kind);
  }
  expect(kinds).toEqual(['interrupted']);
  expect(await receipt).toMatchObject({ still_queued: expect.any(Array) as unknown[] });
});

function withAbort(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
