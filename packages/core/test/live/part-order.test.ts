// The order in which the parts of a live CLI are told of what happens: it is what it was, and each dependency that a row
// names is real. For each of them a scene is played twice, in the right order and with the two rows swapped.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import type { Launched } from '../../src/live/launch.js';
import { LiveCli } from '../../src/live/live-cli.js';
import type { LiveCliOptions } from '../../src/live/live-cli-options.js';
import { PART_ORDERS, type OrderRow } from '../../src/live/part-order.js';
import type { WireObject } from '../../src/wire/protocol/codec.js';
import { createMemoryTransport, type MemoryPeer } from '../../src/wire/transport/memory-transport.js';
import { outcomeOf } from '../../../../test/support/scene.js';
import { assistant, init, INITIALIZE_REPLY, result, state } from '../../../../test/support/steps.js';
import { elapse, useVirtualClock } from '../../../../test/support/virtual-clock.js';

type Table = keyof typeof PART_ORDERS;

const SOURCE = readFileSync(new URL('../../src/live/part-order.ts', import.meta.url), 'utf8');

const TABLES = Object.entries(PART_ORDERS) as [Table, readonly OrderRow[]][];

/** What a program relies on, and what was measured: a change here is a change of behaviour. */
const ORDERS: Record<Table, string> = {
  MESSAGE: 'consumer silence lifetime tools calls capabilities usage output texts',
  SENT: 'names silence lifetime',
  SETTLED: 'handshake silence lifetime',
  PIECE: 'silence lifetime',
  ANSWERED: 'handshake capabilities sweep router silence progress',
  CLOSE: 'handshake sweep silence lifetime pump wire tools permissions dialogs calls output',
};

const sessions: { live: LiveCli; peer: MemoryPeer }[] = [];

useVirtualClock();

afterEach(async () => {
  for (const { live, peer } of sessions.splice(0)) {
    peer.end();
    await live.over;
  }
});

/** A live CLI whose process is played by the test, after its handshake and with its prompt written. */
async function start(options: LiveCliOptions['options'], reply: object = INITIALIZE_REPLY) {
  const { transport, peer } = createMemoryTransport();
  let request_id: unknown;
  peer.onLine((line) => {
    const written = JSON.parse(line) as WireObject;
    request_id ??= written['request_id'];
    // The prompt is written behind the handshake, without waiting for the reply.
    if (written['type'] !== 'user') return;
    const response = { subtype: 'success', request_id, response: reply };
    peer.send(JSON.stringify({ type: 'control_response', response }));
  });
  const openVersion = { ask: () => new Promise<undefined>(() => {}), remember: () => {} };
  const launched: Launched = {
    transport,
    initialize: {},
    version: undefined,
    openVersion,
    warnings: [],
    discard: () => {},
  };
  const live: LiveCli = new LiveCli({ prompt: 'hi', options, launch: () => Promise.resolve(launched) });
  sessions.push({ live, peer });
  await elapse(0);
  const emit = (...messages: object[]): void => {
    for (const message of messages) peer.send(JSON.stringify(message));
  };
  const interrupts = (): number => peer.received.filter((line) => line.includes('"interrupt"')).length;
  return { live, peer, emit, interrupts };
}

const counter = tool('count', 'Counts', { article: 'string' }, () => 7);
const shop = createSdkMcpServer({ name: 'shop', tools: [counter] });
const TURN = [state('running'), init(), assistant('hello')];
const ANSWER = { structured_output: { fine: true } };

interface Scene {
  /** What the caller, or the CLI, sees of it. */
  play: (this: void) => Promise<unknown>;
  right: unknown;
  swapped: unknown;
}

/** By table, the row, and the row that must stand before it. */
const SCENES: Record<string, Scene> = {
  'MESSAGE: lifetime after consumer': {
    // A reader who is about to get the result may answer it.
    async play() {
      const { live, peer, emit } = await start({});
      const first = live.messages.next();
      emit(init(), assistant('hello'), result());
      await first;
      return peer.isInputEnded ? 'the input ends under the reader' : 'the input stays open';
    },
    right: 'the input stays open',
    swapped: 'the input ends under the reader',
  },
  'MESSAGE: tools after silence': {
    // A callback blocks this process for 400 ms; the limit of silence counts from when the message came.
    async play() {
      const { live, emit } = await start({
        idleTimeoutMs: 1_000,
        onToolEvent: ({ type }) => {
          if (type === 'end') vi.advanceTimersByTime(400);
        },
      });
      const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
      const done = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' };
      emit(...TURN, { type: 'assistant', message: { role: 'assistant', content: [call] } });
      emit({ type: 'user', message: { role: 'user', content: [done] } });
      await elapse(600);
      return live.isEnding ? 'a second after the message' : 'later';
    },
    right: 'a second after the message',
    swapped: 'later',
  },
  'MESSAGE: tools after lifetime': {
    // A listener of warnings closes the CLI at a result that reports a refused call.
    async play() {
      const { live, emit, interrupts } = await start({
        mcpServers: { shop },
        onWarning: ({ code }) => {
          if (code === 'TOOL_NOT_ALLOWED') void live.close({ kind: 'closed' });
        },
      });
      const listed = { ...init(), tools: ['mcp__shop__count'], mcp_servers: [] };
      emit(state('running'), listed, result({ permission_denials: [{ tool_name: 'mcp__shop__count' }] }));
      return { isEnding: live.isEnding, interrupts: interrupts() };
    },
    right: { isEnding: true, interrupts: 0 },
    swapped: { isEnding: true, interrupts: 1 },
  },
  'MESSAGE: capabilities after tools': {
    async play() {
      const codes: string[] = [];
      const { emit } = await start({ mcpServers: { shop }, onWarning: ({ code }) => codes.push(code) });
      emit(state('running'), { ...init(), claude_code_version: '1.0.0' });
      return codes;
    },
    right: ['TOOLS_MISSING', 'CLI_VERSION_UNSUPPORTED'],
    swapped: ['CLI_VERSION_UNSUPPORTED', 'TOOLS_MISSING'],
  },
  'MESSAGE: usage after lifetime': {
    // A budget closes the CLI at the result of the turn, which has nothing left to interrupt.
    async play() {
      const onThreshold = (): void => void live.close({ kind: 'closed' });
      const { live, emit, interrupts } = await start({ usage: { thresholdsUsd: [1], onThreshold } });
      emit(...TURN, result({ total_cost_usd: 2 }));
      return { isEnding: live.isEnding, interrupts: interrupts() };
    },
    right: { isEnding: true, interrupts: 0 },
    swapped: { isEnding: true, interrupts: 1 },
  },
  'MESSAGE: output after usage': {
    async play() {
      const onThreshold = (): void => void live.close({ kind: 'closed' });
      const output = { type: 'object', properties: {}, additionalProperties: true } as const;
      const { live, emit } = await start({ output, usage: { thresholdsUsd: [1], onThreshold } });
      const waiting = outcomeOf(live.awaitOutput());
      emit(...TURN, result({ total_cost_usd: 2, ...ANSWER }));
      const { error, value } = await waiting;
      return error ? (error as { code: string }).code : value;
    },
    right: 'SESSION_CLOSED',
    swapped: { fine: true },
  },
  'ANSWERED: progress after capabilities': {
    // A listener of warnings ends a CLI whose version it does not want, while the prompt is already written.
    async play() {
      const abortController = new AbortController();
      const onWarning = (): void => abortController.abort();
      const reply = { ...INITIALIZE_REPLY, claude_code_version: '1.0.0' };
      const { live, interrupts } = await start({ abortController, onWarning }, reply);
      return { isEnding: live.isEnding, interrupts: interrupts() };
    },
    right: { isEnding: true, interrupts: 0 },
    swapped: { isEnding: true, interrupts: 1 },
  },
  'CLOSE: calls after wire': {
    // A handler that is cancelled asks which attempt it was.
    async play() {
      const attempts: number[] = [];
      const slow = tool('slow', 'Takes its time', {}, (_args, extra) => {
        extra.signal.addEventListener('abort', () => attempts.push(extra.attempt));
        return new Promise<string>(() => {});
      });
      const { live, emit } = await start({
        mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [slow] }) },
        onWarning: () => {},
      });
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'slow', arguments: {}, _meta: { 'claudecode/toolUseId': 'toolu_1' } },
      };
      const block = { type: 'tool_use', id: 'toolu_1', name: 'mcp__shop__slow', input: {} };
      emit(...TURN, { type: 'assistant', message: { role: 'assistant', content: [block] } });
      const request = { subtype: 'mcp_message', server_name: 'shop', message };
      emit({ type: 'control_request', request_id: 'ask-1', request });
      await elapse(0);
      void live.close({ kind: 'closed' });
      return attempts;
    },
    right: [1],
    swapped: [2],
  },
};

/** Plays with two rows of a table in each other's place. */
async function swapping<T>(
  rows: OrderRow[],
  pair: readonly [string, string],
  play: () => Promise<T>,
): Promise<T> {
  const [one, other] = pair.map((name) => rows.findIndex(({ part }) => part === name)) as [number, number];
  const swap = (): void => {
    [rows[one], rows[other]] = [rows[other] as OrderRow, rows[one] as OrderRow];
  };
  swap();
  try {
    return await play();
  } finally {
    swap();
  }
}

const DEPENDENCIES = TABLES.flatMap(([table, rows]) =>
  rows.flatMap((row) => (row.after ?? []).map((before) => ({ table, rows, before, part: row.part }))),
);
const nameOf = ({ table, part, before }: (typeof DEPENDENCIES)[number]): string =>
  `${table}: ${part} after ${before}`;

describe.each(TABLES)('the order of %s', (table, rows) => {
  it('is what it was, and has a reason in each row', () => {
    expect(rows.map(({ part }) => part).join(' ')).toBe(ORDERS[table]);
    const written = SOURCE.split(`const ${table}:`)[1]?.split('\n];')[0] ?? '';
    for (const { part } of rows)
      expect(written, part).toMatch(new RegExp(`\\.\\n {2}\\{\\s+part: '${part}'`));
  });

  it('has each row behind those that it names', () => {
    const names = rows.map(({ part }) => part);
    rows.forEach(({ part, after = [] }, place) => {
      for (const before of after) {
        expect(names, part).toContain(before);
        expect(names.indexOf(before), `${part} after ${before}`).toBeLessThan(place);
      }
    });
  });
});

describe('each dependency between rows', () => {
  it('has a scene, and each scene a dependency', () => {
    expect(DEPENDENCIES.map(nameOf).toSorted()).toEqual(Object.keys(SCENES).toSorted());
  });

  it.each(DEPENDENCIES.map((dependency) => [nameOf(dependency), dependency] as const))(
    'is real: %s',
    async (name, { rows, part, before }) => {
      const { play, right, swapped } = SCENES[name] as Scene;
      expect(await play()).toEqual(right);
      expect(await swapping(rows as OrderRow[], [part, before], play)).toEqual(swapped);
    },
  );
});
