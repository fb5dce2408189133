// Long sessions against scripted CLIs: turns, their order and their ends, readers, what is changed on the way.
import { describe, expect, it } from 'vitest';
import {
  AbortError,
  InvalidOptionsError,
  OutputValidationError,
  RunError,
  SessionClosedError,
} from '../../src/errors.js';
import { openSession } from '../../src/verbs/conversation/open-session.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { collect, useSessions } from '../../../../test/support/session-scene.js';
import {
  assistant,
  badResult,
  emit,
  expectLine,
  handshake,
  HANG,
  init,
  lifecycle,
  mark,
  oldTurn,
  reply,
  result,
  type Step,
} from '../../../../test/support/steps.js';

const named = (index: number): string => `$uuid:${index}`;
/** A turn of a CLI that reports the life of each message. */
const turnOf = (index: number, text: string): Step[] => [
  expectLine('user'),
  emit(lifecycle(named(index), 'queued'), lifecycle(named(index), 'started'), init(), assistant(text)),
  emit(result({ result: text, user_message_uuids: [named(index)] }), lifecycle(named(index), 'completed')),
];
const typesOf = (messages: readonly { type: string }[]): string[] => messages.map(({ type }) => type);

describe('a long session', () => {
  const play = useSessions();

  it('answers turn after turn, each with its own messages', async () => {
    const { session, clis, starts } = play([[...handshake(), ...turnOf(0, 'one'), ...turnOf(1, 'two')]]);
    const first = session.send('1');
    expect(await first.text()).toBe('one');
    const second = session.send([{ type: 'text', text: '2' }]);
    const messages: { type: string }[] = [];
    expect(await collect(second, messages)).toBeUndefined();
    expect(typesOf(messages)).toEqual(['command_lifecycle', 'system', 'assistant', 'result']);
    expect(await second.outcome()).toMatchObject({ ok: true, text: 'two' });
    expect(second.mergedWith).toEqual([]);
    expect(starts).toHaveLength(1);
    const users = clis[0]?.received().filter(({ type }) => type === 'user') ?? [];
    expect(users.map(({ uuid }) => uuid)).toEqual([first.uuid, second.uuid]);
  });

  it('keeps the messages of a turn for a later reader', async () => {
    const { session } = play([[...handshake(), ...turnOf(0, 'one')]]);
    const turn = session.send('1');
    await turn.outcome();
    const messages: { type: string }[] = [];
    await collect(turn, messages);
    expect(typesOf(messages)).toEqual(['command_lifecycle', 'system', 'assistant', 'result']);
  });

  it('checks the output of each turn, and counts what all of them used', async () => {
    const answer = (index: number, score: unknown, cost: number): Step[] => [
      expectLine('user'),
      emit(lifecycle(named(index), 'queued'), lifecycle(named(index), 'started'), init()),
      emit(
        result({
          structured_output: { score },
          total_cost_usd: cost,
          modelUsage: {},
          user_message_uuids: [named(index)],
        }),
        lifecycle(named(index), 'completed'),
      ),
    ];
    const reached: number[] = [];
    const { session } = play(
      [
        [...handshake(), ...answer(0, 1, 0.5)],
        [...handshake(), ...answer(0, 'much', 1.5)],
      ],
      {
        options: {
          output: { score: 'number' },
          usage: { thresholdsUsd: [0.4, 1], onThreshold: ({ thresholdUsd }) => reached.push(thresholdUsd) },
        },
      },
    );
    expect(await session.send('1').output()).toEqual({ score: 1 });
    await session.suspend();
    await expect(session.send('2').output()).rejects.toBeInstanceOf(OutputValidationError);
    expect(reached).toEqual([0.4, 1]);
    expect(session.usageReport()).toMatchObject({
      total: { totalCostUsd: 1.5 },
      turns: [{ turn: 1 }, { turn: 2 }],
    });
  });

  it('has no output that it was not asked for', async () => {
    const { session } = play([[...handshake(), ...turnOf(0, 'one')]]);
    await expect(session.send('1').output()).rejects.toThrow('set the option "output"');
  });

  it('goes on when a loop over a turn is left', async () => {
    const { session } = play([[...handshake(), ...turnOf(0, 'one'), ...turnOf(1, 'two')]]);
    const turn = session.send('1');
    for await (const message of turn) if (message.type === 'system') break;
    expect(await turn.text()).toBe('one');
    expect(await session.send('2').text()).toBe('two');
  });

  it('ends messages that the CLI takes into a running turn with the same result', async () => {
    const { session } = play([
      [
        ...handshake(),
        expectLine('user'),
        emit(lifecycle(named(0), 'queued'), lifecycle(named(0), 'started'), init()),
        expectLine('user'),
        expectLine('user'),
        emit(lifecycle(named(1), 'queued'), lifecycle(named(2), 'queued')),
        emit(assistant('before'), lifecycle(named(1), 'started'), lifecycle(named(2), 'started')),
        emit(assistant('after'), lifecycle(named(1), 'completed'), lifecycle(named(2), 'completed')),
        emit(
          result({ user_message_uuids: [named(0), named(1), named(2)] }),
          lifecycle(named(0), 'completed'),
        ),
      ],
    ]);
    const turns = [session.send('1'), session.send('2'), session.send('3')] as const;
    const outcomes = await Promise.all(turns.map((turn) => turn.outcome()));
    expect(outcomes[1]?.raw).toBe(outcomes[0]?.raw);
    expect(outcomes[2]?.raw).toBe(outcomes[0]?.raw);
    expect(turns[1].mergedWith).toEqual([turns[0].uuid, turns[2].uuid]);
    const messages: { type: string }[] = [];
    await collect(turns[2], messages);
    expect(typesOf(messages).filter((type) => type !== 'command_lifecycle')).toEqual(['assistant', 'result']);
  });

  it('gives a CLI that reports nothing one message at a time', async () => {
    const { session, clis } = play([
      [
        ...handshake(),
        expectLine('user'),
        mark('asked'),
        expectLine('mcp_status'),
        reply({}),
        emit(init(), result()),
        ...oldTurn(),
      ],
    ]);
    const turns = [session.send('1'), session.send('2')];
    await clis[0]?.marked('asked');
    await session.mcpServerStatus();
    await Promise.all(turns.map((turn) => turn.outcome()));
    const kinds = clis[0]?.received().map(({ type }) => type);
    expect(kinds).toEqual(['control_request', 'user', 'control_request', 'user']);
    expect(turns[0]?.mergedWith).toEqual([]);
  });

  it('can be told to give any CLI one message at a time', async () => {
    const { session, clis } = play(
      [[...handshake(), ...turnOf(0, 'one'), mark('one'), ...turnOf(1, 'two')]],
      {
        oneByOne: true,
      },
    );
    const turns = [session.send('1'), session.send('2')];
    expect(await Promise.all(turns.map((turn) => turn.text()))).toEqual(['one', 'two']);
    expect(clis[0]?.requests('initialize')).toHaveLength(1);
  });

  it('gives the result of a turn that names nobody to the message that completes', async () => {
    const { session } = play([
      [
        ...handshake(),
        expectLine('user'),
        emit(
          lifecycle(named(0), 'started'),
          init(),
          result({ result: '' }),
          lifecycle(named(0), 'completed'),
        ),
      ],
    ]);
    expect(await session.send('/clear').outcome()).toMatchObject({ ok: true, text: '' });
  });

  it('leaves a turn the CLI began by itself to those who read everything', async () => {
    const { session, messages } = play([
      [
        ...handshake(),
        ...turnOf(0, 'one'),
        emit(init(), assistant('by itself'), result({ origin: { kind: 'task-notification' } })),
        ...turnOf(1, 'two'),
      ],
    ]);
    await session.send('1').outcome();
    const turn = session.send('2');
    const read: { type: string }[] = [];
    await collect(turn, read);
    expect(typesOf(read)).toEqual(['command_lifecycle', 'system', 'assistant', 'result']);
    expect(typesOf(messages).filter((type) => type === 'result')).toHaveLength(3);
  });

  it('says of a bad turn what was bad, and goes on', async () => {
    const { session } = play([
      [
        ...handshake(),
        expectLine('user'),
        emit(lifecycle(named(0), 'started'), init(), badResult({ user_message_uuids: [named(0)] })),
        ...turnOf(1, 'two'),
      ],
    ]);
    const bad = session.send('1');
    expect(await bad.outcome()).toMatchObject({ ok: false, kind: 'api_error' });
    expect((await outcomeOf(bad.text())).error).toBeInstanceOf(RunError);
    expect(await session.send('2').text()).toBe('two');
  });

  it('withdraws a message that waits: here, and in the CLI', async () => {
    const { session, clis } = play([
      [
        ...handshake(),
        expectLine('user'),
        emit(lifecycle(named(0), 'queued'), lifecycle(named(0), 'started'), init()),
        expectLine('user'),
        emit(lifecycle(named(1), 'queued')),
        mark('queued'),
        expectLine('cancel_async_message'),
        emit(lifecycle(named(1), 'cancelled')),
        reply({ cancelled: true }),
        emit(result({ user_message_uuids: [named(0)] })),
      ],
    ]);
    const first = session.send('1');
    const second = session.send('2');
    const aborted = new AbortController();
    const third = session.send('3', { signal: aborted.signal });
    aborted.abort('enough');
    const { error } = await outcomeOf(third.outcome());
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ cause: 'enough' });
    await clis[0]?.marked('queued');
    expect(await second.cancel('not now')).toBe(true);
    expect((await outcomeOf(second.outcome())).error).toMatchObject({ code: 'ABORTED', cause: 'not now' });
    expect(await first.outcome()).toMatchObject({ ok: true });
    expect(await first.cancel()).toBe(false);
  });

  it('interrupts a running turn when its signal aborts', async () => {
    const { session } = play([
      [
        ...handshake(),
        expectLine('user'),
        emit(lifecycle(named(0), 'started'), init()),
        expectLine('interrupt'),
        reply({ still_queued: [] }),
        emit(
          result({
            subtype: 'error_during_execution',
            is_error: true,
            terminal_reason: 'aborted_streaming',
            user_message_uuids: [named(0)],
          }),
        ),
        ...turnOf(1, 'two'),
      ],
    ]);
    const aborted = new AbortController();
    const turn = session.send('1', { signal: aborted.signal });
    for await (const message of turn) if (message.type === 'system') aborted.abort();
    expect(await turn.outcome()).toMatchObject({ kind: 'interrupted' });
    expect(await session.send('2').text()).toBe('two');
  });

  it('lets every reader read everything from when it came, however slow another is', async () => {
    const filler = Array.from({ length: 300 }, (_, index) => ({
      type: 'counted',
      index,
      text: 'x'.repeat(1000),
    }));
    const { session } = play(
      [
        [
          ...handshake(),
          ...turnOf(0, 'one'),
          expectLine('user'),
          emit(lifecycle(named(1), 'started'), init(), ...filler, result({ user_message_uuids: [named(1)] })),
        ],
      ],
      { options: { maxBufferedBytes: 10_000 } },
    );
    const slow = session.messages();
    await session.send('1').outcome();
    const late: { type: string }[] = [];
    const reading = collect(session.messages(), late);
    const leaver = session.messages();
    await leaver.return?.();
    await session.send('2').outcome();
    await session.close();
    await reading;
    const counted = (messages: readonly { type: string }[]): number =>
      messages.filter(({ type }) => type === 'counted').length;
    expect(counted(late)).toBe(300);
    expect(late.filter(({ type }) => type === 'result')).toHaveLength(1);
    const all: { type: string }[] = [];
    expect(await collect(slow, all)).toBeUndefined();
    expect(counted(all)).toBe(300);
    expect(all.filter(({ type }) => type === 'result')).toHaveLength(2);
  });

  it('knows its id at once, and starts with it', () => {
    const { session, starts } = play([handshake()]);
    expect(session.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(starts[0]?.sessionId).toBe(session.sessionId);
    expect(session.state).toBe('starting');
  });

  it('starts a lazy one with the first message or request', async () => {
    const { session, starts } = play([[...handshake(), expectLine('mcp_status'), reply({})]], { lazy: true });
    expect(await session.interrupt()).toBeUndefined();
    expect([session.state, starts.length]).toEqual(['suspended', 0]);
    await session.mcpServerStatus();
    expect([session.state, starts.length]).toEqual(['ready', 1]);
  });

  it('tells every open turn when it is closed, and takes no more', async () => {
    const { session, ended } = play([[...handshake(), expectLine('user'), emit(init()), HANG]]);
    const turns = [session.send('1'), session.send('2')];
    await turns[0]?.[Symbol.asyncIterator]().next();
    await session.close();
    for (const turn of [...turns, session.send('3')]) {
      expect((await outcomeOf(turn.outcome())).error).toBeInstanceOf(SessionClosedError);
    }
    expect((await outcomeOf(session.setModel('x'))).error).toBeInstanceOf(SessionClosedError);
    expect(await ended).toBeUndefined();
    expect(await collect(session.messages(), [])).toBeUndefined();
    expect(session.state).toBe('closed');
  });

  it('can be closed while it starts', async () => {
    const { session } = play([[expectLine('initialize'), HANG]]);
    const turn = session.send('1');
    await session.close();
    expect((await outcomeOf(turn.outcome())).error).toBeInstanceOf(SessionClosedError);
  });

  it('ends with an abort: running, or asleep', async () => {
    for (const lazy of [false, true]) {
      const abortController = new AbortController();
      const { session, ended } = play([[...handshake(), HANG]], { lazy, options: { abortController } });
      if (!lazy) await session.initializationResult();
      abortController.abort('stop');
      expect(await ended).toBeInstanceOf(AbortError);
      expect((await outcomeOf(session.send('1').outcome())).error).toMatchObject({
        code: 'SESSION_CLOSED',
        cause: { code: 'ABORTED' },
      });
    }
  });

  it('refuses what is no message, and an id that was used', async () => {
    const { session } = play([[...handshake(), ...turnOf(0, 'one')]]);
    expect(() => session.send(5 as never)).toThrow(InvalidOptionsError);
    expect(() => session.send([])).toThrow(InvalidOptionsError);
    const uuid = '00000000-0000-4000-8000-000000000001';
    const message = {
      type: 'user',
      uuid,
      message: { role: 'user', content: 'hi' },
      parent_tool_use_id: null,
    } as const;
    expect(await session.send(message).text()).toBe('one');
    expect(() => session.send(message)).toThrow('has already been sent');
  });
});

describe('openSession', () => {
  it('refuses options that cannot work, at once', () => {
    const refused = [
      { options: { model: 5 as never } },
      { lazy: true, options: { model: 5 as never } },
      { restart: true, options: { persistSession: false } },
      { restart: { resend: 'always' as never } },
      { restart: { maxRestarts: -1 } },
      { suspendAfterMs: 0 },
    ];
    for (const input of refused) expect(() => openSession(input)).toThrow(InvalidOptionsError);
  });
});
