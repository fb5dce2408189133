// The server: the chat, and the files of the page.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { toNodeListener, type UiChat } from 'inboard/ui';
import { CHAT_PATH } from './chat.ts';

const ROOT = join(import.meta.dirname, '..');
const FILES: Readonly<Record<string, { file: string; type: string }>> = {
  '/page.js': { file: 'dist/page.js', type: 'text/javascript' },
  '/page.css': { file: 'page/page.css', type: 'text/css' },
};
const PAGE = { file: 'page/index.html', type: 'text/html' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'";

/** The caller makes it listen, and closes it. */
export function createWebServer(chat: UiChat): Server {
  const answerChat = toNodeListener(chat);
  return createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === CHAT_PATH || path.startsWith(`${CHAT_PATH}/`)) answerChat(request, response);
    else sendPage(path, request, response).catch((error: unknown) => fail(response, error));
  });
}

async function sendPage(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
  // The address has the chat's id, so that a reload finds its chat.
  if (path === '/') return void response.writeHead(303, { location: `/chats/${randomUUID()}` }).end();
  const found = Object.hasOwn(FILES, path) ? FILES[path] : path.startsWith('/chats/') ? PAGE : undefined;
  if (!found) return void response.writeHead(404).end();
  const content = await readFile(join(ROOT, found.file));
  response.writeHead(200, {
    'content-type': `${found.type}; charset=utf-8`,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  });
  response.end(content);
}

function fail(response: ServerResponse, error: unknown): void {
  console.error(error);
  response.writeHead(500).end();
}
