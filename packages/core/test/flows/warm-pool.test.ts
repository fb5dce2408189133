// A pool of warm CLIs: what is taken, what is started in its place, what is thrown away, and what fails.
import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AbortError,
  ControlRequestError,
  InvalidOptionsError,
  SessionClosedError,
} from '../../src/errors.js';
import type { InboardWarning } from '../../src/options/check/warning.js';
import type { SessionStore } from '../../src/wire/protocol/config/session-store.js';
import type { Launch } from '../../src/live/launch.js';
import {
  createPool,
  createWarmPool,
  type WarmPool,
  type WarmPoolInput,
} from '../../src/verbs/fleet/warm-pool.js';
import { createDeferred } from '../../src/util/deferred.js';
import { outcomeOf, runToEnd } from '../../../../test/support/scene.js';
import { stageTroupe, type Troupe } from '../../../../test/support/session-scene.js';
import {
  emit,
  expectLine,
  handshake,
  HANG,
  mark,
  refuse,
  reply,
  turn,
  type Step,
} from '../../../../test/support/steps.js';
import { elapse, settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';
import { watchHost, type HostWatch } from '../../../../test/support/watch-host.js';

const KILL: Step = { do: 'kill', signal: 'SIGKILL' };
const willing = (text = 'hello'): Step[] => [...handshake(), ...turn(text)];

describe('a warm pool', () => {
  const pools: WarmPool[] = [];
  const troupes: Troupe[] = [];
  let host: HostWatch | undefined;
  let warnings: InboardWarning[] = [];
  useVirtualClock();
  beforeEach(() => {
    warnings = [];
    host = watchHost();
  });
  afterEach(async () => {
    for (const pool of pools.splice(0)) await settleWithin(60_000, pool.close());
    await host?.expectClean();
    host?.stop();
    for (const troupe of troupes.splice(0)) {
      expect(troupe.clis.slice(0, troupe.starts.length).every((cli) => cli.isGone())).toBe(true);
      await troupe.dispose();
    }
  });

  function fill(
    scripts: readonly (readonly Step[])[],
    input: WarmPoolInput = {},
  ): { pool: WarmPool } & Troupe {
    const troupe = stageTroupe(scripts);
    troupes.push(troupe);
    return { ...troupe, pool: open(troupe.launch, input) };
  }

  function open(launch: Launch, input: WarmPoolInput = {}): WarmPool {
    const onWarning = (warning: InboardWarning): number => warnings.push(warning);
    const pool = createPool({ ...input, options: { onWarning, ...input.options }, launch });
    pools.push(pool);
    return pool;
  }

  it('answers with a CLI that was ready, and starts another', async () => {
    const { pool, clis, starts } = fill([willing('one'), willing('two'), willing('three')], { size: 2 });
    await pool.ready();
    expect(pool.stats()).toMatchObject({ ready: 2, starting: 0 });
    const query = pool.query({ prompt: 'hi' });
    expect(pool.stats()).toMatchObject({ ready: 1, starting: 1, warm: 1, cold: 0 });
    const { messages, error } = await runToEnd(query);
    expect(error).toBeUndefined();
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    expect(clis[0]?.received().map(({ type }) => type)).toEqual(['control_request', 'user']);
    await pool.ready();
    expect(starts).toHaveLength(3);
  });

  it('starts no CLI in the async context of another query', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const troupe = stageTroupe([willing('one'), willing('two'), willing('three')]);
    troupes.push(troupe);
    const pool = open((input) => {
      seen.push(request.getStore());
      return troupe.launch(input);
    });
    await pool.ready();
    await request.run('first', () => runToEnd(pool.query({ prompt: 'hi' })));
    await pool.ready();
    expect(seen).toEqual([undefined, undefined]);
  });

  it('starts a CLI for a query that finds none ready', async () => {
    const { pool } = fill([[expectLine('initialize'), HANG], willing('cold')]);
    const { messages } = await runToEnd(pool.query({ prompt: 'hi' }));
    expect(messages.at(-1)).toMatchObject({ type: 'result' });
    expect(pool.stats()).toMatchObject({ cold: 1, warm: 0, starting: 1 });
  });

  it('tells a warm CLI what can still be told, before the prompt', async () => {
    const { pool, clis } = fill([
      [
        ...handshake(),
        expectLine('set_model'),
        reply({}),
        expectLine('set_permission_mode'),
        reply({}),
        ...turn(),
      ],
      handshake(),
    ]);
    await pool.ready();
    const { error } = await runToEnd(
      pool.query({ prompt: 'hi', options: { model: 'opus', permissionMode: 'plan' } }),
    );
    expect(error).toBeUndefined();
    const lines = clis[0]
      ?.received()
      .map(({ type, request }) => (request as { subtype?: string })?.subtype ?? type);
    expect(lines).toEqual(['initialize', 'set_model', 'set_permission_mode', 'user']);
  });

  it('ends a query whose wish is refused with the refusal', async () => {
    const { pool } = fill([[...handshake(), expectLine('set_model'), refuse('no such model')], handshake()]);
    await pool.ready();
    const { error } = await settleWithin(
      10_000,
      runToEnd(pool.query({ prompt: 'hi', options: { model: 'x' } })),
    );
    expect(error).toBeInstanceOf(ControlRequestError);
  });

  it('refuses options that come too late, by name, and takes the same ones again', async () => {
    const hooks = { Stop: [] };
    const { pool } = fill([willing(), handshake()], {
      options: { cwd: '/', hooks, settingSources: ['user'] },
    });
    await pool.ready();
    const wrong = (): unknown =>
      pool.query({ prompt: 'hi', options: { cwd: '/usr', maxTurns: 3, model: 'x' } });
    expect(wrong).toThrow(InvalidOptionsError);
    expect(wrong).toThrow(expect.objectContaining({ options: ['cwd', 'maxTurns'] }) as Error);
    expect(() => pool.query({ prompt: 5 as never })).toThrow(InvalidOptionsError);
    expect(pool.stats().ready).toBe(1);
    const same = { cwd: '/', hooks, settingSources: ['user'] } as const;
    const { error } = await runToEnd(
      pool.query({ prompt: 'hi', options: { ...same, settingSources: [...same.settingSources] } }),
    );
    expect(error).toBeUndefined();
  });

  it('ends a query with the abort of its own controller', async () => {
    const { pool } = fill([[...handshake(), expectLine('user'), HANG], handshake()]);
    await pool.ready();
    const abortController = new AbortController();
    const ending = runToEnd(pool.query({ prompt: 'hi', options: { abortController } }));
    abortController.abort();
    expect((await settleWithin(10_000, ending)).error).toBeInstanceOf(AbortError);
  });

  it('leaves no listener on the signal of its queries, however they end and wherever their CLI is from', async () => {
    const abortController = new AbortController();
    const { signal } = abortController;
    const options = { abortController };
    const { pool } = fill([
      willing('warm'),
      [...handshake(), expectLine('user'), KILL],
      [...handshake(), expectLine('user'), HANG],
      [expectLine('initialize'), HANG],
      willing('cold'),
    ]);
    for (let count = 0; count < 3; count += 1) {
      await settleWithin(10_000, pool.ready());
      const query = pool.query({ prompt: 'hi', options });
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      if (count === 2) void query.close();
      await settleWithin(10_000, runToEnd(query));
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    }
    const cold = pool.query({ prompt: 'hi', options });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await settleWithin(10_000, runToEnd(cold));
    expect(pool.stats()).toMatchObject({ warm: 3, cold: 1 });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('notices at once that one died, says so, and starts another', async () => {
    const { pool, starts } = fill([[...handshake(), expectLine('mcp_status'), KILL], handshake()], {
      healthCheck: { everyMs: 1000 },
    });
    await pool.ready();
    await elapse(1000);
    await settleWithin(100, pool.ready());
    expect(starts).toHaveLength(2);
    expect(pool.stats()).toMatchObject({ ready: 1, discarded: 1 });
    expect(warnings).toHaveLength(1);
  });

  it('replaces one that does not answer the check, and keeps one that does', async () => {
    const answers = [expectLine('mcp_status'), reply({ mcpServers: [] })];
    const { pool, starts } = fill(
      [[...handshake(), ...answers, expectLine('mcp_status'), HANG], handshake()],
      {
        healthCheck: { everyMs: 1000, timeoutMs: 500 },
      },
    );
    await pool.ready();
    await elapse(1900);
    expect(pool.stats()).toMatchObject({ ready: 1, discarded: 0 });
    await elapse(700);
    await settleWithin(100, pool.ready());
    expect([starts.length, pool.stats().discarded]).toEqual([2, 1]);
    expect(warnings).toMatchObject([{ code: 'CONTROL_TIMEOUT' }]);
  });

  it('replaces one that grew too old', async () => {
    const { pool, clis, starts } = fill([handshake(), handshake()], { maxAgeMs: 5000, healthCheck: false });
    await pool.ready();
    await elapse(4900);
    expect(starts).toHaveLength(1);
    await elapse(200);
    await settleWithin(100, pool.ready());
    expect(clis[0]?.isGone()).toBe(true);
    expect(pool.stats()).toMatchObject({ ready: 1, discarded: 1 });
    expect(warnings).toEqual([]);
  });

  it('waits longer after each failure, tells everybody, and recovers', async () => {
    const starts: number[] = [];
    const troupe = stageTroupe([handshake(), willing()]);
    troupes.push(troupe);
    const pool = open(
      (input) => {
        starts.push(performance.now());
        return starts.length <= 3 ? Promise.reject(new Error('no luck')) : troupe.launch(input);
      },
      { backoffMs: 100 },
    );
    expect((await outcomeOf(pool.ready())).error).toMatchObject({ message: 'no luck' });
    expect((await outcomeOf(pool.ready())).error).toMatchObject({ message: 'no luck' });
    expect(pool.stats()).toMatchObject({ failures: 1, starting: 0, lastError: { message: 'no luck' } });
    const { error } = await runToEnd(pool.query({ prompt: 'hi' }));
    expect(error).toMatchObject({ message: 'no luck' });
    await elapse(1000);
    expect(pool.stats()).toMatchObject({ ready: 1, failures: 2, lastError: undefined });
    const [first = 0, , second = 0, third = 0] = starts;
    expect([second - first, third - second]).toEqual([100, 200]);
    expect(warnings.map(({ message }) => message)).toEqual(['no luck', 'no luck']);
  });

  it('failures side by side are one failure', async () => {
    const launch: Launch = () => Promise.reject(new Error('no luck'));
    const pool = open(launch, { size: 3, backoffMs: 100 });
    await elapse(50);
    expect(pool.stats()).toMatchObject({ failures: 3, starting: 0 });
    await elapse(100);
    expect(pool.stats().failures).toBe(6);
  });

  it('closes: what waits, what is starting, and what is put off', async () => {
    const { pool, clis } = fill([handshake(), [expectLine('initialize'), mark('asked'), HANG]], { size: 2 });
    await clis[1]?.marked('asked');
    const full = outcomeOf(pool.ready());
    const closing = pool.close();
    expect(() => pool.query({ prompt: 'hi' })).toThrow(SessionClosedError);
    expect((await outcomeOf(pool.ready())).error).toBeInstanceOf(SessionClosedError);
    expect((await full).error).toBeInstanceOf(SessionClosedError);
    await settleWithin(3_000, closing);
    expect(pool.stats()).toMatchObject({ ready: 0, starting: 0 });
  });
});

describe('a warm pool at its limits', () => {
  useVirtualClock();

  it('starts nothing while it is closed', async () => {
    const troupe = stageTroupe([handshake(), handshake(), handshake(), handshake()]);
    const pool = createPool({ size: 2, launch: troupe.launch });
    await pool.ready();
    await settleWithin(10_000, pool.close());
    expect([troupe.starts.length, pool.stats().starting]).toEqual([2, 0]);
    await troupe.dispose();
  });

  it('keeps a CLI of any age, and does not ask it without end, where the limits are endless', async () => {
    const troupe = stageTroupe([handshake(), handshake()]);
    const endless = { maxAgeMs: Infinity, healthCheck: { everyMs: Infinity, timeoutMs: Infinity } };
    const pool = createPool({ ...endless, launch: troupe.launch });
    await pool.ready();
    await elapse(60_000);
    expect([troupe.starts.length, pool.stats().discarded]).toEqual([1, 0]);
    expect(troupe.clis[0]?.requests('mcp_status')).toEqual([]);
    await settleWithin(10_000, pool.close());
    await troupe.dispose();
  });

  it('gives no query a CLI that is on its way out', async () => {
    const stored = createDeferred<void>();
    const store: SessionStore = { append: () => stored.promise, load: () => Promise.resolve(null) };
    const mirrored = {
      type: 'transcript_mirror',
      filePath: '/home/x/.claude/projects/-x/00000000-0000-4000-8000-000000000001.jsonl',
    };
    const troupe = stageTroupe([
      [...handshake(), emit({ ...mirrored, entries: [{ type: 'user' }] }), mark('kept'), KILL],
      willing('other'),
      willing('third'),
    ]);
    const pool = createPool({ options: { sessionStore: store, onWarning: () => {} }, launch: troupe.launch });
    await pool.ready();
    await troupe.clis[0]?.marked('kept');
    await elapse(100);
    const query = pool.query({ prompt: 'hi' });
    expect(pool.stats()).toMatchObject({ warm: 0, cold: 1 });
    stored.resolve();
    await settleWithin(10_000, Promise.all([query.close(), pool.close()]));
    await troupe.dispose();
  });
});

describe('createWarmPool', () => {
  it('refuses what no pool can be made of', () => {
    const refused: WarmPoolInput[] = [
      { size: 0 },
      { size: 1.5 },
      { maxAgeMs: -1 },
      { backoffMs: NaN },
      { healthCheck: { everyMs: -1 } },
      { healthCheck: { timeoutMs: 0 } },
      { options: { sessionId: '00000000-0000-4000-8000-000000000001' } },
      { options: { resume: 'x' } },
      { options: { abortController: new AbortController() } },
      { options: { model: 5 as never } },
      { options: { transport: {} as never } },
    ];
    for (const input of refused) expect(() => createWarmPool(input)).toThrow(InvalidOptionsError);
  });
});
