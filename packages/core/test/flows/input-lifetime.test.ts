// When the input ends, played through: the rules are in docs/endings.md, the books in test/query.
import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../src/util/deferred.js';
import { kindsOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES } from '../../../../test/support/scripted-cli.js';
import {
  AWAIT_END,
  HANG,
  answered,
  ask,
  assistant,
  canUseTool,
  emit,
  exit,
  expectLine,
  handshake,
  hookCallback,
  init,
  lifecycle,
  mark,
  oldTurn,
  reply,
  result,
  state,
  turn,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

const AGENT = { task_id: 'a1', task_type: 'local_agent', description: 'works' };
const SHELL = { task_id: 'b1', task_type: 'local_bash', description: 'runs' };
const started = (task: object): object => ({ type: 'system', subtype: 'task_started', ...task });
const notified = (task: { task_id: string }): object => ({
  type: 'system',
  subtype: 'task_notification',
  task_id: task.task_id,
  status: 'completed',
});
const allow = () => Promise.resolve({ behavior: 'allow' as const });
const hooks = { PreToolUse: [{ hooks: [() => Promise.resolve({ continue: true })] }] };

describe.each(STAGES)('questions after the result (%s)', (kind) => {
  const play = useScenes();

  it.each<[string, Step[], string]>([
    ['a permission question', [ask('q', canUseTool())], 'allow'],
    ['a hook', [ask('q', hookCallback())], 'continue'],
  ])('%s that comes before idle is answered', async (_, question, word) => {
    const { q, cli } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init(), result()),
        ...question,
        answered('q'),
        emit(state('idle')),
      ],
      options: { canUseTool: allow, hooks },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(JSON.stringify(cli.answer('q'))).toContain(word);
    expect(cli.answer('q')).toMatchObject({ subtype: 'success' });
  });

  it('one that comes before the result of a CLI that reports nothing holds the input until it is answered', async () => {
    const decided = createDeferred<void>();
    const { q, cli } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('user'),
        ask('q', canUseTool()),
        emit(init(), result(), { type: 'from_the_future' }),
        answered('q'),
        emit(assistant('late, but there')),
      ],
      options: {
        canUseTool: async () => {
          await decided.promise;
          return { behavior: 'deny', message: 'no' };
        },
      },
    });
    let step = await q.next();
    while (!step.done && step.value.type !== ('from_the_future' as never)) step = await q.next();
    expect(cli.sawEnd()).toBe(false);
    decided.resolve();
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(kindsOf(messages)).toEqual(['assistant']);
    expect(cli.answer('q')).toMatchObject({ response: { behavior: 'deny' } });
  });

  it.each<[string, Step[]]>([
    ['before its result', [{ do: 'cancel', id: 'q' }, emit(result(), state('idle'))]],
    ['when it is idle', [emit(result(), state('idle')), { do: 'cancel', id: 'q' }]],
  ])('one that the CLI withdraws %s holds nothing, although its callback never settles', async (_, end) => {
    const { q, cli } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init()),
        ask('q', canUseTool()),
        ...end,
      ],
      options: { canUseTool: () => new Promise(() => {}) },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.answer('q')).toBeUndefined();
  });

  it('one that is left to others holds nothing', async () => {
    const { q, cli } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init()),
        ask('q', canUseTool()),
        emit(state('requires_action'), state('running'), result(), state('idle')),
      ],
      options: { canUseTool: () => Promise.resolve(null) },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.answer('q')).toBeUndefined();
  });
});

describe('several messages', () => {
  const kind = 'memory';
  const play = useScenes();

  it('whose source ends right after the second: nothing is cut off', async () => {
    const { q, cli } = play({
      kind,
      prompt: (async function* () {
        yield 'one';
        yield 'two';
      })(),
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init(), assistant('one')),
        expectLine('user'),
        emit(lifecycle('$uuid:1', 'queued'), result()),
        emit(lifecycle('$uuid:1', 'started'), init(), assistant('two')),
        ask('q', canUseTool()),
        answered('q'),
        emit(result({ user_message_uuids: ['$uuid:1'] }), lifecycle('$uuid:1', 'completed'), state('idle')),
      ],
      options: { canUseTool: allow },
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(kindsOf(messages).filter((kind_) => kind_ === 'result')).toHaveLength(2);
    expect(cli.answer('q')).toMatchObject({ response: { behavior: 'allow' } });
  });

  it('that one result answers together', async () => {
    const { q } = play({
      kind,
      prompt: ['one', 'two', 'three'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        expectLine('user'),
        emit(state('running'), init(), result({ user_message_uuids: ['$uuid:1', '$uuid:2'] })),
        emit(state('idle')),
      ],
    });
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('of which one is cancelled, and so never answered by a result', async () => {
    const { q } = play({
      kind,
      prompt: ['one', 'two'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        emit(state('running'), lifecycle('$uuid:1', 'queued'), init()),
        emit(lifecycle('$uuid:1', 'cancelled'), result(), state('idle')),
      ],
    });
    expect((await runToEnd(q)).error).toBeUndefined();
  });

  it('a stale idle does not end the input before the second is seen', async () => {
    const { q, cli } = play({
      kind,
      prompt: ['one', 'two'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        emit(state('running'), init(), result(), state('idle')),
        emit(state('running'), lifecycle('$uuid:1', 'queued'), init(), { type: 'from_the_future' }),
        ask('q', canUseTool()),
        answered('q'),
        emit(result({ user_message_uuids: ['$uuid:1'] }), state('idle')),
      ],
      options: { canUseTool: allow },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.answer('q')).toBeDefined();
  });

  it('on a CLI that reports nothing: one result for each', async () => {
    const { q, cli } = play({
      kind,
      prompt: ['one', 'two', 'three'],
      steps: [...handshake(), ...oldTurn('1'), ...oldTurn('2'), ...oldTurn('3')],
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(3);
    expect(cli.sawEnd()).toBe(true);
  });
});

describe('messages that need no answer', () => {
  const kind = 'memory';
  const play = useScenes();
  const note = {
    type: 'user' as const,
    message: { role: 'user' as const, content: 'for your information' },
    parent_tool_use_id: null,
    shouldQuery: false,
  };

  it('alone: the input ends without a result', async () => {
    const { q, cli } = play({ kind, prompt: [note], steps: [...handshake(), expectLine('user')] });
    expect(await runToEnd(q)).toEqual({ messages: [], error: undefined });
    expect(cli.received()[1]).toEqual(note);
  });

  it('first: the one after it is answered by its own result', async () => {
    const { q } = play({
      kind,
      prompt: [note, 'and now?'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        emit(state('running'), init(), result({ num_turns: 0, result: '' })),
        emit(init(), assistant('now'), result({ user_message_uuids: ['$uuid:1'] }), state('idle')),
      ],
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(2);
  });
});

describe.each(STAGES)('background work (%s)', (kind) => {
  const play = useScenes();
  const idleWith = (task: object): Step[] => [
    ...handshake(),
    expectLine('user'),
    emit(state('running'), init(), started(task), result(), state('idle')),
  ];

  it('of an agent holds the input until the agent is done', async () => {
    const { q, cli } = play({
      kind,
      steps: [...idleWith(AGENT), ask('q', canUseTool()), answered('q'), emit(notified(AGENT))],
      options: { canUseTool: allow },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.answer('q')).toMatchObject({ response: { behavior: 'allow' } });
  });

  it('of a shell does not, where nobody here can be asked', async () => {
    const { q, cli } = play({ kind, steps: [...idleWith(SHELL), AWAIT_END, emit(notified(SHELL)), exit(0)] });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(kindsOf(messages).at(-1)).toBe('system/task_notification');
    expect(cli.sawEnd()).toBe(true);
  });

  it('of a shell does, where the turn that follows it may ask', async () => {
    const { q, cli } = play({
      kind,
      steps: [
        ...idleWith(SHELL),
        emit(notified(SHELL), state('running'), init()),
        ask('q', canUseTool()),
        answered('q'),
        emit(result(), state('idle')),
      ],
      options: { canUseTool: allow },
    });
    expect((await runToEnd(q)).error).toBeUndefined();
    expect(cli.answer('q')).toMatchObject({ response: { behavior: 'allow' } });
  });
});

describe('control requests', () => {
  const kind = 'memory';
  const play = useScenes();

  it('that are open hold the input until they are answered', async () => {
    const { q, cli } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('get_context_usage'),
        ...turn(),
        mark('idle'),
        reply({ totalTokens: 7 }, 'get_context_usage'),
      ],
    });
    const usage = q.getContextUsage();
    const ending = runToEnd(q);
    await cli.marked('idle');
    expect(await usage).toEqual({ totalTokens: 7 });
    expect((await ending).error).toBeUndefined();
  });

  it('are refused after the end of input', async () => {
    const { q, cli } = play({
      kind,
      steps: [...handshake(), ...turn(), AWAIT_END, mark('ended'), emit(init()), exit(0)],
    });
    const ending = runToEnd(q);
    await cli.marked('ended');
    await expect(q.mcpServerStatus()).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    await ending;
  });
});

describe('a suggestion', () => {
  const play = useScenes();

  it('is delivered although it comes when the input has ended', async () => {
    const { q } = play({
      kind: 'memory',
      steps: [
        ...handshake(),
        ...turn(),
        AWAIT_END,
        emit({ type: 'prompt_suggestion', suggestion: 'go on' }),
        exit(0),
      ],
      options: { promptSuggestions: true },
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'prompt_suggestion' });
  });
});

describe('silence', () => {
  useVirtualClock();
  const play = useScenes();

  it('decides where a CLI never says that it is idle', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [...handshake(), expectLine('user'), emit(state('running'), init(), result())],
    });
    const ending = runToEnd(q);
    await elapse(599_000);
    expect(cli.sawEnd()).toBe(false);
    const { messages, error } = await settleWithin(1500, ending);
    expect(error).toBeUndefined();
    expect(messages).toHaveLength(2);
  });

  it('decides where two messages were folded into one turn without a word', async () => {
    const { q, cli } = play({
      kind: 'memory',
      prompt: ['one', 'two'],
      steps: [...handshake(), expectLine('user'), expectLine('user'), emit(init(), result())],
    });
    const ending = runToEnd(q);
    await elapse(4900);
    expect(cli.sawEnd()).toBe(false);
    await elapse(200);
    expect(cli.sawEnd()).toBe(true);
    // Whatever the books say: it was done, and left with 0.
    expect((await settleWithin(0, ending)).error).toBeUndefined();
  });

  it('that ended the input too early does not hide a turn that began after all and was not finished', async () => {
    const { q } = play({
      kind: 'memory',
      prompt: ['one', 'two'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        emit(init(), result()),
        AWAIT_END,
        emit(init(), assistant('two')),
        exit(0),
      ],
    });
    expect((await settleWithin(6000, runToEnd(q))).error).toMatchObject({ code: 'NO_RESULT' });
  });

  it('decides where a request of ours is never answered', async () => {
    const { q, cli } = play({ kind: 'memory', steps: [...handshake(), ...turn()] });
    const usage = q.getContextUsage();
    const ending = runToEnd(q);
    await elapse(6_900);
    expect(cli.sawEnd()).toBe(false);
    expect((await settleWithin(500, ending)).error).toBeUndefined();
    await expect(usage).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it.each([
    ['that reports its state', turn()],
    ['that reports nothing', oldTurn()],
    ['that never says it is idle', turn().slice(0, -1)],
  ])('ends a CLI %s within ten seconds when it wedges with a request open', async (_, steps) => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [{ do: 'ignoreEnd' }, { do: 'ignoreTerm' }, ...handshake(), ...steps, HANG],
    });
    const status = q.mcpServerStatus();
    const { messages, error } = await settleWithin(10_000, runToEnd(q));
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    expect(error).toBeUndefined();
    expect(cli.isGone()).toBe(true);
    await expect(status).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('waits a minute for a request that may wait for a person, a model, a tool or the network', async () => {
    const { q, cli } = play({ kind: 'memory', steps: [...handshake(), ...turn()] });
    const reconnected = q.reconnectMcpServer('far');
    const ending = runToEnd(q);
    await elapse(59_000);
    expect(cli.sawEnd()).toBe(false);
    expect((await settleWithin(1500, ending)).error).toBeUndefined();
    await expect(reconnected).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
  });

  it('while a callback is at work decides nothing, and is counted anew after it', async () => {
    const decided = createDeferred<void>();
    const { q, cli } = play({
      kind: 'memory',
      prompt: ['one', 'two'],
      steps: [
        ...handshake(),
        expectLine('user'),
        expectLine('user'),
        emit(init(), result()),
        ask('q', canUseTool()),
        answered('q'),
        HANG,
      ],
      options: {
        canUseTool: async () => {
          await decided.promise;
          return { behavior: 'allow' };
        },
      },
    });
    const ending = runToEnd(q);
    await elapse(3_600_000);
    expect(cli.sawEnd()).toBe(false);
    decided.resolve();
    await elapse(4900);
    expect(cli.sawEnd()).toBe(false);
    await elapse(200);
    expect(cli.sawEnd()).toBe(true);
    await settleWithin(0, ending);
  });
});
