// A connection brings one request at a time: counted on a real server with a client that sends ahead and reads nothing.
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { oneAtATime } from '../../src/util/one-at-a-time.js';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

async function serve(listener: (outgoing: ServerResponse) => void): Promise<number> {
  const server = createServer(oneAtATime((_, outgoing) => listener(outgoing)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

it.each([
  ['answers later', (outgoing: ServerResponse) => void setImmediate(() => outgoing.end('one'))],
  ['never answers', () => {}],
])('ends a connection whose client sends ahead, where the server %s', async (_, answer) => {
  const listener = vi.fn(answer);
  const port = await serve(listener);
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  undo.push(() => socket.destroy());
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // Some 500 requests come with one read of the server.
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2000));
  await closed;
  expect(listener).toHaveBeenCalledOnce();
});

it('keeps a connection whose client waits for its answers', async () => {
  const ports = new Set<number | undefined>();
  const port = await serve((outgoing) => {
    ports.add(outgoing.req.socket.remotePort);
    // Written in many pieces, so that the end of the answer is late.
    for (let part = 0; part < 100; part += 1) outgoing.write('x'.repeat(10_000));
    outgoing.end();
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  undo.push(() => agent.destroy());
  for (let count = 0; count < 50; count += 1) {
    const length = await new Promise<number>((resolve, reject) => {
      request({ port, host: '127.0.0.1', agent }, (response) => {
        let read = 0;
        response.on('data', (chunk: Buffer) => (read += chunk.length));
        response.once('end', () => resolve(read));
      })
        .once('error', reject)
        .end();
    });
    expect(length).toBe(1_000_000);
  }
  expect(ports.size).toBe(1);
});
