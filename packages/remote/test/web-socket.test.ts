// A link over a WebSocket, as docs/remote.md shows it: with Node in the place of the CLI.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';
import { connectCli } from '../src/home/connect-cli.js';
import { serveLink } from '../src/serve/serve-link.js';
import type { RemoteServerEvent } from '../src/serve/server-event.js';
import type { Transport, TransportEnd } from '@inboard/core/wire/transport/transport.js';
import { waitUntil } from '../../../test/support/wait-until.js';

const TOKEN = 'a-token-for-this-test';

let server: Server;
let url: string;
let events: RemoteServerEvent[];
let sockets: WebSocket[];

beforeEach(async () => {
  events = [];
  sockets = [];
  server = createServer();
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
    const link = createWebSocketStream(socket);
    const place = { token: TOKEN, cli: process.execPath, cwd: tmpdir() };
    void serveLink(link, { ...place, onEvent: (event) => events.push(event) });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  const closed = once(server, 'close');
  server.close();
  await closed;
});

/** Runs a program there. */
async function reach(args: string[], token = TOKEN): Promise<Transport> {
  const link = async (): Promise<ReturnType<typeof createWebSocketStream>> => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    sockets.push(socket);
    await once(socket, 'open');
    return createWebSocketStream(socket);
  };
  return await connectCli({ link, token }).transport({ args, env: {}, cwd: '.' });
}

function follow(transport: Transport): { lines: string[]; end: Promise<TransportEnd> } {
  const lines: string[] = [];
  const end = new Promise<TransportEnd>((closed) => {
    transport.open({ line: (text) => lines.push(text), fault: () => {}, closed });
  });
  return { lines, end };
}

describe('a CLI behind a WebSocket', () => {
  it('reads what is written to it, answers, and tells how it ended', async () => {
    const echo =
      "process.stdin.on('data', (data) => process.stdout.write(data)).on('end', () => (process.exitCode = 3))";
    const transport = await reach(['-e', echo]);
    const { lines, end } = follow(transport);
    const long = JSON.stringify({ text: 'ü'.repeat(200_000) });
    transport.write(long);
    transport.endInput();
    expect(await end).toMatchObject({ exitCode: 3 });
    expect(lines).toEqual([long]);
  });

  it('is not started for who does not know the token', async () => {
    await expect(reach(['--version'], 'another-token-here')).rejects.toMatchObject({
      code: 'REMOTE_REFUSED',
    });
  });

  it('is ended when the socket breaks, and home is told', async () => {
    const transport = await reach(['-e', "console.log('up'); setInterval(() => {}, 1000)"]);
    const { lines, end } = follow(transport);
    await waitUntil(() => lines.length === 1);
    sockets[0]?.terminate();
    expect(await end).toMatchObject({ error: { code: 'REMOTE_LINK_LOST' } });
    await waitUntil(() => events.some(({ type }) => type === 'ended'));
  });
});
