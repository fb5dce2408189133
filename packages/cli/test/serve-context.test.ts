// Served tools with a context for each client: who is let in, whose data is seen, and what a session is bound to.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as library from '@modelcontextprotocol/server';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { Bridge, type BridgeOptions } from '../src/serve/bridge.js';
import type { McpLibrary } from '../src/serve/mcp-library.js';
import { serveHttp } from '../src/serve/serve-http.js';
import { findClientContext } from '../src/tools-file/client-context.js';
import { createSdkMcpServer, tool, type ToolClient, type HandlerExtra } from '@inboard/inboard/index.js';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const mcp = library as unknown as McpLibrary;
const USERS = new Map([
  ['token-ann', 'ann'],
  ['token-bob', 'bob'],
]);

function findContext(toolContext: unknown) {
  return findClientContext({ toolContext }, 'tools.ts');
}

const contextFor = findContext(async (client: ToolClient) => {
  const user = client.via === 'http' ? USERS.get(client.token) : client.via;
  return user === undefined ? undefined : { user };
});

const desk = createSdkMcpServer({
  name: 'desk',
  context: { house: 'ours' },
  tools: [
    tool(
      'whoami',
      'Says who calls',
      {},
      (_args, { context }: HandlerExtra<{ user: string; house: string }>) =>
        `${context.user} in ${context.house}`,
    ),
  ],
});

async function openBridge(options: Partial<BridgeOptions> = {}) {
  const bridge = await Bridge.open({
    servers: { desk },
    library: mcp,
    onWarning: () => {},
    contextFor,
    ...options,
  });
  undo.push(() => bridge.close());
  return bridge;
}

async function serve(options: Partial<BridgeOptions> = {}) {
  const errors: Error[] = [];
  const bridge = await openBridge(options);
  const service = await serveHttp(bridge, {
    library: mcp,
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    allowedHosts: [],
    onError: (error) => errors.push(error),
  });
  undo.push(() => service.close());
  return { bridge, url: new URL(service.url), errors };
}

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

async function whoIs(client: Client | OldClient): Promise<unknown> {
  const { content } = await client.callTool({ name: 'whoami', arguments: {} });
  return (content as { text?: string }[])[0]?.text;
}

it('a parallel tool is listed to other clients as its author marked it', async () => {
  const book = tool({ name: 'book', parallel: true, annotations: { idempotentHint: true }, run: () => 'x' });
  const { url } = await serve({ servers: { desk: createSdkMcpServer({ name: 'desk', tools: [book] }) } });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(url, bearer('token-ann')));
  undo.push(() => client.close());
  const [listed] = (await client.listTools()).tools;
  expect(listed?.annotations).toEqual({ idempotentHint: true });
  expect(JSON.stringify(listed)).not.toContain('inboard/parallel');
});

describe('a tools file that tells clients apart', () => {
  it('gives each client its own context, merged with that of the server, in both generations of clients at once', async () => {
    const { url } = await serve();
    const clients = [];
    for (const token of USERS.keys()) {
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(url, bearer(token)));
      const old = new OldClient({ name: 'old', version: '1.0.0' });
      await old.connect(new OldTransport(url, bearer(token)));
      undo.push(
        () => client.close(),
        () => old.close(),
      );
      clients.push(client, old);
    }
    expect(await Promise.all(clients.map(whoIs))).toEqual([
      'ann in ours',
      'ann in ours',
      'bob in ours',
      'bob in ours',
    ]);
  });

  it('gives it to clients of the newest revision, which have no session', async () => {
    const { url } = await serve();
    const client = new Client(
      { name: 'new', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new StreamableHTTPClientTransport(url, bearer('token-bob')));
    undo.push(() => client.close());
    expect(await whoIs(client)).toBe('bob in ours');
  });

  it('lets nobody in without a token, with one that nobody knows, or into the session of somebody else', async () => {
    const { url } = await serve();
    const ask = async (headers: Record<string, string>, message: object) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      });
      await response.text();
      return response;
    };
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const hello = { method: 'initialize', params };
    const refused = await ask({}, hello);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect((await ask({ authorization: 'Bearer guess' }, hello)).status).toBe(401);
    const opened = await ask({ authorization: 'Bearer token-ann' }, hello);
    expect(opened.status).toBe(200);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    expect((await ask({ ...session, authorization: 'Bearer token-bob' }, { method: 'ping' })).status).toBe(
      404,
    );
    expect((await ask({ ...session, authorization: 'Bearer token-ann' }, { method: 'ping' })).status).toBe(
      200,
    );
  });

  it('answers with no more than a status when it fails, and tells the host why', async () => {
    const failing = findContext(() => {
      throw new Error('The table of tokens is locked.');
    });
    const { url, errors } = await serve({ contextFor: failing });
    const response = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer token-ann' } });
    expect([response.status, await response.text()]).toEqual([500, '']);
    expect(errors.map(({ message }) => message)).toEqual([
      'toolContext of tools.ts failed: The table of tokens is locked.',
    ]);
  });

  it('is asked again with each load; one that no longer tells clients apart is not taken', async () => {
    const bridge = await openBridge();
    const other = findContext(() => ({ user: 'anybody' }));
    await bridge.replace({ servers: { desk }, contextFor: other });
    expect(await bridge.contextFor({ via: 'http', token: 'x' })).toEqual({ user: 'anybody' });
    await expect(bridge.replace({ servers: { desk } })).rejects.toThrow(/who may call/);
    expect(bridge.asksForClients).toBe(true);
  });

  it('turns a command away by undefined, and must be a function', async () => {
    await expect(findContext(() => undefined)?.({ via: 'command' })).rejects.toMatchObject({
      code: 'CLIENT_REFUSED',
    });
    expect(() => findContext({ user: 'ann' })).toThrow(/must be a function/);
    expect(findContext(undefined)).toBeUndefined();
  });
});
