// hono.mjs
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { chat } from './chat.mjs';

const app = new Hono();
app.all('/api/chat/*', (context) => chat.fetch(context.req.raw));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) });

process.once('SIGTERM', async () => {
  await chat.close();
  server.close();
});
