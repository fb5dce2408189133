// The chat behind `node:http`, over real sockets.
import { createServer, get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toNodeListener, type FetchHandler } from '@inboard/inboard/ui.js';

async function serve(
  handler: FetchHandler['fetch'],
  prepare: (request: object, response: ServerResponse) => Promise<void> | void = () => {},
): Promise<string> {
  const listen = toNodeListener({ fetch: handler });
  const server: Server = createServer((request, response) => {
    void Promise.resolve(prepare(request, response)).then(() => listen(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a listener of node:http', () => {
  it('passes method, path, headers and body on, and the answer back', async () => {
    const url = await serve(async (request) => {
      const { pathname, search } = new URL(request.url);
      const said = [request.method, pathname + search, request.headers.get('x-mine'), await request.text()];
      return Response.json(said, { status: 201, headers: { 'x-yours': 'b' } });
    });
    const response = await fetch(`${url}/a/b?c=d`, {
      method: 'POST',
      headers: { 'x-mine': 'a' },
      body: 'e'.repeat(300_000),
    });
    expect([response.status, response.headers.get('x-yours')]).toEqual([201, 'b']);
    expect(await response.json()).toEqual(['POST', '/a/b?c=d', 'a', 'e'.repeat(300_000)]);
  });

  it('takes the path before a router cut it, and a body that a parser has read', async () => {
    const url = await serve(
      async (request) => Response.json([new URL(request.url).pathname, await request.json()]),
      async (request) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
        Object.assign(request, { originalUrl: '/mounted/x', url: '/x', body });
      },
    );
    const response = await fetch(url, { method: 'POST', body: '{"a":1}' });
    expect(await response.json()).toEqual(['/mounted/x', { a: 1 }]);
  });

  it('sends pieces as they come, no faster than they are read, and tells of a client that left', async () => {
    let sent = 0;
    let leave: (reason: unknown) => void = () => {};
    const left = new Promise((resolve) => (leave = resolve));
    const url = await serve((request) => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1;
          controller.enqueue(new Uint8Array(64 * 1024));
        },
        cancel: () => leave(request.signal.aborted),
      });
      return new Response(body);
    });
    const response = await fetch(url);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
    expect(await left).toBe(true);
    expect(sent).toBeLessThan(10_000);
  });

  it('survives a body that nobody wants to read to its end, and serves the connection again', async () => {
    const failures: unknown[] = [];
    const note = (error: unknown): void => void failures.push(error);
    process.on('uncaughtException', note);
    onTestFinished(() => void process.off('uncaughtException', note));
    const url = await serve(async (request) => {
      const reader = (request.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.cancel();
      return new Response(null, { status: 413 });
    });
    for (let count = 0; count < 2; count += 1) {
      const pieces = Array.from({ length: 20 }, () => new Uint8Array(64 * 1024));
      const body = new Blob(pieces).stream();
      expect((await fetch(url, { method: 'POST', body, duplex: 'half' })).status).toBe(413);
    }
    expect(failures).toEqual([]);
  });

  it('takes a path with two slashes for a path, and passes every cookie on', async () => {
    const url = await serve((request) => {
      const headers = new Headers([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ]);
      return Response.json([new URL(request.url).host, new URL(request.url).pathname], { headers });
    });
    const { host, hostname, port } = new URL(url);
    const [body, cookies] = await new Promise<[string, unknown]>((resolve, reject) => {
      const request = get({ hostname, port, path: '//elsewhere.test/x' }, (response) => {
        response.setEncoding('utf8').once('data', (text: string) => {
          resolve([text, response.headers['set-cookie']]);
        });
      });
      request.once('error', reject);
    });
    expect(JSON.parse(body)).toEqual([host, '//elsewhere.test/x']);
    expect(cookies).toEqual(['a=1', 'b=2']);
  });

  it('answers without a body, and ends the connection when the handler fails', async () => {
    const empty = await serve(() => new Response(null, { status: 204 }));
    expect((await fetch(empty)).status).toBe(204);
    const failing = await serve(() => Promise.reject(new Error('secret')));
    const response = await fetch(failing);
    expect([response.status, await response.text()]).toEqual([500, '']);
    const breaking = await serve(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.error(new Error('broken')),
          }),
        ),
    );
    await expect(fetch(breaking).then((each) => each.text())).rejects.toThrow();
  });
});

it('refuses what answers nothing', () => {
  for (const chat of [undefined, null, {}, () => {}])
    expect(() => toNodeListener(chat as never)).toThrow(/a method "fetch"/);
});
