// Every row of the first table of docs/endings.md.
import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { AbortError, SessionClosedError } from '../../src/errors.js';
import { createQuery } from '../../src/verbs/query/query.js';
import { isRunning } from '../../../../test/support/is-running.js';
import { outcomeOf, runToEnd, useScenes, type Scene } from '../../../../test/support/scene.js';
import { STAGES } from '../../../../test/support/scripted-cli.js';
import {
  AWAIT_END,
  HANG,
  assistant,
  emit,
  exit,
  expectLine,
  handshake,
  init,
  mark,
  reply,
  result,
  state,
  turn,
  type Step,
} from '../../../../test/support/steps.js';
import { settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';
import { waitUntil } from '../../../../test/support/wait-until.js';

/** The turn has begun and continues until it is ended. */
const WORKING: Step[] = [
  ...handshake(),
  expectLine('user'),
  emit(state('running'), init(), assistant('one'), assistant('two')),
  HANG,
];
/** For tests in which the child is to leave by itself, however loaded the machine is. */
const PATIENT = { closeGraceMs: 15_000 };
const STUBBORN: Step[] = [{ do: 'ignoreEnd' }, { do: 'ignoreTerm' }, ...WORKING];

describe('an interrupt', () => {
  const play = useScenes();
  const AT_RESULT: Step[] = [...handshake(), expectLine('user'), emit(state('running'), init(), result())];

  it.each<[string, Step[], string, number]>([
    ['is sent to a CLI that is left in a turn', WORKING, 'assistant', 1],
    ['is not sent to one that is left at its result', AT_RESULT, 'result', 0],
    ['is not sent to one that is left at its result and is idle', [...handshake(), ...turn()], 'result', 0],
    [
      'is sent to one that is left at its result with background work under way',
      [
        ...handshake(),
        expectLine('user'),
        emit({ type: 'system', subtype: 'task_started', task_id: 'a1', task_type: 'local_agent' }),
        emit(init(), result()),
      ],
      'result',
      1,
    ],
  ])('%s', async (_, steps, until, count) => {
    const { q, cli } = play({ kind: 'memory', steps });
    for await (const message of q) if (message.type === until) break;
    expect(cli.requests('interrupt')).toHaveLength(count);
    expect(cli.sawEnd()).toBe(true);
  });
});

describe.each(STAGES)('leaving the loop (%s)', (kind) => {
  const play = useScenes();

  const LEAVING: Array<[string, (scene: Scene) => Promise<unknown>]> = [
    [
      'by break',
      async ({ q }) => {
        for await (const message of q) if (message.type === 'assistant') break;
      },
    ],
    [
      'by return',
      async ({ q }) => {
        await q.next();
        expect(await q.return()).toEqual({ done: true, value: undefined });
      },
    ],
    [
      'by the end of an await using block',
      async ({ q }) => {
        await q.next();
        await q[Symbol.asyncDispose]();
      },
    ],
  ];

  it.each(LEAVING)('%s ends the input and waits until the child is gone', async (_, leave) => {
    const scene = play({ kind, steps: WORKING, options: PATIENT });
    await leave(scene);
    expect(scene.cli.isGone()).toBe(true);
    expect(scene.cli.sawEnd()).toBe(true);
    expect(await scene.q.next()).toEqual({ done: true, value: undefined });
    expect(scene.warnings).toEqual([]);
  });

  it('by a throw in its body passes that error on, and it alone', async () => {
    const error = new Error('mine');
    const { q, cli } = play({ kind, steps: WORKING });
    const loop = async (): Promise<void> => {
      for await (const _message of q) throw error;
    };
    expect(await outcomeOf(loop())).toEqual({ error });
    expect(cli.isGone()).toBe(true);
  });

  it('before the first message, when nobody ever iterated, is leaving too', async () => {
    const { q, cli } = play({ kind, steps: WORKING });
    await q.return();
    expect(cli.isGone()).toBe(true);
  });

  it('of a CLI that minds neither end of input nor SIGTERM ends it all the same', async () => {
    const { q, cli } = play({
      kind,
      steps: STUBBORN,
      options: { closeGraceMs: 10, killGraceMs: 20 },
    });
    for await (const message of q) if (message.type === 'assistant') break;
    expect(cli.isGone()).toBe(true);
  });
});

describe.each(STAGES)('close() (%s)', (kind) => {
  const play = useScenes();

  it('ends the iteration without an error, and resolves when the child is gone', async () => {
    const { q, cli } = play({ kind, steps: WORKING });
    await q.next();
    const [ending] = await Promise.all([runToEnd(q), q.close()]);
    expect(ending.error).toBeUndefined();
    expect(cli.isGone()).toBe(true);
    await q.close();
  });

  it('settles what is open, with an error that says so', async () => {
    const { q, cli } = play({ kind, steps: [expectLine('initialize'), mark('asked'), HANG] });
    const waiting = [q.next(), q.next()];
    const open = [q.initializationResult(), q.setModel('m'), q.streamInput(sleepForEver())];
    await cli.marked('asked');
    await q.close();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ done: true, value: undefined })));
    for (const promise of open) {
      const { error } = await outcomeOf(promise);
      expect(error).toBeInstanceOf(SessionClosedError);
      expect(error).toMatchObject({ code: 'SESSION_CLOSED', phase: 'shutdown' });
    }
  });

  it('at once starts nothing', async () => {
    const { q, cli } = play({ kind, steps: WORKING });
    await q.close();
    expect(cli.isGone()).toBe(true);
    expect(cli.lines()).toEqual([]);
    expect(q.pid).toBeUndefined();
    expect(await q.next()).toEqual({ done: true, value: undefined });
    const { error } = await outcomeOf(q.streamInput('more'));
    expect(error).toBeInstanceOf(SessionClosedError);
  });

  it('after the end changes nothing', async () => {
    const { q } = play({ kind, steps: [...handshake(), ...turn()] });
    expect((await runToEnd(q)).error).toBeUndefined();
    await q.close();
    await q.return();
    expect(await q.next()).toEqual({ done: true, value: undefined });
  });
});

describe.each(STAGES)('throw() (%s)', (kind) => {
  const play = useScenes();

  it('rejects with that error, and ends the child as leaving does', async () => {
    const error = { any: 'value' };
    const { q, cli } = play({ kind, steps: WORKING, options: PATIENT });
    await q.next();
    expect(await outcomeOf(q.throw(error))).toEqual({ error });
    expect(cli.isGone()).toBe(true);
    expect(cli.sawEnd()).toBe(true);
    expect(await q.next()).toEqual({ done: true, value: undefined });
  });
});

describe.each(STAGES)('abort() (%s)', (kind) => {
  const play = useScenes();

  it('makes the iteration reject with the reason as cause; control requests are told as well', async () => {
    const abortController = new AbortController();
    const { q, cli } = play({
      kind,
      steps: [...WORKING.slice(0, -1), expectLine('set_model'), mark('asked'), HANG],
      options: { abortController },
    });
    const request = q.setModel('m');
    const input = q.streamInput(sleepForEver());
    const ending = runToEnd(q);
    await cli.marked('asked');
    const reason = { enough: true };
    abortController.abort(reason);
    const { messages, error } = await ending;
    expect(messages).toHaveLength(3);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', phase: 'running', retryable: false });
    expect((error as Error).cause).toBe(reason);
    for (const promise of [request, input]) {
      expect(await outcomeOf(promise)).toMatchObject({ error: { code: 'SESSION_CLOSED' } });
    }
    expect(((await outcomeOf(request)).error as Error).cause).toBe(reason);
    expect(cli.isGone()).toBe(true);
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
    // The handshake was answered, and its answer is still to be had.
    await expect(q.initializationResult()).resolves.toMatchObject({ output_style: 'default' });
  });

  it('is felt soon even by a CLI that minds nothing', async () => {
    const abortController = new AbortController();
    const { q, cli } = play({ kind, steps: STUBBORN, options: { abortController, killGraceMs: 10 } });
    await q.next();
    abortController.abort();
    expect((await runToEnd(q)).error).toBeInstanceOf(AbortError);
    expect(cli.isGone()).toBe(true);
  });

  it('before the start means that nothing is started', async () => {
    const reason = new Error('too late');
    const abortController = new AbortController();
    abortController.abort(reason);
    const { q, cli } = play({ kind, steps: WORKING, options: { abortController } });
    const { messages, error } = await runToEnd(q);
    expect(messages).toEqual([]);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ code: 'ABORTED', phase: 'launch', cause: reason });
    expect(cli.starts).toBe(0);
    expect(await outcomeOf(q.initializationResult())).toMatchObject({ error: { code: 'ABORTED' } });
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
  });

  it('after close() does not turn a clean end into an error', async () => {
    const abortController = new AbortController();
    const { q } = play({ kind, steps: WORKING, options: { abortController } });
    await q.next();
    const closed = q.close();
    abortController.abort();
    expect((await runToEnd(q)).error).toBeUndefined();
    await closed;
  });
});

describe.each(STAGES)('a turn under way (%s)', (kind) => {
  const play = useScenes();

  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    ['close()', ({ q }) => q.close()],
    ['leaving the loop', ({ q }) => q.return()],
  ])('is interrupted by %s before the input ends', async (_, end) => {
    const scene = play({ kind, steps: WORKING, options: PATIENT });
    await scene.q.next();
    await end(scene);
    expect(scene.cli.requests('interrupt')).toEqual([{ subtype: 'interrupt' }]);
    expect(scene.cli.received().at(-1)).toMatchObject({ request: { subtype: 'interrupt' } });
    expect(scene.cli.sawEnd()).toBe(true);
  });

  it('is none before the handshake is answered, nor when the input has ended', async () => {
    const early = play({ kind, steps: [expectLine('initialize'), mark('here'), HANG] });
    await early.cli.marked('here');
    await early.q.close();
    expect(early.cli.requests('interrupt')).toEqual([]);
    const late = play({
      kind,
      steps: [...handshake(), ...turn(), AWAIT_END, { do: 'ignoreEnd' }, mark('ended'), HANG],
      options: { closeGraceMs: 10 },
    });
    await late.cli.marked('ended');
    await late.q.close();
    expect(late.cli.requests('interrupt')).toEqual([]);
  });
});

describe('a turn under way', () => {
  const play = useScenes();

  it('is interrupted by abort(), too', async () => {
    const abortController = new AbortController();
    const { q, cli } = play({ kind: 'memory', steps: WORKING, options: { abortController } });
    await q.next();
    abortController.abort();
    await runToEnd(q);
    expect(cli.requests('interrupt')).toEqual([{ subtype: 'interrupt' }]);
    expect(cli.sawEnd()).toBe(true);
  });
});

describe('one abort controller for fifty queries', () => {
  const play = useScenes();

  it('gives each its end, makes no warning, and has no listener left', async () => {
    const abortController = new AbortController();
    const { signal } = abortController;
    const scenes = Array.from({ length: 50 }, () =>
      play({ kind: 'memory', steps: WORKING, options: { abortController } }),
    );
    await Promise.all(scenes.map(({ q }) => q.next()));
    const requests = scenes.map(({ q }) => outcomeOf(q.request('mcp_status', {}, { signal })));
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(10);
    await scenes[0]?.q.close();
    abortController.abort('all');
    const endings = await Promise.all(scenes.slice(1).map(({ q }) => runToEnd(q)));
    for (const { error } of endings) expect(error).toMatchObject({ code: 'ABORTED', cause: 'all' });
    for (const { error } of await Promise.all(requests)) expect(error).toBeInstanceOf(Error);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('one after another, which end in every way, leaves only the listeners of others', async () => {
    const abortController = new AbortController();
    const { signal } = abortController;
    const keep = (): void => {};
    signal.addEventListener('abort', keep);
    const ways: [Step[], (q: Scene['q']) => unknown][] = [
      [[...handshake(), ...turn()], (q) => runToEnd(q)],
      [[...handshake(), exit(1)], (q) => runToEnd(q)],
      [[exit(1)], (q) => outcomeOf(q.initializationResult())],
      [WORKING, (q) => q.close()],
      [WORKING, async (q) => [await q.next(), await q.return()]],
    ];
    for (let count = 0; count < 50; count += 1) {
      const [steps, end] = ways[count % ways.length] as (typeof ways)[number];
      const { q } = play({ kind: 'memory', steps, options: { abortController } });
      expect(getEventListeners(signal, 'abort')).toHaveLength(2);
      await end(q);
      await q.close();
      expect(getEventListeners(signal, 'abort')).toEqual([keep]);
    }
  });

  it('which end by themselves leaves no listener either', async () => {
    const abortController = new AbortController();
    const scenes = Array.from({ length: 50 }, () =>
      play({ kind: 'memory', steps: [...handshake(), ...turn()], options: { abortController } }),
    );
    const endings = await Promise.all(scenes.map(({ q }) => runToEnd(q)));
    expect(endings.every(({ error }) => error === undefined)).toBe(true);
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
  });
});

describe.each(STAGES)('interrupt() (%s)', (kind) => {
  const play = useScenes();

  it('ends the turn and not the session', async () => {
    const interrupted = result({
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_tools',
      errors: ['stopped'],
    });
    const { q } = play({
      kind,
      steps: [
        ...handshake(),
        expectLine('user'),
        emit(state('running'), init(), assistant('working')),
        expectLine('interrupt'),
        reply({ still_queued: [] }),
        emit(interrupted, state('idle')),
        AWAIT_END,
        // The CLI leaves so after an interrupt.
        exit(1),
      ],
    });
    for (let step = await q.next(); !step.done && step.value.type !== 'assistant';) step = await q.next();
    expect(await q.interrupt()).toEqual({ still_queued: [] });
    const { messages, error } = await runToEnd(q);
    expect(error).toBeUndefined();
    expect(messages).toMatchObject([{ type: 'result', terminal_reason: 'aborted_tools' }]);
  });
});

describe('the steps of an ending, by the clock', () => {
  useVirtualClock();
  const play = useScenes();

  async function timeOf(end: Promise<unknown>): Promise<number> {
    const start = performance.now();
    await settleWithin(60_000, end);
    return Math.round((performance.now() - start) / 50) * 50;
  }

  it('are 2 s to SIGTERM and 5 s more to SIGKILL', async () => {
    const term = play({ kind: 'memory', steps: [{ do: 'ignoreEnd' }, ...WORKING] });
    await settleWithin(0, term.q.next());
    expect(await timeOf(term.q.close())).toBe(2000);
    const kill = play({ kind: 'memory', steps: STUBBORN });
    await settleWithin(0, kill.q.next());
    expect(await timeOf(kill.q.return())).toBe(7000);
  });

  it('are 250 ms to SIGTERM after an abort', async () => {
    for (const [steps, ms] of [
      [[{ do: 'ignoreEnd' }, ...WORKING], 250],
      [STUBBORN, 5250],
    ] as Array<[Step[], number]>) {
      const abortController = new AbortController();
      const { q } = play({ kind: 'memory', steps, options: { abortController } });
      await settleWithin(0, q.next());
      abortController.abort();
      expect(await timeOf(runToEnd(q))).toBe(ms);
    }
  });

  it('are hurried by an abort after close(), and never slowed by a second call', async () => {
    const abortController = new AbortController();
    const { q } = play({
      kind: 'memory',
      steps: [{ do: 'ignoreEnd' }, ...WORKING],
      options: { abortController, closeGraceMs: 30_000 },
    });
    await settleWithin(0, q.next());
    const closed = q.close();
    abortController.abort();
    void q.close();
    expect(await timeOf(closed)).toBe(250);
  });

  it('follow the options', async () => {
    const { q } = play({
      kind: 'memory',
      steps: STUBBORN,
      options: { closeGraceMs: 300, killGraceMs: 400 },
    });
    await settleWithin(0, q.next());
    expect(await timeOf(q.close())).toBe(700);
  });
});

describe('processes that the CLI started', () => {
  const play = useScenes();
  const started: number[] = [];
  afterEach(() => {
    for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });

  it.each([
    ['closing', WORKING],
    ['killing', STUBBORN],
  ])('are gone after %s it', async (_, steps) => {
    const { q, cli } = play({
      kind: 'process',
      steps: [{ do: 'grandchild' }, ...steps],
      options: { closeGraceMs: 10, killGraceMs: 10 },
    });
    await q.next();
    started.push(...cli.grandchildren());
    expect(started).toHaveLength(1);
    await q.close();
    await waitUntil(() => started.every((pid) => !isRunning(pid)));
  });
});

describe('a launch that takes its time', () => {
  it.each(['close', 'abort'] as const)(
    'does not hold up %s(), and what it gives is discarded',
    async (how) => {
      let launched: (value: never) => void = () => {};
      let opened = 0;
      let discarded = 0;
      const abortController = new AbortController();
      const q = createQuery({
        prompt: 'hi',
        options: { abortController },
        launch: () => new Promise((resolve) => (launched = resolve as typeof launched)),
      });
      const ending = runToEnd(q);
      if (how === 'close') await q.close();
      else abortController.abort();
      const { error } = await ending;
      expect(error === undefined ? undefined : (error as AbortError).code).toBe(
        how === 'close' ? undefined : 'ABORTED',
      );
      launched({
        transport: {
          open: () => {
            opened += 1;
          },
          terminate: () => Promise.resolve(),
        },
        initialize: {},
        warnings: [],
        discard: () => {
          discarded += 1;
          throw new Error('cannot be removed');
        },
      } as never);
      await new Promise((resolve) => setImmediate(resolve));
      expect([opened, discarded]).toEqual([0, 1]);
    },
  );
});

async function* sleepForEver(): AsyncGenerator<string> {
  yield await new Promise<string>(() => {});
}
