// Long sessions where two things happen at once: a withdrawal and a crash, an abort and a suspension, a signal
// and a turn that is just beginning. Whatever comes first, everybody is told, once.
import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AbortError,
  ExecutableNotFoundError,
  TurnLostError,
  UnsupportedOptionError,
} from '../../src/errors.js';
import type { Launch } from '../../src/live/launch.js';
import { createConversation, presentConversation } from '../../src/verbs/conversation/open-session.js';
import type { Session } from '../../src/verbs/conversation/open-session.js';
import { userMessageOf } from '../../src/live/input/user-message.js';
import { createQuery } from '../../src/verbs/query/query.js';
import type { SessionEvent } from '../../src/verbs/conversation/conversation-event.js';
import { createMemoryTransport } from '../../src/wire/transport/memory-transport.js';
import { outcomeOf, runToEnd } from '../../../../test/support/scene.js';
import { stageCli } from '../../../../test/support/scripted-cli.js';
import { collect, stageTroupe, useSessions } from '../../../../test/support/session-scene.js';
import {
  assistant,
  AWAIT_END,
  emit,
  exit,
  expectLine,
  handshake,
  HANG,
  init,
  lifecycle,
  mark,
  refuse,
  reply,
  result,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

const KILL: Step = { do: 'kill', signal: 'SIGKILL' };
const named = (index: number): string => `$uuid:${index}`;
const begun = (index: number): Step[] => [
  expectLine('user'),
  emit(lifecycle(named(index), 'queued'), lifecycle(named(index), 'started'), init()),
];
const ended = (index: number, text: string, more: object = {}): Step =>
  emit(
    result({ result: text, user_message_uuids: [named(index)], ...more }),
    lifecycle(named(index), 'completed'),
  );
const turnOf = (index: number, text: string): Step[] => [...begun(index), ended(index, text)];
const interrupted = (more: object = {}): object =>
  result({
    subtype: 'error_during_execution',
    is_error: true,
    terminal_reason: 'aborted_streaming',
    ...more,
  });

describe('a CLI that does not answer', () => {
  const play = useSessions();
  useVirtualClock();

  it('the handshake ends the session, though it says other things', async () => {
    const { session, ended: over } = play([
      [expectLine('initialize'), emit({ type: 'system', subtype: 'status', session_id: 'x' }), HANG],
    ]);
    const { error } = await settleWithin(120_000, outcomeOf(session.send('1').outcome()));
    expect(error).toMatchObject({ code: 'SESSION_CLOSED', cause: { code: 'HANDSHAKE_TIMEOUT' } });
    expect(await over).toMatchObject({ code: 'HANDSHAKE_TIMEOUT' });
  });

  it('what waits for a place in its group, and leaves well, ends the session with its last words', async () => {
    const nothing = (): void => {};
    const gate = {
      beforeStart: () => Promise.resolve(),
      enter: () => new Promise<void>(nothing),
      regain: () => Promise.resolve(),
      lend: nothing,
      leave: nothing,
      onGone: nothing,
      onChange: nothing,
    };
    const script: Step[] = [...handshake(), { do: 'stderr', text: 'nothing to do\n' }, exit(0)];
    const { session, ended: over } = play([script], { gate });
    const { error } = await settleWithin(120_000, outcomeOf(session.send('1').outcome()));
    const left = { code: 'NO_RESULT', exitCode: 0, retryable: true, stderrTail: 'nothing to do\n' };
    expect(error).toMatchObject({ code: 'SESSION_CLOSED', cause: left });
    expect(await over).toMatchObject(left);
  });

  it('when it is told of a change again does not keep messages waiting for ever', async () => {
    const warnings: string[] = [];
    const { session } = play(
      [
        [...handshake(), ...turnOf(0, 'one'), expectLine('set_model'), reply()],
        [...handshake(), expectLine('set_model'), ...turnOf(0, 'two')],
      ],
      { options: { onWarning: ({ message }) => warnings.push(message) } },
    );
    await session.send('1').text();
    await session.setModel('other');
    await session.suspend();
    expect(await settleWithin(120_000, session.send('2').text())).toBe('two');
    expect(warnings).toEqual([
      'The change "set_model" could not be applied again after the CLI was restarted',
    ]);
  });
});

describe('a message that is given up', () => {
  const play = useSessions();

  it.each<[string, Step[], (session: Session, controller: AbortController) => unknown]>([
    ['answered', [ended(0, 'one')], () => {}],
    ['lost with its CLI', [KILL], () => {}],
    ['left by a session that closes', [HANG], (session) => session.close()],
    [
      'given up',
      [expectLine('interrupt'), reply({}), emit(interrupted({ user_message_uuids: [named(0)] })), HANG],
      (_, controller) => controller.abort(),
    ],
  ])('or %s leaves no listener on its signal', async (_, steps, end) => {
    const { session, clis } = play([[...handshake(), ...begun(0), mark('begun'), ...steps]], {
      restart: false,
    });
    const controller = new AbortController();
    const { signal } = controller;
    const outcome = outcomeOf(session.send('1', { signal }).outcome());
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await clis[0]?.marked('begun');
    await end(session, controller);
    await outcome;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    // One that comes too late has none from the start.
    await session.close();
    void session.send('2', { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('before it is sent starts nothing', async () => {
    const { session, starts } = play([[...handshake(), HANG]], { lazy: true });
    const turn = session.send('1', { signal: AbortSignal.abort('early') });
    expect((await outcomeOf(turn.outcome())).error).toMatchObject({ code: 'ABORTED', cause: 'early' });
    expect([session.state, starts.length]).toEqual(['suspended', 0]);
  });

  it('is not sent again when the CLI dies before it could withdraw it', async () => {
    const { session, clis } = play(
      [
        [
          ...handshake(),
          ...begun(0),
          expectLine('user'),
          emit(lifecycle(named(1), 'queued')),
          mark('queued'),
          expectLine('cancel_async_message'),
          KILL,
        ],
        [...handshake(), ...turnOf(0, 'three')],
      ],
      { restart: { backoffMs: 0 } },
    );
    const first = session.send('1');
    const given = new AbortController();
    const second = session.send('2', { signal: given.signal });
    await clis[0]?.marked('queued');
    given.abort('enough');
    expect((await outcomeOf(first.outcome())).error).toBeInstanceOf(TurnLostError);
    expect((await outcomeOf(second.outcome())).error).toMatchObject({ code: 'ABORTED', cause: 'enough' });
    expect(await session.send('3').text()).toBe('three');
  });

  it('says so to the code that withdrew it when the CLI dies meanwhile', async () => {
    const { session, clis } = play(
      [
        [
          ...handshake(),
          ...begun(0),
          expectLine('user'),
          emit(lifecycle(named(1), 'queued')),
          mark('queued'),
          expectLine('cancel_async_message'),
          KILL,
        ],
        [...handshake(), ...turnOf(0, 'three')],
      ],
      { restart: { backoffMs: 0 } },
    );
    void session.send('1');
    const second = session.send('2');
    await clis[0]?.marked('queued');
    expect(await second.cancel()).toBe(true);
    expect((await outcomeOf(second.outcome())).error).toBeInstanceOf(AbortError);
    expect(await session.send('3').text()).toBe('three');
  });

  it('is not sent again when its turn was interrupted and the CLI dies', async () => {
    const { session } = play(
      [
        [...handshake(), ...begun(0), expectLine('interrupt'), KILL],
        [...handshake(), ...turnOf(0, 'two')],
      ],
      { restart: { backoffMs: 0, resend: 'unanswered' } },
    );
    const given = new AbortController();
    const turn = session.send('1', { signal: given.signal });
    for await (const message of turn) {
      if (message.type !== 'system') continue;
      given.abort();
      break;
    }
    expect((await outcomeOf(turn.outcome())).error).toBeInstanceOf(TurnLostError);
    expect(await session.send('2').text()).toBe('two');
  });

  it('is interrupted when its turn has begun by the time the CLI is asked to withdraw it', async () => {
    const { session, clis } = play([
      [
        ...handshake(),
        ...begun(0),
        expectLine('user'),
        emit(lifecycle(named(1), 'queued')),
        mark('queued'),
        expectLine('cancel_async_message'),
        ended(0, 'one'),
        emit(lifecycle(named(1), 'started'), init()),
        reply({ cancelled: false }),
        expectLine('interrupt'),
        reply({ still_queued: [] }),
        emit(interrupted({ user_message_uuids: [named(1)] })),
      ],
    ]);
    const first = session.send('1');
    const given = new AbortController();
    const second = session.send('2', { signal: given.signal });
    await clis[0]?.marked('queued');
    given.abort();
    expect(await first.text()).toBe('one');
    expect(await second.outcome()).toMatchObject({ kind: 'interrupted' });
  });

  it('is interrupted as soon as it begins on a CLI that says nothing of messages that wait', async () => {
    const { session, clis } = play([
      [
        ...handshake(),
        expectLine('user'),
        mark('taken'),
        expectLine('mcp_status'),
        reply({}),
        emit(init(), assistant('x')),
        expectLine('interrupt'),
        reply(),
        emit(interrupted()),
      ],
    ]);
    const given = new AbortController();
    const turn = session.send('1', { signal: given.signal });
    await clis[0]?.marked('taken');
    given.abort();
    await session.mcpServerStatus();
    expect(await turn.outcome()).toMatchObject({ kind: 'interrupted' });
  });
});

describe('controls that speak of messages', () => {
  const play = useSessions();

  it('know those that wait here', async () => {
    const { session, clis } = play([[...handshake(), ...begun(0), mark('begun'), expectLine('interrupt')]], {
      oneByOne: true,
    });
    const turns = [session.send('1'), session.send('2'), session.send('3')] as const;
    await clis[0]?.marked('begun');
    expect(await session.cancelQueuedMessage(turns[1].uuid)).toBe(true);
    expect((await outcomeOf(turns[1].outcome())).error).toBeInstanceOf(AbortError);
    void session.interrupt({ cancelQueued: true });
    expect((await outcomeOf(turns[2].outcome())).error).toBeInstanceOf(AbortError);
  });

  it('know those that wait for a CLI', async () => {
    const { session } = play([[expectLine('initialize'), HANG]]);
    const turn = session.send('1');
    const held = session.interrupt();
    expect(turn.state).toBe('waiting');
    expect(await session.interrupt({ cancelQueued: true })).toBeUndefined();
    expect(await held).toBeUndefined();
    expect((await outcomeOf(turn.outcome())).error).toBeInstanceOf(AbortError);
  });

  it('can be given up while there is no CLI to wait for tools of', async () => {
    const { session } = play([[expectLine('initialize'), HANG]]);
    const given = new AbortController();
    const ready = outcomeOf(session.ready({ signal: given.signal }));
    given.abort();
    expect((await ready).error).toBeInstanceOf(AbortError);
  });

  it('keep the CLI awake while they wait for tools', async () => {
    const { session, clis } = play([
      [...handshake({ capabilities: [] }), expectLine('mcp_status'), mark('asked'), HANG],
    ]);
    const given = new AbortController();
    const ready = outcomeOf(session.ready({ servers: ['a'], signal: given.signal }));
    await clis[0]?.marked('asked');
    expect(await session.suspend()).toBe(false);
    given.abort();
    expect((await ready).error).toBeInstanceOf(AbortError);
  });
});

describe('a message the CLI does not understand', () => {
  it('fails alone where it is fed to a query', async () => {
    const cli = stageCli('memory', [
      ...handshake(),
      expectLine('user'),
      mark('begun'),
      expectLine('mcp_status'),
      reply({}),
      emit(init(), result()),
      AWAIT_END,
    ]);
    const launch: Launch = async (input) => ({ ...(await cli.launch(input)), version: '2.1.109' });
    const q = createQuery({ prompt: 'hi', launch, options: {} });
    await cli.marked('begun');
    const odd = q.streamInput([{ ...userMessageOf('only to be noted'), shouldQuery: false }]);
    expect((await outcomeOf(odd)).error).toBeInstanceOf(UnsupportedOptionError);
    await q.mcpServerStatus();
    const { messages, error } = await runToEnd(q);
    expect([messages.at(-1)?.type, error]).toEqual(['result', undefined]);
    expect(cli.isGone()).toBe(true);
    await cli.dispose();
  });

  it('fails alone: the session goes on', async () => {
    const troupe = stageTroupe([[...handshake(), ...turnOf(0, 'two')]]);
    const old: Launch = async (input) => ({ ...(await troupe.launch(input)), version: '2.1.109' });
    const session = presentConversation(createConversation({ launch: old }));
    const odd = session.send({
      type: 'user',
      message: { role: 'user', content: 'only to be noted' },
      parent_tool_use_id: null,
      shouldQuery: false,
    });
    const next = session.send('2');
    expect((await outcomeOf(odd.outcome())).error).toBeInstanceOf(UnsupportedOptionError);
    expect(await next.text()).toBe('two');
    await session.close();
    expect(troupe.clis[0]?.isGone()).toBe(true);
    await troupe.dispose();
  });
});

describe('the end of a long session', () => {
  const play = useSessions();
  let heard: unknown[] = [];
  afterEach(() => {
    heard = [];
  });
  const onEnd = (error: unknown): void => {
    heard.push(error);
  };

  it('comes with an abort while the CLI is being put to sleep', async () => {
    const abortController = new AbortController();
    const { session, ended: over } = play([[...handshake(), ...turnOf(0, 'one')]], {
      options: { abortController },
    });
    await session.send('1').text();
    const suspending = session.suspend();
    abortController.abort('stop');
    await suspending;
    expect(await over).toBeInstanceOf(AbortError);
    expect(session.state).toBe('closed');
  });

  it('is told to onEnd once, however often the CLI was put to sleep or replaced', async () => {
    const { session, ended: over } = play(
      [
        [...handshake(), ...turnOf(0, 'one')],
        [...handshake(), ...turnOf(0, 'two'), KILL],
        [...handshake(), ...turnOf(0, 'three')],
      ],
      { options: { onEnd }, restart: { backoffMs: 0 } },
    );
    await session.send('1').text();
    await session.suspend();
    await session.send('2').text();
    await session.send('3').text();
    expect(heard).toEqual([]);
    await session.close();
    await over;
    expect(heard).toEqual([undefined]);
  });

  it('is told to onEnd with the error of a session that breaks', async () => {
    const { session, ended: over } = play([[...handshake(), ...begun(0), KILL]], { options: { onEnd } });
    await outcomeOf(session.send('1').outcome());
    expect(heard).toEqual([await over]);
    expect(heard[0]).toMatchObject({ code: 'PROCESS_KILLED' });
  });

  it('reaches a reader of events that is slow, whatever the error holds', async () => {
    const error = Object.assign(new Error('no CLI'), { circle: {} });
    error.circle = error;
    const launch = (): Promise<never> => Promise.reject(error);
    const session = presentConversation(createConversation({ lazy: true, launch }));
    const slow = session.events();
    await outcomeOf(session.send('1').outcome());
    const events: SessionEvent[] = [];
    await collect(slow, events);
    expect(events).toEqual([{ type: 'closed', error }]);
  });

  it('and a restart are told to callbacks that may fail later', async () => {
    const warnings: string[] = [];
    // A program may give an async function where its promise is not awaited.
    const fail = (() => Promise.reject(new Error('later'))) as never;
    const { session } = play(
      [
        [...handshake(), ...turnOf(0, 'one'), KILL],
        [...handshake(), ...turnOf(0, 'two')],
      ],
      {
        options: { onEnd: fail, onWarning: ({ message }) => warnings.push(message) },
        restart: { backoffMs: 0, onRestart: fail },
      },
    );
    await session.send('1').text();
    await session.send('2').text();
    await session.close();
    expect(warnings).toEqual([
      expect.stringContaining('"restart.onRestart"'),
      expect.stringContaining('"onEnd"'),
    ]);
  });

  it('leaves the trace of each CLI in a file of its own', async () => {
    const { session, starts } = play(
      [
        [...handshake(), ...turnOf(0, 'one')],
        [...handshake(), ...turnOf(0, 'two')],
      ],
      { options: { trace: 'never-written.jsonl' } },
    );
    await session.send('1').text();
    await session.suspend();
    await session.send('2').text();
    expect(starts.map(({ trace }) => trace)).toEqual(['never-written.jsonl', 'never-written-2.jsonl']);
  });

  it.each<[string, Step[], (session: Session, controller: AbortController) => unknown]>([
    ['closed', [...handshake(), HANG], (session) => session.close()],
    ['aborted', [...handshake(), HANG], (_, controller) => controller.abort()],
    ['broken', [expectLine('initialize'), KILL], () => {}],
  ])('leaves no listener on the signal of a session that is %s', async (_, steps, end) => {
    const abortController = new AbortController();
    const { session, ended } = play([steps], { restart: false, options: { abortController } });
    expect(getEventListeners(abortController.signal, 'abort')).toHaveLength(1);
    await outcomeOf(session.initializationResult());
    void end(session, abortController);
    await ended;
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
  });

  it.each<[string, Step[], RegExp]>([
    [
      'dies',
      [
        { do: 'stderr', text: 'no login' },
        { do: 'exit', code: 3 },
      ],
      /code 3.*no login|no login.*code 3/s,
    ],
    ['refuses the handshake', [expectLine('initialize'), refuse('no such agent')], /no such agent/],
    ['says nothing', [expectLine('initialize'), HANG], /50 ?ms/],
  ])('says why, to code that asks for the handshake, when the CLI %s', async (_, steps, reason) => {
    const { session, ended } = play([steps], { restart: false, options: { handshakeTimeoutMs: 50 } });
    const early = outcomeOf(session.initializationResult());
    await ended;
    for (const { error } of [await early, await outcomeOf(session.initializationResult())]) {
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(reason);
    }
  });

  it('says why when the CLI cannot be started at all', async () => {
    const missing = new ExecutableNotFoundError('No CLI at /no/claude', ['/no/claude']);
    const launch: Launch = () => Promise.reject(missing);
    const session = presentConversation(createConversation({ launch, restart: false }));
    const refused = { error: { message: expect.stringContaining('No CLI at /no/claude'), cause: missing } };
    expect(await outcomeOf(session.initializationResult())).toMatchObject(refused);
    await collect(session.messages(), []);
    expect(await outcomeOf(session.initializationResult())).toMatchObject(refused);
    await session.close();
    expect(await outcomeOf(session.initializationResult())).toMatchObject(refused);
  });

  it('leaves what the handshake told to be read', async () => {
    const { session } = play([[...handshake()]]);
    const models = await session.supportedModels();
    await session.close();
    expect(await session.supportedModels()).toEqual(models);
    expect((await session.capabilities()).names).toEqual([]);
  });
});

describe('suspension', () => {
  const play = useSessions();
  useVirtualClock();

  it('is refused where the CLI could not be started again', async () => {
    const { transport } = createMemoryTransport();
    const { session } = play([[...handshake(), ...turnOf(0, 'one')]], { options: { transport } });
    await session.send('1').text();
    expect(await session.suspend()).toBe(false);
  });

  it.each([
    ['that never comes', Infinity],
    ['that is put off by a turn without a word', 1000],
  ])('%s keeps no timer busy', async (_, suspendAfterMs) => {
    const { session } = play([[...handshake(), ...begun(0), HANG]], { suspendAfterMs });
    void session.send('1');
    await elapse(100);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await elapse(10_000);
    expect(timers.mock.calls.length).toBeLessThan(20);
    timers.mockRestore();
    expect(session.state).toBe('ready');
  });
});
