// Which route a request has, with a path for the chat and without.
import { describe, expect, it } from 'vitest';
import { findRoute } from '../src/chat/find-route.js';

const route = (method: string, path: string, basePath?: string): unknown => {
  try {
    return findRoute(new Request(`http://chat.test${path}`, { method }), basePath);
  } catch (error) {
    return (error as { status?: unknown }).status;
  }
};

describe('a route', () => {
  it.each<[string, string, unknown]>([
    ['POST', '/api/chat', { action: 'send' }],
    ['POST', '/', { action: 'send' }],
    // The path of the chat may end in such a word itself.
    ['POST', '/stream', { action: 'send' }],
    ['GET', '/stream', 405],
    ['GET', '/api/chat/c1/stream', { action: 'read', chatId: 'c1' }],
    ['GET', '/c%2D1/messages', { action: 'history', chatId: 'c-1' }],
    ['POST', '/c1/stop', { action: 'stop', chatId: 'c1' }],
    ['GET', '/c1/approvals', { action: 'list', chatId: 'c1' }],
    ['POST', '/c1/approvals', { action: 'answer', chatId: 'c1' }],
    ['DELETE', '/c1/approvals', 405],
    ['GET', '/c1/constructor', 405],
    ['GET', '/%zz/stream', 404],
  ])('without a base path: %s %s', (method, path, expected) => {
    expect(route(method, path)).toEqual(expected);
  });

  it.each<[string, string, unknown]>([
    ['POST', '/api/chat', { action: 'send' }],
    ['GET', '/api/chat', 405],
    ['GET', '/api/chat/c1/stream', { action: 'read', chatId: 'c1' }],
    ['POST', '/api/chat/stream', 404],
    ['GET', '/api/chat/more/c1/stream', 404],
    ['POST', '/api/other', 404],
    ['POST', '/api', 404],
    ['POST', '/api/chat/more', 404],
  ])('below a base path: %s %s', (method, path, expected) => {
    expect(route(method, path, '/api/chat')).toEqual(expected);
  });
});
