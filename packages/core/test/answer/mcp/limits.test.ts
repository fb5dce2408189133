import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToolTimeoutError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { openSession, settle, textOf, type Reply } from './session-harness.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A tool whose calls are let go by hand, and a record of how many ran at once. */
function manual() {
  const state = { running: 0, peak: 0, order: [] as number[], release: new Map<number, () => void>() };
  const handler = async ({ n }: { n: number }) => {
    state.order.push(n);
    state.running += 1;
    state.peak = Math.max(state.peak, state.running);
    await new Promise<void>((resolve) => {
      state.release.set(n, resolve);
    });
    state.running -= 1;
    return n;
  };
  return { state, handler };
}

describe('timeoutMs', () => {
  it('is none by default: a handler may take days', async () => {
    const server = createSdkMcpServer({
      name: 's',
      tools: [
        tool('review', '', {}, async () => {
          await sleep(3 * 86_400_000);
          return 'approved';
        }),
      ],
    });
    const { call } = openSession({ s: server });
    const reply = call('review');
    await vi.advanceTimersByTimeAsync(3 * 86_400_000 - 1);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(textOf(await reply)).toBe('approved');
  });

  it('fails that call alone, naming tool and limit, and fires its signal', async () => {
    const reasons: unknown[] = [];
    const work = tool(
      'work',
      '',
      { ms: 'number' },
      async ({ ms }, { signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason));
        await sleep(ms);
        return ms;
      },
      { timeoutMs: 5000 },
    );
    const { call, events } = openSession({ s: createSdkMcpServer({ name: 's', tools: [work] }) });
    const replies = [1000, 4999, 6000, 20_000].map((ms) => call('work', { ms }));
    await vi.advanceTimersByTimeAsync(20_000);
    const [a, b, c, d] = await Promise.all(replies);
    expect([a, b].map((reply) => textOf(reply as Reply))).toEqual(['1000', '4999']);
    for (const late of [c, d]) {
      expect(late?.result?.isError).toBe(true);
      expect(textOf(late as Reply)).toMatch(/"work".*5000 ms/);
    }
    expect(reasons).toHaveLength(2);
    expect(reasons[0]).toBeInstanceOf(ToolTimeoutError);
    const errors = events.filter((event) => event.type === 'error');
    expect(errors.map(({ error }) => (error as ToolTimeoutError).limitMs)).toEqual([5000, 5000]);
    expect(errors.map(({ durationMs }) => durationMs)).toEqual([5000, 5000]);
  });

  it('of a server holds for tools without their own; Infinity takes it away', async () => {
    const slow = async () => {
      await sleep(2000);
      return 'done';
    };
    const tools = [
      tool('inherits', '', {}, slow),
      tool('longer', '', {}, slow, { timeoutMs: 3000 }),
      tool('free', '', {}, slow, { timeoutMs: Infinity }),
    ];
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools, timeoutMs: 1000 }) });
    const replies = tools.map(({ name }) => call(name));
    await vi.advanceTimersByTimeAsync(2000);
    const [inherits, longer, free] = await Promise.all(replies);
    expect(textOf(inherits as Reply)).toContain('1000 ms');
    expect([longer, free].map((reply) => textOf(reply as Reply))).toEqual(['done', 'done']);
  });
});

describe('concurrency', () => {
  it('lets so many in at a time, the others in the order they came', async () => {
    const { state, handler } = manual();
    const work = tool('work', '', { n: 'number' }, handler, { concurrency: 3 });
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [work] }) });
    const replies = Array.from({ length: 10 }, (_, n) => call('work', { n }));
    await settle();
    expect(state.order).toEqual([0, 1, 2]);
    for (const n of [2, 0, 1, 5, 3, 4, 6, 9, 8, 7]) {
      while (!state.release.has(n)) await Promise.resolve();
      state.release.get(n)?.();
      await settle();
    }
    expect((await Promise.all(replies)).map(textOf)).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
    expect(state.peak).toBe(3);
    expect(state.order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("'serial' is one at a time, over all sessions of the server", async () => {
    const { state, handler } = manual();
    const server = createSdkMcpServer({
      name: 's',
      tools: [tool('work', '', { n: 'number' }, handler, { concurrency: 'serial' })],
    });
    const [one, two] = [openSession({ s: server }), openSession({ s: server })];
    const replies = [0, 1, 2, 3].map((n) => (n % 2 === 0 ? one : two).call('work', { n }));
    for (const n of [0, 1, 2, 3]) {
      await settle();
      expect(state.order.at(-1)).toBe(n);
      state.release.get(n)?.();
    }
    await Promise.all(replies);
    expect(state.peak).toBe(1);
  });

  it('of a server counts all its tools together, and holds up no other server', async () => {
    const one = manual();
    const server = createSdkMcpServer({
      name: 's',
      concurrency: 2,
      tools: ['a', 'b', 'c'].map((name) => tool(name, '', { n: 'number' }, one.handler)),
    });
    const free = createSdkMcpServer({ name: 'f', tools: [tool('quick', '', {}, () => 'at once')] });
    const { call, ask } = openSession({ s: server, free });
    const replies = ['a', 'b', 'c'].map((name, n) => call(name, { n }));
    await settle();
    expect(one.state.order).toEqual([0, 1]);
    expect(textOf(await ask('tools/call', { name: 'quick' }, 'free'))).toBe('at once');
    one.state.release.get(1)?.();
    await settle();
    expect(one.state.order).toEqual([0, 1, 2]);
    one.state.release.get(0)?.();
    one.state.release.get(2)?.();
    await Promise.all(replies);
  });

  it('a call cancelled in the queue never runs, and its place goes to the next', async () => {
    const { state, handler } = manual();
    const work = tool('work', '', { n: 'number' }, handler, { concurrency: 1 });
    const { put } = openSession({ s: createSdkMcpServer({ name: 's', tools: [work] }) });
    const call = (n: number) =>
      put({ jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: 'work', arguments: { n } } });
    const replies = [call(0), call(1), call(2)];
    await settle();
    await put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await replies[1])?.result?.isError).toBe(true);
    state.release.get(0)?.();
    await settle();
    state.release.get(2)?.();
    expect((await Promise.all(replies)).map(textOf)).toEqual([
      '0',
      expect.stringContaining('cancelled'),
      '2',
    ]);
    expect(state.order).toEqual([0, 2]);
  });

  it('a handler that hangs past its limit gives its place back', async () => {
    const work = tool('work', '', { n: 'number' }, ({ n }) => (n === 0 ? new Promise(() => {}) : n), {
      concurrency: 'serial',
      timeoutMs: 100,
    });
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [work] }) });
    const replies = [call('work', { n: 0 }), call('work', { n: 1 })];
    await vi.advanceTimersByTimeAsync(100);
    const [hung, next] = await Promise.all(replies);
    expect(textOf(hung as Reply)).toContain('100 ms');
    expect(textOf(next as Reply)).toBe('1');
  });

  it('the wait in the queue does not count against the time limit', async () => {
    const work = tool(
      'work',
      '',
      {},
      async () => {
        await sleep(80);
        return 'ok';
      },
      { concurrency: 1, timeoutMs: 100 },
    );
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [work] }) });
    const replies = [call('work'), call('work'), call('work')];
    await vi.advanceTimersByTimeAsync(240);
    expect((await Promise.all(replies)).map(textOf)).toEqual(['ok', 'ok', 'ok']);
  });

  it('bad arguments do not wait in the queue', async () => {
    const { handler, state } = manual();
    const work = tool('work', '', { n: 'number' }, handler, { concurrency: 1 });
    const { call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [work] }) });
    const first = call('work', { n: 0 });
    await settle();
    expect((await call('work', { n: 'x' })).result?.isError).toBe(true);
    state.release.get(0)?.();
    await first;
  });
});

describe('retries', () => {
  const failing = (times: number) => {
    const runs: number[] = [];
    const handler = () => {
      runs.push(runs.length);
      if (runs.length <= times) throw new Error(`failure ${runs.length}`);
      return `after ${runs.length}`;
    };
    return { runs, handler };
  };

  it('tries again what threw, so often and no more', async () => {
    const twice = failing(2);
    const often = failing(9);
    const { call } = openSession({
      s: createSdkMcpServer({
        name: 's',
        tools: [
          tool.readOnly('twice', '', {}, twice.handler, { retries: 2 }),
          tool('often', '', {}, often.handler, { retries: 2, annotations: { idempotentHint: true } }),
        ],
      }),
    });
    expect(textOf(await call('twice'))).toBe('after 3');
    expect((await call('often')).result).toEqual({
      content: [{ type: 'text', text: 'failure 3' }],
      isError: true,
    });
    expect(often.runs).toHaveLength(3);
  });

  it('waits in between, asks which failures count, and stops when the call is over', async () => {
    const { runs, handler } = failing(1);
    const picky = failing(5);
    const { call, put } = openSession({
      s: createSdkMcpServer({
        name: 's',
        tools: [
          tool.readOnly('waits', '', {}, handler, { retries: { times: 3, delayMs: 1000 } }),
          tool.readOnly('picky', '', {}, picky.handler, { retries: { times: 3, when: () => false } }),
        ],
      }),
    });
    const reply = call('waits');
    await vi.advanceTimersByTimeAsync(999);
    expect(runs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(textOf(await reply)).toBe('after 2');
    await call('picky');
    expect(picky.runs).toHaveLength(1);

    runs.length = 0;
    const cancelled = put({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'waits' } });
    await settle();
    await put({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await cancelled).result?.isError).toBe(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(runs).toHaveLength(1);
  });

  it("of a server hold only for tools that say they may be repeated; bad arguments are nobody's second try", async () => {
    const safe = failing(1);
    const unsafe = failing(1);
    const { call } = openSession({
      s: createSdkMcpServer({
        name: 's',
        retries: 1,
        tools: [
          tool.readOnly('safe', '', {}, safe.handler),
          tool('unsafe', '', { n: 'number?' }, unsafe.handler),
        ],
      }),
    });
    expect(textOf(await call('safe'))).toBe('after 2');
    expect((await call('unsafe')).result?.isError).toBe(true);
    expect(unsafe.runs).toHaveLength(1);
  });
});

describe('the size of results', () => {
  it('is reported when the CLI will save the result to a file, by the limit that holds', async () => {
    const big = () => 'x'.repeat(60_000);
    const { call, warnings } = openSession({
      s: createSdkMcpServer({
        name: 's',
        tools: [
          tool('big', '', {}, big),
          tool('raised', '', {}, big, { maxResultChars: 100_000 }),
          tool('lowered', '', {}, () => 'x'.repeat(11), { maxResultChars: 10 }),
          tool('fits', '', {}, () => 'x'.repeat(40_000)),
        ],
      }),
    });
    for (const name of ['big', 'raised', 'lowered', 'fits']) {
      expect((await call(name)).result?.isError).toBeUndefined();
    }
    expect(warnings.map(({ code, tool: name }) => [code, name])).toEqual([
      ['TOOL_RESULT_TO_FILE', 'big'],
      ['TOOL_RESULT_TO_FILE', 'lowered'],
    ]);
    expect(warnings[0]?.message).toMatch(/60000 characters/);
  });
});
