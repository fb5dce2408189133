// By which names a chat may be called: a site can have one of its names lead to 127.0.0.1, and its pages may then ask anything.
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createUiChat, toNodeListener, type UiChatOptions } from '@inboard/inboard/ui.js';
import { createScene } from './chat-scene.js';

async function serve(
  chat: Partial<UiChatOptions>,
): Promise<(host: string, path?: string, post?: object) => Promise<[number, string]>> {
  const scene = createScene(() => [say('Hello.')], { chat });
  const server = createServer(toNodeListener(scene.chat));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return async (host, path = '/api/chat/c1/approvals', post) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const method = post ? 'POST' : 'GET';
      // What a browser says of a page of this very name.
      const headers = { host, ...(post && { origin: `http://${host}`, 'content-type': 'application/json' }) };
      const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, resolve);
      asking.once('error', reject);
      asking.end(post && JSON.stringify(post));
    });
    let body = '';
    for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) body += piece;
    return [response.statusCode ?? 0, body];
  };
}

const MESSAGE = { id: 'c1', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] };
const ROUTES: readonly (readonly [path: string, post?: object])[] = [
  ['/api/chat', MESSAGE],
  ['/api/chat/c1/stream'],
  ['/api/chat/c1/stop', {}],
  ['/api/chat/c1/approvals'],
  ['/api/chat/c1/approvals', { approvalId: 'a', approved: true }],
  ['/nothing'],
];

describe('a chat on loopback', () => {
  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '0.0.0.0', '192.168.0.1:80'])(
    'refuses every request that calls it %s',
    async (host) => {
      const opened: string[] = [];
      const ask = await serve({ authorize: (_request, { chatId }) => opened.push(chatId) > 0 });
      for (const [path, post] of ROUTES) {
        const [status, body] = await ask(host, path, post);
        expect([status, JSON.parse(body)]).toMatchObject([403, { code: 'FOREIGN_HOST' }]);
        expect(body).toContain('allowedHosts');
      }
      expect(opened).toEqual([]);
    },
  );

  it.each(['127.0.0.1', 'localhost:3000', 'LOCALHOST', '[::1]:3000', '127.0.0.2'])(
    'answers one that calls it %s',
    async (host) => {
      const ask = await serve({});
      expect((await ask(host))[0]).toBe(200);
      const [status, body] = await ask(host, '/api/chat', MESSAGE);
      expect(status).toBe(200);
      expect(body).toContain('Hello.');
    },
  );

  it('answers to the names that are listed, or to all', async () => {
    const listed = await serve({ allowedHosts: ['App.example'] });
    const hosts = ['app.example', 'APP.EXAMPLE:8080', 'localhost', 'other.example'];
    const statuses: number[] = [];
    for (const host of hosts) statuses.push((await listed(host))[0]);
    expect(statuses).toEqual([200, 200, 200, 403]);
    expect((await (await serve({ allowedHosts: '*' }))('evil.example'))[0]).toBe(200);
  });
});

describe('the option "allowedHosts"', () => {
  it('holds for standard requests, which do not say how they came', async () => {
    const ask = async (allowedHosts: UiChatOptions['allowedHosts'], host: string): Promise<number> => {
      const { chat } = createScene(() => [], { chat: { allowedHosts } });
      return (await chat.fetch(new Request(`http://${host}/c1/approvals`))).status;
    };
    expect(await ask(undefined, 'app.example')).toBe(200);
    expect(await ask(['app.example'], 'app.example')).toBe(200);
    expect(await ask(['app.example'], 'evil.example')).toBe(403);
    expect(await ask([], 'evil.example')).toBe(403);
  });

  it.each([['http://app.example'], ['app.example:80'], ['app.example/'], [''], [7]])('refuses %j', (name) => {
    expect(() => createUiChat({ session: () => undefined as never, allowedHosts: [name] as never })).toThrow(
      '"allowedHosts" must be a list of host names',
    );
  });
});
