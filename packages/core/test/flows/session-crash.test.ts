// What becomes of a long session when its CLI ends unasked: at each point of its life, with and without a
// restart, and what the caller is told.
import { describe, expect, it } from 'vitest';
import {
  ProcessExitError,
  SessionClosedError,
  SessionNotFoundError,
  TurnLostError,
} from '../../src/errors.js';
import type { SessionEvent } from '../../src/verbs/conversation/conversation-event.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { useSessions } from '../../../../test/support/session-scene.js';
import {
  assistant,
  badResult,
  emit,
  exit,
  expectLine,
  handshake,
  HANG,
  init,
  lifecycle,
  reply,
  result,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

const KILL: Step = { do: 'kill', signal: 'SIGKILL' };
const ID = '00000000-0000-4000-8000-00000000000a';
const named = (index: number): string => `$uuid:${index}`;
const begun = (index: number): Step[] => [
  expectLine('user'),
  emit(lifecycle(named(index), 'queued'), lifecycle(named(index), 'started'), { ...init(), session_id: ID }),
];
const ended = (index: number, text: string): Step =>
  emit(
    assistant(text),
    result({ result: text, user_message_uuids: [named(index)] }),
    lifecycle(named(index), 'completed'),
  );
const turnOf = (index: number, text: string): Step[] => [...begun(index), ended(index, text)];
const toolUse = {
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
  parent_tool_use_id: null,
};
const notFound = badResult({
  subtype: 'error_during_execution',
  terminal_reason: undefined,
  result: 'No conversation found with session ID: x',
});
const typesOf = (events: readonly SessionEvent[]): string[] => events.map(({ type }) => type);

describe('without a restart', () => {
  const play = useSessions();

  it('the session ends with its CLI, and everybody is told', async () => {
    const scene = play([[...handshake(), ...begun(0), KILL]]);
    const turns = [scene.session.send('1')];
    const { error } = await outcomeOf(turns[0]?.outcome() as Promise<unknown>);
    expect(error).toBeInstanceOf(TurnLostError);
    expect(error).toMatchObject({
      code: 'TURN_LOST',
      uuid: turns[0]?.uuid,
      resent: false,
      toolsUsed: false,
      sessionGoesOn: false,
      retryable: true,
      // How the process ended is on the error itself, for programs that do not read causes.
      signal: 'SIGKILL',
      message: expect.stringContaining('ended (SIGKILL) in the middle of the turn') as string,
      cause: { code: 'PROCESS_KILLED', signal: 'SIGKILL' },
    });
    expect(await scene.ended).toBeInstanceOf(ProcessExitError);
    expect(scene.session.state).toBe('closed');
    expect((await outcomeOf(scene.session.send('2').outcome())).error).toMatchObject({
      code: 'SESSION_CLOSED',
      cause: { code: 'PROCESS_KILLED' },
    });
    expect(typesOf(scene.events)).toEqual(['ready', 'closed']);
  });

  it('messages that wait fail with a turn that is cut', async () => {
    const scene = play([[...handshake(), ...begun(0), KILL]], { oneByOne: true });
    const [first, second] = [scene.session.send('1'), scene.session.send('2')];
    expect((await outcomeOf(first.text())).error).toBeInstanceOf(TurnLostError);
    expect((await outcomeOf(second.text())).error).toBeInstanceOf(SessionClosedError);
  });

  it('a start that fails is told by turns and readers', async () => {
    const scene = play([]);
    const turn = scene.session.send('1');
    expect((await outcomeOf(turn.outcome())).error).toMatchObject({
      code: 'SESSION_CLOSED',
      cause: { message: 'There is no script for start 1' },
    });
    expect(await scene.ended).toMatchObject({ message: 'There is no script for start 1' });
  });
});

describe('with a restart', () => {
  const play = useSessions();
  useVirtualClock();

  it('between turns: the conversation is resumed, with what was changed', async () => {
    const restarts: SessionEvent[] = [];
    const scene = play(
      [
        [...handshake(), expectLine('set_model'), reply({}), ...turnOf(0, 'one'), KILL],
        [...handshake(), expectLine('set_model'), reply({}), ...turnOf(0, 'two')],
      ],
      { restart: { onRestart: (event) => restarts.push(event) } },
    );
    await scene.session.setModel('opus');
    expect(await scene.session.send('1').text()).toBe('one');
    expect(await settleWithin(1000, scene.session.send('2').text())).toBe('two');
    expect(scene.starts[1]).toMatchObject({ resume: ID });
    expect(scene.starts[1]).not.toHaveProperty('sessionId');
    expect(scene.clis[1]?.requests('set_model')).toMatchObject([{ model: 'opus' }]);
    expect(typesOf(scene.events)).toEqual(['ready', 'crashed', 'restarted']);
    expect(restarts).toMatchObject([
      {
        attempt: 1,
        conversation: 'resumed',
        lost: [],
        resent: [],
        sessionId: ID,
        error: undefined,
      },
    ]);
  });

  it('in a turn: it fails and says so; what waits is sent', async () => {
    const scene = play(
      [
        [...handshake(), ...begun(0), expectLine('user'), emit(lifecycle(named(1), 'queued')), KILL],
        [...handshake(), ...turnOf(0, 'two'), ...turnOf(1, 'three')],
      ],
      { restart: true, oneByOne: false },
    );
    const turns = ['1', '2', '3'].map((text) => scene.session.send(text));
    const { error } = await outcomeOf(turns[0]?.outcome() as Promise<unknown>);
    expect(error).toMatchObject({ code: 'TURN_LOST', resent: false, sessionGoesOn: true });
    expect(await settleWithin(1000, Promise.all(turns.slice(1).map((turn) => turn.text())))).toEqual([
      'two',
      'three',
    ]);
    const crashed = scene.events.find(({ type }) => type === 'crashed');
    expect(crashed).toMatchObject({ lost: [turns[0]?.uuid], resent: [turns[1]?.uuid], delayMs: 250 });
  });

  it.each([
    ['never', [], 'lost'],
    ['untouched', [], 'resent'],
    ['untouched', [emit(toolUse)], 'lost'],
    ['unanswered', [emit(toolUse)], 'resent'],
  ] as const)('resend "%s": a turn that was cut after %j is %s', async (resend, middle, fate) => {
    const scene = play(
      [
        [...handshake(), ...begun(0), ...middle, KILL],
        [...handshake(), ...turnOf(0, 'again')],
      ],
      { restart: { resend } },
    );
    const turn = scene.session.send('1');
    const settled = await settleWithin(1000, outcomeOf(turn.text()));
    if (fate === 'resent') {
      expect(settled.value).toBe('again');
      // Under the old id the CLI might take it for one it has.
      const [message] = scene.clis[1]?.received().filter(({ type }) => type === 'user') ?? [];
      expect(message).toMatchObject({ message: { content: [{ text: '1' }] } });
      expect(message?.['uuid']).not.toBe(turn.uuid);
    } else {
      const toolsUsed = middle.length > 0;
      expect(settled.error).toMatchObject({
        code: 'TURN_LOST',
        resent: false,
        toolsUsed,
        retryable: !toolsUsed,
      });
    }
    await elapse(1000);
    expect(scene.session.state).toBe('ready');
  });

  it('does not send a message a third time', async () => {
    const fatal = [...handshake(), ...begun(0), KILL];
    const scene = play([fatal, fatal, [...handshake(), ...turnOf(0, 'alive')]], {
      restart: { resend: 'unanswered' },
    });
    const { error } = await settleWithin(2000, outcomeOf(scene.session.send('poison').text()));
    expect(error).toMatchObject({ code: 'TURN_LOST', resent: true, sessionGoesOn: true });
    expect(await settleWithin(2000, scene.session.send('well?').text())).toBe('alive');
  });

  it.each([
    ['before the handshake', [KILL]],
    ['before the turn', [...handshake(), expectLine('user'), exit(1)]],
  ])('crashes in a row are waited out longer and longer, then given up (%s)', async (_, steps) => {
    const scene = play([[...handshake(), ...turnOf(0, 'one'), KILL], steps, steps], {
      restart: { maxRestarts: 2, backoffMs: 100 },
    });
    await scene.session.send('1').text();
    const turn = scene.session.send('2');
    const { error } = await settleWithin(2000, outcomeOf(turn.text()));
    expect(error).toMatchObject({ code: expect.stringMatching(/SESSION_CLOSED|TURN_LOST/) as string });
    const delays = scene.events.flatMap((event) => (event.type === 'crashed' ? event.delayMs : []));
    expect(delays).toEqual([100, 200]);
    expect(await scene.ended).toBeInstanceOf(ProcessExitError);
    expect(scene.starts).toHaveLength(3);
  });

  it('an answered turn lets it begin to count anew', async () => {
    const scene = play(
      ['one', 'two', 'three'].map((text) => [...handshake(), ...turnOf(0, text), KILL]),
      { restart: { maxRestarts: 1 } },
    );
    for (const text of ['one', 'two', 'three']) {
      expect(await settleWithin(1000, scene.session.send(text).text())).toBe(text);
    }
  });

  it('a CLI that stalls is replaced like one that crashed', async () => {
    const scene = play(
      [
        [...handshake(), ...begun(0), HANG],
        [...handshake(), ...turnOf(0, 'one')],
      ],
      { restart: { resend: 'untouched' }, options: { idleTimeoutMs: 1000 } },
    );
    expect(await settleWithin(10_000, scene.session.send('1').text())).toBe('one');
    expect(scene.events.find(({ type }) => type === 'crashed')).toMatchObject({ error: { code: 'STALLED' } });
  });

  it('a first start that fails is not repeated', async () => {
    const scene = play([[KILL]], { restart: true });
    expect(await settleWithin(1000, scene.ended)).toBeInstanceOf(ProcessExitError);
    expect(scene.starts).toHaveLength(1);
  });

  it('begins anew under the same id when the CLI died before it wrote anything', async () => {
    const scene = play(
      [
        [...handshake(), expectLine('user'), KILL],
        [expectLine('initialize'), emit(notFound), exit(1)],
        [...handshake(), ...turnOf(0, 'one')],
      ],
      { restart: true },
    );
    const id = scene.session.sessionId;
    expect(await settleWithin(1000, scene.session.send('1').text())).toBe('one');
    expect(scene.starts.map(({ resume, sessionId }) => ({ resume, sessionId }))).toEqual([
      { resume: undefined, sessionId: id },
      { resume: id, sessionId: undefined },
      { resume: undefined, sessionId: id },
    ]);
    expect(scene.events.at(-1)).toMatchObject({ type: 'restarted', conversation: 'new' });
  });

  it('takes a new id when the old one can neither be resumed nor used again', async () => {
    const scene = play(
      [
        [...handshake(), expectLine('user'), KILL],
        [expectLine('initialize'), emit(notFound), exit(1)],
        [{ do: 'stderr', text: 'Error: Session ID x is already in use.\n' }, exit(1)],
        [...handshake(), ...turnOf(0, 'one')],
      ],
      { restart: true },
    );
    const id = scene.session.sessionId;
    expect(await settleWithin(1000, scene.session.send('1').text())).toBe('one');
    expect(scene.starts[2]?.sessionId).toBe(id);
    expect(scene.starts[3]?.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(scene.starts[3]?.sessionId).not.toBe(id);
  });

  it('does not forget answered turns in silence', async () => {
    const scripts = [
      [...handshake(), ...turnOf(0, 'one'), KILL],
      [expectLine('initialize'), emit(notFound), exit(1)],
      [...handshake(), ...turnOf(0, 'two')],
    ];
    const strict = play(scripts, { restart: true });
    await strict.session.send('1').text();
    expect(await settleWithin(1000, strict.ended)).toBeInstanceOf(SessionNotFoundError);
    const lenient = play(scripts, { restart: { whenLost: 'startAnew' } });
    await lenient.session.send('1').text();
    expect(await settleWithin(1000, lenient.session.send('2').text())).toBe('two');
    expect(lenient.events.at(-1)).toMatchObject({ type: 'restarted', conversation: 'new' });
  });

  it('requests wait for the next CLI; those that were open fail', async () => {
    const scene = play(
      [
        [...handshake(), expectLine('mcp_status'), KILL],
        [...handshake(), expectLine('mcp_status'), reply({ mcpServers: [] })],
      ],
      { restart: true },
    );
    expect((await outcomeOf(scene.session.mcpServerStatus())).error).toBeInstanceOf(ProcessExitError);
    expect(await settleWithin(1000, scene.session.mcpServerStatus())).toEqual([]);
  });

  it('can be closed while it waits for the restart', async () => {
    const scene = play([[...handshake(), ...begun(0), KILL]], { restart: { resend: 'unanswered' } });
    const turn = scene.session.send('1');
    for (let i = 0; scene.session.state !== 'restarting' && i < 100; i += 1) await elapse(0);
    expect(scene.session.state).toBe('restarting');
    await scene.session.close();
    expect((await outcomeOf(turn.text())).error).toBeInstanceOf(SessionClosedError);
    await elapse(60_000);
    expect(scene.starts).toHaveLength(1);
  });

  it('a callback that throws ends nothing', async () => {
    const warnings: string[] = [];
    const scene = play(
      [
        [...handshake(), KILL],
        [...handshake(), ...turnOf(0, 'one')],
      ],
      {
        options: { onWarning: ({ message }) => warnings.push(message) },
        restart: {
          onRestart: () => {
            throw new Error('mine');
          },
        },
      },
    );
    await scene.session.initializationResult();
    expect(await settleWithin(1000, scene.session.send('1').text())).toBe('one');
    expect(warnings).toEqual([expect.stringContaining('"restart.onRestart"')]);
  });
});

describe('suspension', () => {
  const play = useSessions();
  useVirtualClock();

  it('comes after a time without work, and ends with the next message', async () => {
    const scene = play(
      [
        [...handshake(), ...turnOf(0, 'one')],
        [...handshake(), ...turnOf(0, 'two')],
      ],
      { suspendAfterMs: 1000 },
    );
    expect(await scene.session.send('1').text()).toBe('one');
    await elapse(900);
    expect(scene.session.state).toBe('ready');
    await elapse(200);
    expect(scene.session.state).toBe('suspended');
    expect(scene.clis[0]?.isGone()).toBe(true);
    expect(await scene.session.send('2').text()).toBe('two');
    expect(scene.starts[1]).toMatchObject({ resume: ID });
    expect(typesOf(scene.events)).toEqual(['ready', 'suspended', 'ready']);
    await elapse(1100);
    expect(scene.session.state).toBe('suspended');
  });

  it('does not come while something is under way', async () => {
    const tasks = [{ task_id: 'a', task_type: 'local_agent' }];
    const scene = play(
      [
        [
          ...handshake(),
          ...begun(0),
          expectLine('mcp_status'),
          reply({}),
          emit({ type: 'system', subtype: 'background_tasks_changed', tasks }),
          ended(0, 'one'),
        ],
      ],
      { suspendAfterMs: 1000 },
    );
    const turn = scene.session.send('1');
    await elapse(5000);
    expect([scene.session.state, await scene.session.suspend()]).toEqual(['ready', false]);
    await scene.session.mcpServerStatus();
    await turn.text();
    await elapse(5000);
    expect([scene.session.state, await scene.session.suspend()]).toEqual(['ready', false]);
  });

  it('is over at once for a message that comes while the CLI leaves', async () => {
    const scene = play([
      [...handshake(), ...turnOf(0, 'one')],
      [...handshake(), ...turnOf(0, 'two')],
    ]);
    await scene.session.send('1').text();
    const suspending = scene.session.suspend();
    const turn = scene.session.send('2');
    expect(await suspending).toBe(true);
    expect(await turn.text()).toBe('two');
    expect(scene.starts).toHaveLength(2);
  });

  it('can be closed', async () => {
    const scene = play([[...handshake(), ...turnOf(0, 'one')]]);
    await scene.session.send('1').text();
    await Promise.all([scene.session.suspend(), scene.session.close()]);
    expect(scene.session.state).toBe('closed');
  });
});
