// Readers of requests over HTTP: of browsers that show a chat, of the inspector's page, and of MCP clients. Whatever is asked, the answer is one
// that the server meant to give, and the next good request is answered.
import * as library from '@modelcontextprotocol/server';
import { connect } from 'node:net';
import { Bridge } from '../../packages/cli/src/serve/bridge.js';
import type { McpLibrary } from '../../packages/cli/src/serve/mcp-library.js';
import { serveHttp, type HttpService } from '../../packages/cli/src/serve/serve-http.js';
import { readBearer, readHostName, readTarget } from '../../packages/core/src/util/loopback-http.js';
import { SECRET_HEADER } from '../../packages/inspector/src/model/entry.js';
import { readAction, readEntryKey } from '../../packages/inspector/src/server/read-action.js';
import { decodeNumbered, numberOf } from '../../packages/inspector/src/stream/event-codec.js';
import { createSdkMcpServer, openSession, tool } from '../../packages/inboard/src/index.js';
import { createFakeCli, text } from '../../packages/inboard/src/testing.js';
import { createUiChat } from '../../packages/inboard/src/ui.js';
import { findRoute } from '../../packages/ui/src/chat/find-route.js';
import { readJsonBody } from '../../packages/ui/src/chat/read-body.js';
import { readDecision, readPost } from '../../packages/ui/src/chat/read-post.js';
import { Served } from '../../packages/inspector/test/support/served.js';
import { isTyped, type FuzzedReader } from './fuzzed-reader.js';

const file = {
  type: 'file',
  mediaType: 'text/plain',
  filename: 'a.txt',
  url: 'data:text/plain;base64,aGVsbG8=',
};
const post = (parts: unknown[], role = 'user'): string =>
  JSON.stringify({ id: 'c1', trigger: 'submit-message', messages: [{ id: 'm1', role, parts }] });
const approval = {
  type: 'dynamic-tool',
  toolCallId: 't1',
  state: 'approval-responded',
  approval: { id: 'q1', approved: true, reason: 'yes' },
};
const posts = [
  post([{ type: 'text', text: 'Hello' }, file]),
  post([file, { ...file, url: 'data:text/plain,a%20b' }]),
  post([approval], 'assistant'),
  JSON.stringify({ approvalId: 'q1', approved: false, reason: 'no', input: { a: 1 } }),
];
const JSON_TYPE = { 'content-type': 'application/json' };

export const CHAT_POSTS: FuzzedReader = {
  name: 'posts of a chat',
  examples: posts,
  runs: 700,
  read: async (bytes) => {
    const body = async (): Promise<Record<string, unknown>> => {
      const request = new Request('http://chat.test/', {
        method: 'POST',
        headers: JSON_TYPE,
        body: new Uint8Array(bytes),
      });
      return await readJsonBody(request, 60_000);
    };
    const given = await body();
    let error: unknown;
    for (const read of [readPost, readDecision]) {
      try {
        read(given);
      } catch (thrown) {
        // One of the two is always refused; what is no refusal counts first.
        if (!isTyped(thrown)) throw thrown;
        error = thrown;
      }
    }
    if (error !== undefined) throw error;
  },
  grow: (count) =>
    post(Array.from({ length: Math.min(90, count * 5) }, () => ({ type: 'text', text: 'x'.repeat(100) }))),
};

const paths = [
  '/api/chat/c1/stream',
  '/api/chat/c1/approvals',
  '/api/chat/c1/messages',
  '/api/chat/a%20b/stop',
];

/** A request as it is on a line: method, path, and headers; `undefined` where the platform already refuses it. */
function readRequest(bytes: Buffer): Request | undefined {
  const [first = '', ...lines] = bytes.toString().split('\n');
  const [method = 'GET', path = '/'] = first.split(' ');
  try {
    const headers = new Headers();
    for (const each of lines) {
      const colon = each.indexOf(':');
      if (colon > 0) headers.append(each.slice(0, colon), each.slice(colon + 1));
    }
    return new Request(new URL(path, 'http://chat.test'), { method, headers });
  } catch {
    return undefined;
  }
}

const heads = paths.flatMap((path) => [
  `GET ${path}\nhost: chat.test\nlast-event-id: 4\norigin: http://chat.test\ncookie: a=b; c=d`,
  `POST ${path}?after=3&id=c1\nhost: chat.test\nsec-fetch-site: cross-site`,
]);

export const CHAT_ROUTES: FuzzedReader = {
  name: 'routes, resume ids and headers of a chat',
  examples: heads,
  runs: 100,
  read: async (bytes) => {
    const request = readRequest(bytes);
    if (request === undefined) return;
    const fake = createFakeCli(() => [text('Hello.')], { allowEarlyEnd: true });
    const chat = createUiChat({
      session: ({ canUseTool }) =>
        openSession({ options: { transport: fake.transport, canUseTool, closeGraceMs: 0 } }),
    });
    try {
      const { status, body } = await chat.fetch(request.clone());
      await body?.cancel();
      if (status >= 500) throw new Error(`the chat answered with ${status}`);
      findRoute(request, undefined);
    } finally {
      await chat.close();
      await fake.close({ verify: false });
    }
  },
  grow: (count) => `GET /${'a/'.repeat(count * 20)}c1/stream\nhost: chat.test`,
};

const actions = [
  {
    action: 'answer',
    session: 's',
    id: 'q',
    decision: { kind: 'allow', edits: [{ path: ['a', 0], value: 1 }] },
  },
  { action: 'call-tool', session: 's', server: 'shop', tool: 'count', input: { a: 1 } },
  { action: 'rewind', session: 's', messageId: 'm', dryRun: true },
  { key: 'an-entry-key' },
].map((action) => JSON.stringify(action));
const numbered = '{"n":7,"s":"s","type":"warning","t":0,"code":"X","message":"m"}';

function growAction(count: number): string {
  const edits = Array.from({ length: count * 20 }, () => ({ path: ['a', 0], value: 1 }));
  return JSON.stringify({ action: 'answer', session: 's', id: 'q', decision: { kind: 'allow', edits } });
}

export const INSPECTOR_POSTS: FuzzedReader = {
  name: "the inspector's posts and lines",
  examples: [...actions, numbered],
  runs: 200,
  read: (bytes) => {
    const given = bytes.toString();
    readEntryKey(given);
    decodeNumbered(given);
    numberOf(given);
    readHostName(given);
    readTarget(given);
    readBearer(given);
    readAction(given);
  },
  grow: growAction,
};

/** Sends bytes as they are, and gives the first line of what comes back; an empty one if the server only hung up. */
function sendRaw(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    const end = (): void => {
      socket.destroy();
      resolve(heard.split('\r\n', 1)[0] ?? '');
    };
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (heard.includes('\r\n')) end();
    });
    socket.on('error', end).on('close', end);
    socket.end(bytes);
  });
}

const httpRequest = (head: string, headers: Record<string, string>, body = ''): string =>
  [
    `${head} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries({ ...JSON_TYPE, ...headers, 'content-length': String(Buffer.byteLength(body)) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n');

function refuseFault(first: string): void {
  if (first.startsWith('HTTP/1.1 5')) throw new Error(`the server answered ${first}`);
}

let inspector: Promise<Served> | undefined;
/** What only a running server knows is put in their place. */
const OF_THE_PAGE = { [SECRET_HEADER]: 'THE-SECRET', origin: 'THE-ORIGIN', 'x-inboard': '1' };

export const INSPECTOR_REQUESTS: FuzzedReader = {
  name: 'requests to the inspector',
  examples: [
    ...actions.map((action) => httpRequest('POST /api/act', OF_THE_PAGE, action)),
    httpRequest('POST /api/enter', OF_THE_PAGE, '{"key":"none"}'),
    ...[
      'stream?session=s&after=1',
      'events?session=s&limit=2',
      'line?session=s&n=1',
      'state',
      'audit?after=1',
    ].map((path) => httpRequest(`GET /api/${path}`, { ...OF_THE_PAGE, 'last-event-id': '3', cookie: 'a=b' })),
  ],
  read: async (bytes) => {
    const { server, secret, origin } = await (inspector ??= Served.start().then((served) => served.enter()));
    const sent = bytes.toString('latin1').replaceAll('THE-SECRET', secret).replaceAll('THE-ORIGIN', origin);
    refuseFault(await sendRaw(server.port, Buffer.from(sent, 'latin1')));
  },
  grow: (count) => httpRequest('POST /api/act', OF_THE_PAGE, growAction(count)),
  close: async () => (await inspector)?.close(),
};

let tools: Promise<{ service: HttpService; bridge: Bridge }> | undefined;

async function openTools(): Promise<{ service: HttpService; bridge: Bridge }> {
  const mcp = library as unknown as McpLibrary;
  const add = tool('add', 'Adds', { a: 'number' }, ({ a }) => String(a));
  const servers = { shop: createSdkMcpServer({ name: 'shop', tools: [add] }) };
  const bridge = await Bridge.open({ servers, library: mcp, onWarning: () => {} });
  const service = await serveHttp(bridge, {
    library: mcp,
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    allowedHosts: [],
    onError: () => {},
  });
  return { bridge, service };
}

const rpc = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const MCP_HEADERS = { accept: 'application/json, text/event-stream' };

export const TOOL_REQUESTS: FuzzedReader = {
  name: 'requests to `inboard serve --http`',
  examples: [
    rpc('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }),
    rpc('tools/call', { name: 'add', arguments: { a: 1 } }),
  ].map((body) => httpRequest('POST /mcp', MCP_HEADERS, body)),
  runs: 25,
  read: async (bytes) => {
    const { service } = await (tools ??= openTools());
    refuseFault(await sendRaw(Number(new URL(service.url).port), bytes));
  },
  grow: (count) =>
    httpRequest('POST /mcp', MCP_HEADERS, rpc('tools/call', { name: 'x'.repeat(count * 100) })),
  async close() {
    const opened = await tools;
    await opened?.service.close();
    await opened?.bridge.close();
  },
};
