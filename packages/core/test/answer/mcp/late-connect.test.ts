import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionClosedError } from '../../../src/errors.js';
import { LISTEN_LIMIT_MS } from '../../../src/answer/mcp/foreign/server-inbox.js';
import type { SdkServers } from '../../../src/answer/mcp/server-table.js';
import { openSession, textOf } from './session-harness.js';

interface Transport {
  onmessage?: (message: { id?: unknown; method?: string }) => void;
  onclose?: () => void;
  send: (message: object) => Promise<void>;
}

type Connect = (transport: never) => Promise<void>;

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
};
const content = { content: [{ type: 'text' as const, text: 'here' }] };

const config = (connect: Connect): SdkServers[string] => ({ type: 'sdk', name: 'f', instance: { connect } });

/** Gives way to everything that is due, immediates included. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A server by hand, which answers a handshake, a list and a call. */
function listen(transport: Transport, onInitialized: () => void = () => {}): void {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'f', version: '1' },
    },
    'tools/list': { tools: [{ name: 'who', inputSchema: { type: 'object' } }] },
    'tools/call': content,
    ping: {},
  };
  transport.onmessage = ({ id, method = '' }) => {
    if (method === 'notifications/initialized') onInitialized();
    else if (id !== undefined) void transport.send({ jsonrpc: '2.0', id, result: results[method] });
  };
}

/** Servers whose `connect` resolves with the client's `notifications/initialized`. */
const LATE: [string, () => Connect][] = [
  [
    'MCP SDK v1',
    () => {
      const server = new McpServerV1({ name: 'f', version: '1' });
      server.registerTool('who', {}, () => content);
      return (transport) =>
        new Promise((resolve, reject) => {
          server.server.oninitialized = resolve;
          server.connect(transport).catch(reject);
        });
    },
  ],
  [
    'MCP SDK v2',
    () => {
      const server = new McpServerV2({ name: 'f', version: '1' });
      server.registerTool('who', {}, () => content);
      return (transport) =>
        new Promise((resolve, reject) => {
          server.server.oninitialized = resolve;
          server.connect(transport).catch(reject);
        });
    },
  ],
  ['a server by hand', () => (transport) => new Promise((resolve) => listen(transport, resolve))],
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe.each(LATE)('a server that is connected only after the handshake (%s)', (_, create) => {
  const watched = () => {
    const connect = create();
    let isConnected = false;
    const server = config(async (transport) => {
      await connect(transport);
      isConnected = true;
    });
    return { server, isConnected: () => isConnected };
  };

  it('has its manifest taken', async () => {
    const { server, isConnected } = watched();
    const { session, call } = openSession({ f: server });
    expect(await session.manifests('2.1.325')).toMatchObject({
      f: { toolsListResult: { tools: [{ name: 'who' }] } },
    });
    expect(textOf(await call('who'))).toBe('here');
    expect(isConnected()).toBe(true);
    session.close(new SessionClosedError());
  });

  it("answers the CLI's own handshake", async () => {
    const { server, isConnected } = watched();
    const { session, ask, put } = openSession({ f: server });
    expect((await ask('initialize', INITIALIZE)).result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(isConnected()).toBe(false);
    await put({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await turn();
    expect(isConnected()).toBe(true);
    session.close(new SessionClosedError());
  });
});

describe('a server that does not listen', () => {
  const deaf = () => {
    let transport: Transport | undefined;
    const server = config((given) => {
      transport = given;
      return new Promise(() => {});
    });
    return { server, listenNow: () => listen(transport as Transport) };
  };

  it('is given up with a warning; what comes later is refused at once, until it listens', async () => {
    const { server, listenNow } = deaf();
    const { ask, warnings, session } = openSession({ f: server });
    const first = ask('initialize', INITIALIZE);
    await vi.advanceTimersByTimeAsync(LISTEN_LIMIT_MS - 1);
    expect(warnings).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await first).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('onmessage'),
    });
    expect((await ask('ping')).error?.code).toBe(-32000);
    expect(warnings).toMatchObject([{ code: 'SERVER_NOT_CONNECTED', server: 'f' }]);
    listenNow();
    await turn();
    expect((await ask('ping')).result).toEqual({});
    session.close(new SessionClosedError());
  });

  it('never sees a request that was cancelled meanwhile, the manifest included', async () => {
    const seen: unknown[] = [];
    let transport: Transport | undefined;
    const server = config((given) => {
      transport = given;
      return new Promise(() => {});
    });
    const { session, ask } = openSession({ f: server });
    const manifests = session.manifests('2.1.325');
    await vi.advanceTimersByTimeAsync(200);
    expect(await manifests).toEqual({});
    const ping = ask('ping');
    listen(transport as Transport);
    const { onmessage } = transport as Transport;
    (transport as Transport).onmessage = (message) => {
      seen.push(message.method);
      onmessage?.(message);
    };
    await ping;
    expect(seen).toEqual(['ping']);
    session.close(new SessionClosedError());
  });

  it('holds nothing up when the session ends first', async () => {
    const { server } = deaf();
    const { session, ask } = openSession({ f: server });
    const reply = ask('ping');
    session.close(new SessionClosedError('gone'));
    expect((await reply).error?.message).toContain('gone');
    // The check after each test finds no timer left.
  });

  it('after a connect that came back is given up too', async () => {
    const { ask, warnings, session } = openSession({ f: config(async () => {}) });
    const reply = ask('ping');
    await vi.advanceTimersByTimeAsync(LISTEN_LIMIT_MS);
    expect((await reply).error?.code).toBe(-32000);
    expect(warnings).toMatchObject([{ code: 'SERVER_NOT_CONNECTED' }]);
    session.close(new SessionClosedError());
  });
});

describe('a server whose connect never comes back', () => {
  it('serves all the same, is hung up on, and is connected again', async () => {
    const transports: Transport[] = [];
    const closed: number[] = [];
    const server = config((transport: Transport) => {
      const index = transports.push(transport);
      listen(transport);
      transport.onclose = () => void closed.push(index);
      return new Promise(() => {});
    });
    for (const round of [1, 2]) {
      const { session, call } = openSession({ f: server });
      expect(textOf(await call('who'))).toBe('here');
      session.close(new SessionClosedError());
      await turn();
      expect(closed).toHaveLength(round);
    }
    expect(transports).toHaveLength(2);
  });

  it('and then fails is over, with its reason', async () => {
    let fail: (error: Error) => void = () => {};
    const { ask, warnings, session } = openSession({
      f: config((transport) => {
        listen(transport);
        return new Promise((_resolve, reject) => (fail = reject));
      }),
    });
    expect((await ask('ping')).result).toEqual({});
    fail(new Error('upstream is gone'));
    await turn();
    expect(warnings).toMatchObject([
      { code: 'SERVER_NOT_CONNECTED', message: expect.stringContaining('upstream is gone') },
    ]);
    session.close(new SessionClosedError());
  });
});

it('a server is asked for its manifest in the name of the CLI and of its version', async () => {
  const server = new McpServerV1({ name: 'f', version: '1' });
  server.registerTool('who', {}, () => content);
  const { session } = openSession({ f: { type: 'sdk', name: 'f', instance: server } });
  await session.manifests('2.1.300');
  expect(server.server.getClientVersion()).toMatchObject({ name: 'claude-code', version: '2.1.300' });
  session.close(new SessionClosedError());
});
