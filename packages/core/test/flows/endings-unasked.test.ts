// The second table of docs/endings.md, but for launch failures and wrong options: those are in launch.test.ts.
import { describe, expect, it } from 'vitest';
import {
  HandshakeError,
  IncompleteRunError,
  InvalidOptionsError,
  ProcessExitError,
  ResultError,
  WireError,
} from '../../src/errors.js';
import { kindsOf, outcomeOf, runToEnd, useScenes } from '../../../../test/support/scene.js';
import { STAGES } from '../../../../test/support/scripted-cli.js';
import {
  AWAIT_END,
  HANG,
  answered,
  ask,
  assistant,
  badResult,
  emit,
  exit,
  expectLine,
  handshake,
  hookCallback,
  init,
  mark,
  refuse,
  result,
  state,
  turn,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

const KILLED: Step = { do: 'kill', signal: 'SIGKILL' };
const STDERR: Step = { do: 'stderr', text: 'it hurts\n' };

describe.each(STAGES)('every message answered (%s)', (kind) => {
  const play = useScenes();

  it('and exit 0: the iteration ends', async () => {
    const { q, cli } = play({ kind, steps: [...handshake(), ...turn()] });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result']);
    expect(cli.sawEnd()).toBe(true);
  });

  it.each<[string, Step]>([
    ['exit 1', exit(1)],
    ['a signal', KILLED],
  ])('with a good result, and %s: it ends all the same', async (_, end) => {
    const { q } = play({ kind, steps: [...handshake(), ...turn(), AWAIT_END, end] });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
  });

  it('with an error result, and exit 1: the result first, then a ResultError', async () => {
    const bad = badResult({ api_error_status: 529 });
    const { q } = play({
      kind,
      steps: [...handshake(), expectLine('user'), emit(init(), bad), AWAIT_END, STDERR, exit(1)],
    });
    const { messages, error } = await runToEnd(q);
    expect(messages.at(-1)).toEqual(bad);
    expect(error).toBeInstanceOf(ResultError);
    expect(error).toMatchObject({
      code: 'ERROR_RESULT',
      errorClass: 'error_result',
      phase: 'result',
      result: bad,
      exitCode: 1,
      retryable: true,
      stderrTail: 'it hurts\n',
    });
    expect((error as Error).message).toContain('API Error: 400');
  });

  it('with an error result, and exit 0: it ends', async () => {
    const { q } = play({ kind, steps: [...handshake(), expectLine('user'), emit(badResult())] });
    expect((await runToEnd(q)).error).toBeUndefined();
  });
});

describe.each(STAGES)('a CLI that goes too soon (%s)', (kind) => {
  const play = useScenes();
  const midTurn = [...handshake(), expectLine('user'), emit(init(), assistant('half'))];

  it.each<[string, Step, object]>([
    [
      'exit 3',
      exit(3),
      { code: 'PROCESS_EXITED', exitCode: 3, errorClass: 'process_exited_nonzero', retryable: false },
    ],
    [
      'SIGKILL',
      KILLED,
      { code: 'PROCESS_KILLED', signal: 'SIGKILL', errorClass: 'process_killed_by_signal', retryable: true },
    ],
  ])('in a turn, by %s: ProcessExitError, and everything open is told the same', async (_, end, facts) => {
    const { q } = play({ kind, steps: [...midTurn, expectLine('mcp_status'), STDERR, end] });
    const request = outcomeOf(q.mcpServerStatus());
    const input = outcomeOf(q.streamInput(sleepForEver()));
    const { messages, error } = await runToEnd(q);
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant']);
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({ ...facts, phase: 'running', stderrTail: 'it hurts\n' });
    expect((error as Error).message).toMatch(/before its work was done.*it hurts/);
    expect(await request).toEqual({ error });
    expect(await input).toMatchObject({ error: { code: 'SESSION_CLOSED' } });
    expect(await outcomeOf(q.interrupt())).toEqual({ error });
    expect(await outcomeOf(q.streamInput('more'))).toMatchObject({ error: { code: 'SESSION_CLOSED' } });
    await expect(q.accountInfo()).resolves.toEqual({ tokenSource: 'none' });
  });

  it.each<[string, Step, object]>([
    ['exit 1', exit(1), { code: 'PROCESS_EXITED', exitCode: 1 }],
    ['exit 0', exit(0), { code: 'PROCESS_EXITED', exitCode: 0 }],
    ['SIGKILL', KILLED, { code: 'PROCESS_KILLED', signal: 'SIGKILL' }],
  ])('before it answered the handshake, by %s: the phase says so', async (_, end, facts) => {
    const { q } = play({ kind, steps: [expectLine('initialize'), STDERR, end] });
    const initialized = outcomeOf(q.initializationResult());
    const { messages, error } = await runToEnd(q);
    expect(messages).toEqual([]);
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({ ...facts, phase: 'handshake', stderrTail: 'it hurts\n' });
    expect((error as Error).message).toContain('before it answered the handshake');
    expect(await initialized).toEqual({ error });
  });

  it('before it answered the handshake, with nothing asked of it: an error all the same', async () => {
    const { q } = play({ kind, prompt: [], steps: [expectLine('initialize'), exit(0)] });
    const { error } = await runToEnd(q);
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({ code: 'PROCESS_EXITED', exitCode: 0, phase: 'handshake' });
  });

  it('in a turn, by exit 0: IncompleteRunError, never a silent success', async () => {
    const { q } = play({ kind, steps: [...midTurn, STDERR, exit(0)] });
    const { messages, error } = await runToEnd(q);
    expect(messages).toHaveLength(2);
    expect(error).toBeInstanceOf(IncompleteRunError);
    expect(error).toMatchObject({
      code: 'NO_RESULT',
      phase: 'running',
      exitCode: 0,
      retryable: true,
      stderrTail: 'it hurts\n',
    });
  });

  it('between two messages: the first result does not answer the second', async () => {
    const { q } = play({
      kind,
      prompt: ['one', 'two'],
      steps: [...handshake(), expectLine('user'), expectLine('user'), emit(init(), result()), exit(0)],
    });
    const { messages, error } = await runToEnd(q);
    expect(messages).toHaveLength(2);
    expect(error).toMatchObject({ code: 'NO_RESULT' });
  });

  it('with nothing asked of it: no error', async () => {
    const { q, cli } = play({ kind, prompt: [], steps: handshake() });
    expect(await runToEnd(q)).toEqual({ messages: [], error: undefined });
    expect(cli.lines()).toHaveLength(1);
  });
});

describe('a CLI that stays although its input ended', () => {
  useVirtualClock();
  const play = useScenes();

  it('is ended after ten seconds of silence, and the iteration ends', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [...handshake(), ...turn(), AWAIT_END, { do: 'ignoreEnd' }, HANG],
    });
    const ending = runToEnd(q);
    await elapse(0);
    expect(cli.sawEnd()).toBe(true);
    await elapse(9900);
    expect(cli.isGone()).toBe(false);
    const { messages, error } = await settleWithin(200, ending);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
  });

  it('is ended also when it minds no SIGTERM, and when it has said that it failed', async () => {
    const { q } = play({
      kind: 'memory',
      steps: [
        { do: 'ignoreTerm' },
        ...handshake(),
        expectLine('user'),
        emit(badResult()),
        AWAIT_END,
        { do: 'ignoreEnd' },
        HANG,
      ],
    });
    expect((await settleWithin(16_000, runToEnd(q))).error).toBeUndefined();
  });
});

describe.each(STAGES)('a CLI that closes its stdin (%s)', (kind) => {
  const play = useScenes();
  // Whatever is written next finds the pipe broken.
  const deaf: Step[] = [
    ...handshake(),
    expectLine('user'),
    emit(init(), assistant('half')),
    { do: 'closeInput' },
    mark('deaf'),
  ];

  it('is warned of, may finish what it writes, and its good result counts', async () => {
    const { q, cli, warnings } = play({
      kind,
      steps: [...deaf, ask('r', { subtype: 'nobody_answers_this' }), emit(result()), exit(0)],
    });
    const { messages, error } = await runToEnd(q);
    await cli.marked('deaf');
    expect(error).toBeUndefined();
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result']);
    // Whether the loss is noticed before the end is up to the operating system.
    expect(warnings.every(({ code }) => code === 'INPUT_BROKEN')).toBe(true);
  });
});

describe('a CLI process that closes its stdin', () => {
  const play = useScenes();

  it('is noticed at the next write', async () => {
    const { q, cli, warnings } = play({
      kind: 'process',
      steps: [...handshake(), expectLine('user'), { do: 'closeInput' }, mark('deaf'), HANG],
      options: { closeGraceMs: 10 },
    });
    await cli.marked('deaf');
    const request = outcomeOf(q.setModel('m'));
    await waitUntil(() => warnings.length > 0);
    expect(warnings).toMatchObject([
      { code: 'INPUT_BROKEN', error: { name: 'WireError', cause: { code: 'EPIPE' } } },
    ]);
    await q.close();
    expect(await request).toMatchObject({ error: { code: 'SESSION_CLOSED' } });
  });
});

describe('a CLI that closes its stdin and says nothing more', () => {
  useVirtualClock();
  const play = useScenes();

  it('is ended after five seconds, and judged as an exit', async () => {
    const { q, cli, warnings } = play({
      kind: 'memory',
      steps: [...handshake(), expectLine('user'), emit(init()), { do: 'closeInput' }, mark('deaf'), HANG],
    });
    const ending = runToEnd(q);
    await cli.marked('deaf');
    const request = outcomeOf(q.setModel('m'));
    await elapse(0);
    expect(warnings).toMatchObject([{ code: 'INPUT_BROKEN' }]);
    await elapse(4900);
    expect(cli.isGone()).toBe(false);
    const { messages, error } = await settleWithin(200, ending);
    expect(messages).toHaveLength(1);
    expect(error).toMatchObject({ code: 'PROCESS_KILLED', signal: 'SIGTERM', phase: 'running' });
    expect(await request).toEqual({ error });
  });

  it('has no longer when somebody closes the query meanwhile', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [...handshake(), expectLine('user'), { do: 'closeInput' }, mark('deaf'), HANG],
      options: { closeGraceMs: 100 },
    });
    await settleWithin(0, cli.marked('deaf'));
    void q.setModel('m');
    await elapse(0);
    await settleWithin(200, q.close());
    expect((await runToEnd(q)).error).toBeUndefined();
  });
});

describe.each(STAGES)('a CLI that closes its stdout and stays (%s)', (kind) => {
  const play = useScenes();

  it('is ended, and judged as an exit', async () => {
    const { q } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(init()),
        { do: 'ignoreEnd' },
        { do: 'closeOutput' },
        HANG,
      ],
    });
    const { messages, error } = await runToEnd(q);
    expect(messages).toHaveLength(1);
    expect(error).toBeInstanceOf(ProcessExitError);
    expect(error).toMatchObject({ code: 'PROCESS_KILLED', signal: 'SIGTERM', phase: 'running' });
    expect((error as Error).message).toContain('closed its output');
    const { cause } = error as Error;
    expect(cause).toBeInstanceOf(WireError);
    expect(cause).toMatchObject({ code: 'OUTPUT_BROKEN' });
  });

  it('after its good result is just one more noise', async () => {
    const { q } = play({
      kind,
      steps: [...handshake(), ...turn(), { do: 'ignoreEnd' }, { do: 'closeOutput' }, HANG],
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages).toHaveLength(3);
  });
});

describe('a handshake that is not answered', () => {
  useVirtualClock();
  const play = useScenes();

  it('in time is an error for everybody who waits', async () => {
    const { q } = play({
      kind: 'memory',
      steps: [expectLine('initialize'), HANG],
      options: { handshakeTimeoutMs: 3000 },
    });
    const initialized = outcomeOf(q.initializationResult());
    const { error } = await settleWithin(3100, runToEnd(q));
    expect(error).toBeInstanceOf(HandshakeError);
    expect(error).toMatchObject({
      code: 'HANDSHAKE_TIMEOUT',
      errorClass: 'initialize_timeout',
      phase: 'handshake',
      retryable: true,
    });
    expect(await initialized).toEqual({ error });
  });

  it('because the CLI waits for a hook of ours is not held against it', async () => {
    let finish: () => void = () => {};
    const { q, cli } = play({
      kind: 'memory',
      steps: [
        expectLine('initialize'),
        ask('h', hookCallback({ input: { hook_event_name: 'SessionStart' } })),
        answered('h'),
        { do: 'hang' },
      ],
      options: {
        handshakeTimeoutMs: 3000,
        hooks: {
          SessionStart: [{ hooks: [() => new Promise((resolve) => (finish = () => resolve({})))] }],
        },
      },
    });
    const ending = runToEnd(q);
    await elapse(20_000);
    finish();
    await elapse(2900);
    expect(cli.isGone()).toBe(false);
    const { error } = await settleWithin(200, ending);
    expect(error).toMatchObject({ code: 'HANDSHAKE_TIMEOUT' });
  });

  it('while messages flow only concerns those who ask for its answer, and does not hold the session open', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [
        expectLine('initialize'),
        expectLine('user'),
        emit(state('running'), init(), assistant('odd, but it works'), result(), state('idle')),
      ],
      options: { handshakeTimeoutMs: 3000 },
    });
    const initialized = outcomeOf(q.initializationResult());
    const ending = runToEnd(q);
    await elapse(2900);
    expect(cli.sawEnd()).toBe(false);
    const { messages, error } = await settleWithin(200, ending);
    expect(error).toBeUndefined();
    expect(messages).toHaveLength(3);
    expect((await initialized).error).toMatchObject({ code: 'HANDSHAKE_TIMEOUT' });
  });

  it('with no limit waits for ever', async () => {
    const { q, cli } = play({
      kind: 'memory',
      steps: [expectLine('initialize'), HANG],
      options: { handshakeTimeoutMs: 0 },
    });
    const ending = runToEnd(q);
    await elapse(10_000_000);
    expect(cli.isGone()).toBe(false);
    await settleWithin(100, q.close());
    expect((await ending).error).toBeUndefined();
  });
});

describe.each(STAGES)('a handshake that is refused (%s)', (kind) => {
  const play = useScenes();

  it('ends the session: without it no hook and no tool is in force', async () => {
    const { q } = play({
      kind,
      steps: [expectLine('initialize'), refuse('not today', 'bad_request'), HANG],
    });
    const initialized = outcomeOf(q.initializationResult());
    const { error } = await runToEnd(q);
    expect(error).toBeInstanceOf(HandshakeError);
    expect(error).toMatchObject({
      code: 'HANDSHAKE_REFUSED',
      errorClass: 'control_request_failed',
      phase: 'handshake',
    });
    expect((error as Error).message).toContain('not today');
    expect((error as Error).cause).toMatchObject({ errorCode: 'bad_request', subtype: 'initialize' });
    expect((await initialized).error).toMatchObject({ message: 'not today', errorCode: 'bad_request' });
  });

  const blocking = { PreToolUse: [{ hooks: [() => Promise.resolve({})], onFailure: 'block' as const }] };

  it.each([
    [{ hook_on_failure_supported: undefined }, /does not promise to honour it/],
    [{ hooks_applied: false }, /did not register the hooks/],
  ])('by %j where a hook must be honoured, before any message is written', async (more, text) => {
    const { q, cli } = play({ kind, steps: [...handshake(more), HANG], options: { hooks: blocking } });
    const initialized = outcomeOf(q.initializationResult());
    const { error } = await runToEnd(q);
    expect(error).toBeInstanceOf(HandshakeError);
    expect(error).toMatchObject({ code: 'HANDSHAKE_REFUSED', phase: 'handshake' });
    expect((error as Error).message).toMatch(text);
    expect(await initialized).toEqual({ error });
    expect(cli.received().filter(({ type }) => type === 'user')).toEqual([]);
  });

  it('is not so where the CLI promises to honour the hook: then the message goes out, after the answer', async () => {
    const { q, cli } = play({
      kind,
      steps: [expectLine('initialize'), mark('unanswered'), ...handshakeAnswer(), ...turn()],
      options: { hooks: blocking },
    });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages).toHaveLength(3);
    expect(cli.received().map(({ type }) => type)).toEqual(['control_request', 'user']);
  });
});

describe.each(STAGES)('a prompt that fails (%s)', (kind) => {
  const play = useScenes();

  it('gives the consumer its very error, whatever it is', async () => {
    for (const error of [new TypeError('source'), 'a string', null]) {
      const { q } = play({
        kind,
        prompt: failWith(error),
        steps: [...handshake(), expectLine('user'), HANG],
      });
      expect(await runToEnd(q)).toEqual({ messages: [], error: error ?? expect.any(InvalidOptionsError) });
    }
  });

  it('in streamInput() fails that call and the session alike', async () => {
    const error = new Error('fed');
    const { q } = play({ kind, steps: [...handshake(), expectLine('user'), HANG] });
    const fed = outcomeOf(q.streamInput(failWith(error)));
    expect(await runToEnd(q)).toEqual({ messages: [], error });
    expect(await fed).toEqual({ error });
  });

  it.each([
    [null, InvalidOptionsError],
    [{ type: 'user', message: { role: 'user', content: 1n } }, WireError],
  ])('by an item that cannot be sent says so, and is left properly', async (item, errorClass) => {
    let isCleanedUp = false;
    const source = async function* (): AsyncGenerator<never> {
      try {
        yield item as never;
      } finally {
        isCleanedUp = true;
      }
    };
    const { q } = play({ kind, prompt: source(), steps: [...handshake(), HANG] });
    const { error } = await runToEnd(q);
    expect(error).toBeInstanceOf(errorClass);
    expect(isCleanedUp).toBe(true);
  });
});

function handshakeAnswer(): Step[] {
  return handshake().slice(1);
}

async function* failWith(error: unknown): AsyncGenerator<string> {
  yield 'one';
  throw error;
}

async function* sleepForEver(): AsyncGenerator<string> {
  yield await new Promise<string>(() => {});
}
