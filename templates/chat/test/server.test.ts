// The server: the files of the page, and what it refuses.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeCli, text } from 'inboard/testing';
import { mayUse, readUser } from '../src/visitors.ts';
import { startServer } from './support.ts';

const cli = () => ({ transport: createFakeCli([text('Hello.')], { allowEarlyEnd: true }).transport });

it('gives each visitor a page with a chat of its own', async (test) => {
  const server = await startServer(test, cli);
  const first = await fetch(server.url, { redirect: 'manual' });
  const second = await fetch(server.url, { redirect: 'manual' });
  assert.match(String(first.headers.get('location')), /^\/chats\/[0-9a-f-]{36}$/);
  assert.notEqual(first.headers.get('location'), second.headers.get('location'));
  const page = await fetch(new URL(String(first.headers.get('location')), server.url));
  assert.match(String(page.headers.get('content-security-policy')), /default-src 'none'/);
  assert.match(String(page.headers.get('content-security-policy')), /frame-ancestors 'none'/);
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.match(await page.text(), /<script type="module" src="\/page\.js">/);
  assert.match(String((await fetch(`${server.url}/page.css`)).headers.get('content-type')), /^text\/css/);
  assert.equal((await fetch(`${server.url}/package.json`)).status, 404);
  assert.equal((await fetch(`${server.url}/chats/../../package.json`)).status, 404);
});

it('refuses other sites, and chats with made-up ids', async (test) => {
  const server = await startServer(test, cli);
  const post = async (id: string, headers: Record<string, string> = {}) => {
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] };
    const response = await fetch(server.api, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id, messages: [message] }),
    });
    await response.text();
    return response.status;
  };
  assert.equal(await post('made-up'), 403);
  assert.equal(await post(crypto.randomUUID(), { origin: 'https://evil.example' }), 403);
  assert.equal(await post(crypto.randomUUID()), 200);
});

it('lets nobody in without a login, where a proxy names the visitors', async () => {
  const ask = (headers: Record<string, string>) => new Request('http://chat.example/', { headers });
  const chat = { chatId: crypto.randomUUID(), action: 'history' } as const;
  for (const headers of [{}, { 'x-forwarded-user': '' }] as Record<string, string>[]) {
    const refused = mayUse(ask(headers), chat, 'x-forwarded-user');
    assert.equal(refused instanceof Response && refused.status, 401);
  }
  const request = ask({ 'x-forwarded-user': 'ines' });
  assert.equal(mayUse(request, chat, 'x-forwarded-user'), true);
  assert.equal(readUser(request, 'x-forwarded-user'), 'ines');
  // Without such a proxy, a header says nothing.
  assert.equal(readUser(request, undefined), undefined);
});
