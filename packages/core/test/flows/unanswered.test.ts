// No promise that waits for the CLI's answer stays open once the CLI is idle: for everything that can be sent, a CLI
// that goes idle and says nothing more. The rules are in docs/endings.md.
import { describe, expect, it } from 'vitest';
import { MessageIgnoredError } from '../../src/errors.js';
import type { ControlRow } from '../../src/live/controls/control-row.js';
import { CONTROLS, UNLISTED_CONTROLS } from '../../src/live/controls/control-table.js';
import { outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { useSessions } from '../../../../test/support/session-scene.js';
import {
  HANG,
  assistant,
  emit,
  expectLine,
  handshake,
  init,
  lifecycle,
  mark,
  reply,
  result,
  state,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

type Methods = Record<string, (...given: unknown[]) => Promise<unknown>>;

const MINUTE_MS = 60_000;
/** A CLI that is idle from the start and never answers anything. */
const IDLE: Step[] = [...handshake({ capabilities: [] }), emit(state('idle')), mark('idle'), HANG];
const SENDING = (rows: object): [string, ControlRow][] =>
  (Object.entries(rows) as [string, ControlRow][]).filter(([, { subtype }]) => subtype !== undefined);
const givenTo = ({ fields = [] }: ControlRow): unknown[] =>
  fields.map((name) => (name === 'servers' ? {} : 'x'));
const limitOf = ({ takesLong }: ControlRow): number => (takesLong ? 10 * MINUTE_MS : MINUTE_MS);
const user = (uuid: string) => ({
  type: 'user' as const,
  uuid: uuid as never,
  message: { role: 'user' as const, content: 'hi' },
  parent_tool_use_id: null,
});

describe('a request that an idle CLI does not answer', () => {
  useVirtualClock();
  const play = useScenes();
  const open = useSessions();

  it.each(SENDING({ ...UNLISTED_CONTROLS, ...CONTROLS }))('of a query: %s ends', async (name, row) => {
    const endless = new ReadableStream<string>();
    const { q, cli } = play({ kind: 'memory', prompt: endless, steps: IDLE });
    await cli.marked('idle');
    const asked = outcomeOf((q as unknown as Methods)[name]!(...givenTo(row)));
    await elapse(limitOf(row) - 1_000);
    expect(await Promise.race([asked, Promise.resolve('open')])).toBe('open');
    expect(await settleWithin(2_000, asked)).toMatchObject({ error: { code: 'CONTROL_TIMEOUT' } });
    // It was this request that ended, not the session.
    expect(cli.sawEnd()).toBe(false);
  });

  it.each(SENDING(CONTROLS))('of a session: %s ends', async (name, row) => {
    const { session, clis } = open([IDLE]);
    await clis[0]?.marked('idle');
    const asked = outcomeOf((session as unknown as Methods)[name]!(...givenTo(row)));
    expect(await settleWithin(limitOf(row) + 1_000, asked)).toMatchObject({
      error: { code: 'CONTROL_TIMEOUT' },
    });
    expect(session.state).toBe('ready');
  });

  it('under a name that nobody knows ends', async () => {
    const { session, clis } = open([IDLE]);
    await clis[0]?.marked('idle');
    const asked = outcomeOf(session.request('made_up' as never));
    expect(await settleWithin(10 * MINUTE_MS + 1_000, asked)).toMatchObject({
      error: { code: 'CONTROL_TIMEOUT' },
    });
  });

  it('while a turn runs is waited for', async () => {
    const working = [
      ...handshake(),
      expectLine('user'),
      emit(state('running'), init()),
      mark('running'),
      HANG,
    ];
    const { session, clis } = open([working]);
    session.send('hi');
    await clis[0]?.marked('running');
    const asked = outcomeOf(session.setModel('x'));
    await elapse(60 * MINUTE_MS);
    expect(await Promise.race([asked, Promise.resolve('open')])).toBe('open');
  });

  it.each(['query', 'session'])('ready() of a %s ends at its own limit', async (kind) => {
    const cli = kind === 'query' ? play({ kind: 'memory', steps: IDLE }) : open([IDLE]);
    const ready = 'q' in cli ? cli.q.ready({ timeoutMs: 3_000 }) : cli.session.ready({ timeoutMs: 3_000 });
    const outcome = await settleWithin(4_000, outcomeOf(ready));
    expect(outcome).toMatchObject({ error: { code: 'TOOLS_NOT_READY' } });
  });
});

describe('a message that an idle CLI does not take up', () => {
  useVirtualClock();
  const play = useScenes();
  const open = useSessions();

  const SILENT: Record<string, Step[]> = {
    'and is idle once more': [expectLine('user'), emit(state('idle'))],
    'and says nothing': [expectLine('user')],
    'and reports as queued, then is idle': [
      expectLine('user'),
      emit(state('running'), lifecycle('$uuid:0', 'queued'), state('idle')),
    ],
    'and answers a request behind it': [
      expectLine('user'),
      emit(state('idle')),
      expectLine('mcp_status'),
      reply({ mcpServers: [] }),
    ],
  };

  it.each(Object.entries(SILENT))('%s: its turn ends, and the session goes on', async (_, steps) => {
    const { session } = open([[...handshake(), emit(state('idle')), ...steps, mark('sent'), HANG]]);
    const turn = session.send(user('known'));
    const error = await settleWithin(
      10_000,
      turn.outcome().catch((thrown: unknown) => thrown),
    );
    expect(error).toBeInstanceOf(MessageIgnoredError);
    expect(error).toMatchObject({ code: 'MESSAGE_IGNORED', uuid: 'known' });
    expect(turn.state).toBe('over');
    expect(session.state).toBe('ready');
  });

  it('because it is in the transcript: its turn ends at once, and the next is answered', async () => {
    const { session } = open([
      [
        ...handshake(),
        expectLine('user'),
        emit(lifecycle('$uuid:0', 'completed'), state('idle')),
        expectLine('user'),
        emit(state('running'), lifecycle('$uuid:1', 'queued'), lifecycle('$uuid:1', 'started'), init()),
        emit(assistant('two'), result({ result: 'two', user_message_uuids: ['$uuid:1'] })),
        emit(lifecycle('$uuid:1', 'completed'), state('idle')),
        HANG,
      ],
    ]);
    const [known, next] = [session.send(user('known')), session.send('next')];
    await expect(settleWithin(0, known.outcome())).rejects.toBeInstanceOf(MessageIgnoredError);
    expect(await settleWithin(0, next.text())).toBe('two');
  });

  it('on a CLI that reports nothing: its turn ends after a minute of silence', async () => {
    const { session } = open([[...handshake(), expectLine('user'), mark('sent'), HANG]]);
    const turn = outcomeOf(session.send(user('known')).outcome());
    await elapse(59_000);
    expect(await Promise.race([turn, Promise.resolve('open')])).toBe('open');
    expect(await settleWithin(10_000, turn)).toMatchObject({ error: { code: 'MESSAGE_IGNORED' } });
  });

  it.each<[string, Step[]]>([
    ['because it is in the transcript', [emit(lifecycle('$uuid:0', 'completed'), state('idle'))]],
    ['and is idle once more', [emit(state('idle')), expectLine('mcp_status'), reply({ mcpServers: [] })]],
    ['and says nothing', []],
  ])('%s: a query with nothing else ends with the error', async (_, steps) => {
    const { q, warnings } = play({
      kind: 'memory',
      prompt: [user('known')],
      steps: [...handshake(), expectLine('user'), ...steps],
    });
    const { error } = await settleWithin(70_000, runToEnd(q));
    expect(error).toMatchObject({ code: 'MESSAGE_IGNORED', uuid: 'known' });
    expect(warnings).toMatchObject([{ error: { code: 'MESSAGE_IGNORED' } }]);
  });

  it('beside one that is answered: a query ends without an error, and warns', async () => {
    const { q, warnings } = play({
      kind: 'memory',
      prompt: [user('known'), user('new')],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        emit(lifecycle('known', 'completed'), state('running'), lifecycle('new', 'queued'), init()),
        emit(result({ user_message_uuids: ['new'] }), lifecycle('new', 'completed'), state('idle')),
      ],
    });
    expect((await settleWithin(0, runToEnd(q))).error).toBeUndefined();
    expect(warnings).toMatchObject([{ error: { uuid: 'known' } }]);
  });

  it('yet, because an `idle` of the turn before came in between, is waited for', async () => {
    const { session } = open([
      [
        ...handshake(),
        expectLine('user'),
        emit(
          state('idle'),
          state('running'),
          lifecycle('$uuid:0', 'queued'),
          lifecycle('$uuid:0', 'started'),
        ),
        emit(init()),
        mark('running'),
        expectLine('set_model'),
        emit(result({ result: 'one', user_message_uuids: ['$uuid:0'] }), lifecycle('$uuid:0', 'completed')),
        emit(state('idle')),
        HANG,
      ],
    ]);
    const turn = session.send('hi');
    await elapse(600_000);
    void session.setModel('x');
    expect(await settleWithin(0, turn.text())).toBe('one');
  });
});

describe('messages without an id', () => {
  useVirtualClock();
  const play = useScenes();

  it('that one result answers together end with a request behind them, and none gets an id', async () => {
    const { q, cli } = play({
      kind: 'memory',
      prompt: ['one', 'two'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        emit(state('running'), init(), result(), state('idle')),
        expectLine('mcp_status'),
        reply({ mcpServers: [] }),
      ],
    });
    const { messages, error } = await settleWithin(0, runToEnd(q));
    expect(error).toBeUndefined();
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(cli.received().filter(({ type, uuid }) => type === 'user' && uuid !== undefined)).toEqual([]);
  });

  it('of which the second is read after the first turn are both answered', async () => {
    const { q, cli } = play({
      kind: 'memory',
      prompt: ['one', 'two'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        // This `idle` belongs to the first: the request behind the second finds the CLI at work again.
        emit(state('running'), init(), result(), state('idle')),
        expectLine('mcp_status'),
        emit(state('running'), init()),
        reply({ mcpServers: [] }),
        mark('second'),
        emit(assistant('two')),
        emit(result(), state('idle')),
      ],
    });
    const ending = runToEnd(q);
    await cli.marked('second');
    const { messages, error } = await settleWithin(0, ending);
    expect(error).toBeUndefined();
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(2);
    expect(cli.requests('mcp_status')).toHaveLength(1);
  });
});
