// A transport on which things go wrong by chance: what it does, that it does it again, and that no query is
// ever left hanging by it.
import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { NEWEST_VERSION } from '@inboard/core/options/supported-versions.js';
import {
  AbortError,
  createSdkMcpServer,
  InboardError,
  query,
  tool,
  type SDKMessage,
} from '@inboard/inboard/index.js';
import {
  chaosTransport,
  createFakeCli,
  describeTransport,
  endTurn,
  type ChaosEvent,
  type ChaosOptions,
  type TransportPeer,
} from '@inboard/inboard/testing.js';
import { say, think, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createMemoryTransport } from '@inboard/core/wire/transport/memory-transport.js';
import type { Transport } from '@inboard/core/wire/transport/transport.js';
import { TransportLog } from '../../../../test/support/transport-log.js';
import { settleWithin, useVirtualClock } from '../../../../test/support/virtual-clock.js';

const LINES = Array.from({ length: 200 }, (_, index) => `line ${index}`);
const soon = (run: () => void): void => void setImmediate(run);

function createEcho({ manner }: Pick<TransportPeer, 'manner'> = { manner: 'obedient' }): Transport {
  const { transport, peer } = createMemoryTransport({
    leavesAtEndOfInput: manner === 'obedient',
    ignoresTerm: manner === 'stubborn',
  });
  peer.onLine((line) => peer.send(line));
  if (manner !== 'obedient') peer.send('ready');
  return transport;
}

async function echo(options: ChaosOptions): Promise<{ log: TransportLog; events: readonly ChaosEvent[] }> {
  const transport = chaosTransport(createEcho(), { schedule: soon, ...options });
  const log = TransportLog.open(transport);
  for (const line of LINES) if (!transport.write(line)) await transport.drained();
  transport.endInput();
  await log.end;
  return { log, events: transport.log };
}

describeTransport(
  'a chaotic transport that only takes its time',
  (peer) => chaosTransport(createEcho(peer), { seed: 1, stall: 0.3, schedule: soon }),
  { describe, it },
);

describe('chaosTransport', () => {
  it('is late, and loses nothing', async () => {
    const { log, events } = await echo({ seed: 7 });
    expect(log.lines).toEqual(LINES);
    expect(new Set(events.map(({ fault }) => fault))).toEqual(new Set(['delay', 'stall']));
    expect(new Set(events.map(({ direction }) => direction))).toEqual(new Set(['in', 'out']));
  });

  it('does the same again for the same seed, and something else for another', async () => {
    const rates = { drop: 0.1, duplicate: 0.1 };
    const one = await echo({ seed: 3, ...rates });
    const again = await echo({ seed: 3, ...rates });
    const other = await echo({ seed: 4, ...rates });
    expect(again.log.lines).toEqual(one.log.lines);
    expect(again.events.filter(({ direction }) => direction === 'out')).toEqual(
      one.events.filter(({ direction }) => direction === 'out'),
    );
    expect(other.log.lines).not.toEqual(one.log.lines);
  });

  it('drops and doubles lines without changing their order, in the direction it was given', async () => {
    const { log, events } = await echo({ seed: 5, drop: 0.2, duplicate: 0.2, direction: 'in' });
    const dropped = events.filter(({ fault }) => fault === 'drop').map(({ line }) => line);
    const doubled = events.filter(({ fault }) => fault === 'duplicate').map(({ line }) => line);
    expect(dropped.length).toBeGreaterThan(10);
    expect(doubled.length).toBeGreaterThan(10);
    expect(log.lines).toEqual(
      LINES.filter((line) => !dropped.includes(line)).flatMap((line) =>
        doubled.includes(line) ? [line, line] : [line],
      ),
    );
    expect(events.every(({ direction }) => direction === 'in')).toBe(true);
  });

  it('kills the other side early', async () => {
    const { log, events } = await echo({ seed: 2, exit: 0.05 });
    expect(events.filter(({ fault }) => fault === 'exit')).toHaveLength(1);
    expect(await log.end).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    expect(log.lines.length).toBeLessThan(LINES.length);
    expect(log.ends).toBe(1);
  });

  it('wraps a factory: its version stays known, and each session meets faults of its own', async () => {
    await using fake = createFakeCli([say('Hello.')]);
    const transport = chaosTransport(fake.transport, { seed: 1, schedule: soon });
    expect(transport.claudeCodeVersion).toBe(NEWEST_VERSION);
    for (let session = 0; session < 2; session += 1) {
      for await (const message of query({ prompt: 'Hi', options: { transport } })) void message;
    }
    expect(new Set(transport.log.map(({ session }) => session))).toEqual(new Set([0, 1]));
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const transport = chaosTransport(createEcho(), { seed: 1, delay: 1, stall: 1 });
      const log = TransportLog.open(transport);
      transport.write('1');
      transport.write('2');
      expect(vi.getTimerCount()).toBeGreaterThan(0);
      await transport.terminate();
      await log.end;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

/** Plays a whole session over a chaotic transport; what never ends by itself is aborted. */
async function playSession(chaos: ChaosOptions): Promise<{ messages: SDKMessage[]; error: unknown }> {
  const fake = createFakeCli(
    [
      think('Hm.'),
      useTool('mcp__shop__count', { article: 'apples' }),
      ({ answer }) => say(answer.text),
      endTurn(),
    ],
    { allowEarlyEnd: true },
  );
  const abortController = new AbortController();
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [tool('count', 'Counts', { article: 'string' }, () => '7')],
  });
  const q = query({
    prompt: 'Go.',
    options: {
      abortController,
      transport: chaosTransport(fake.transport, chaos),
      mcpServers: { shop },
      canUseTool: () => Promise.resolve({ behavior: 'allow' }),
      hooks: { PreToolUse: [{ hooks: [() => Promise.resolve({})] }] },
      onWarning: () => {},
    },
  });
  const messages: SDKMessage[] = [];
  const ending = (async (): Promise<unknown> => {
    try {
      for await (const message of q) messages.push(message);
      return undefined;
    } catch (error) {
      return error;
    }
  })();
  await settleWithin(2000, ending).catch(() => abortController.abort());
  const error = await settleWithin(30_000, ending);
  expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
  await fake.close({ verify: false });
  return { messages, error };
}

describe('a query over a chaotic transport', () => {
  useVirtualClock();

  it('does not mind a slow one', async () => {
    for (const seed of [1, 2, 3]) {
      const { messages, error } = await playSession({ seed, delay: 0.5, stall: 0.3 });
      expect(error).toBeUndefined();
      expect(messages.at(-1)).toMatchObject({ type: 'result', result: '7' });
    }
  });

  it('ends with a result, a typed error or its cancellation, whatever happens', async () => {
    const rate = fc.constantFrom(0, 0.02, 0.2);
    const chaos = fc.record({ seed: fc.nat(), delay: rate, drop: rate, duplicate: rate, exit: rate });
    const endings = new Set<string>();
    await fc.assert(
      fc.asyncProperty(chaos, async (options) => {
        const { messages, error } = await playSession(options);
        if (error === undefined) expect(messages.at(-1)).toMatchObject({ type: 'result' });
        else expect(error).toBeInstanceOf(InboardError);
        endings.add(error === undefined ? 'value' : error instanceof AbortError ? 'cancelled' : 'error');
        expect(vi.getTimerCount()).toBe(0);
      }),
      { numRuns: 40, seed: 20_261_115 },
    );
    // The faults are such that each of the three comes up.
    expect([...endings].toSorted()).toEqual(['cancelled', 'error', 'value']);
  });
});
