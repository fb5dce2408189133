// The page of the browser proof and what it needs: the recipe's chat and the page's files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { chat } from './chat.mjs';

const built = process.env.PAGE_FOLDER;
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:";
const TYPES = { 'page.js': 'text/javascript', 'page.css': 'text/css', 'index.html': 'text/html' };

const app = new Hono();
app.all('/api/chat/*', (context) => chat.fetch(context.req.raw));
const file = (name) => async (context) =>
  context.body(await readFile(join(built, name), 'utf8'), 200, {
    'content-type': `${TYPES[name]}; charset=utf-8`,
    'content-security-policy': POLICY,
  });
app.get('/page.js', file('page.js'));
app.get('/page.css', file('page.css'));
app.get('/chats/:id', file('index.html'));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
process.once('SIGTERM', () => void chat.close().then(() => server.close()));
