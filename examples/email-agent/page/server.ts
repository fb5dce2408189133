// What the page asks for: mails, drafts that wait, conversations with the agent. Requests of other sites are refused.
import { once, type EventEmitter } from 'node:events';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import { allow, deny } from 'inboard';
import type { Agent } from '../src/agent.ts';
import type { NewMail } from '../src/new-mail.ts';
import { readDraft, type Desk } from '../src/outgoing.ts';

type Work = { desk: Desk; agent: Agent; newMail: NewMail; changes: EventEmitter };
type Parts = Work & { about: object; arrive: (() => void) | undefined };

/** Serves the page on this machine alone; rejects when that cannot be. Whoever asks for it disposes of it. */
export async function servePage(port: number, parts: Parts) {
  const server = createAdaptorServer(createApp(parts)).listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE';
    throw isTaken ? new Error(`Port ${port} is taken; choose another with PORT=… npm start`) : error;
  });
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose](): void {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

function createApp({ desk, agent, newMail, changes, about, arrive }: Parts): Hono {
  const { mailbox, approvals } = desk;
  const app = new Hono();
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], frameAncestors: ["'none'"] } }));
  app.use(async (c, next) => {
    const [host = '', origin] = [c.req.header('host'), c.req.header('origin')];
    const isOurs = /^(127\.0\.0\.1|localhost):\d+$/.test(host) && (!origin || origin === `http://${host}`);
    return isOurs ? await next() : c.text('Only the page of this server may ask.', 403);
  });
  app.use(bodyLimit({ maxSize: 1_000_000, onError: (c) => c.json({ error: 'That is too long.' }, 413) }));
  app.onError((error, c) => c.json({ error: error.message }, 400));
  app.get('/api/state', async (c) => {
    const [mailboxes, drafts] = await Promise.all([mailbox.list(), approvals.list()]);
    return c.json({ about, mailboxes, drafts, ...newMail.state() });
  });
  app.get('/api/mails/:box', async (c) =>
    c.json(await mailbox.search(c.req.param('box'), { text: c.req.query('text') || undefined })),
  );
  app.get('/api/mails/:box/:uid', async (c) => {
    const { box, uid } = c.req.param();
    return c.json((await mailbox.read(box, Number(uid))).mail);
  });
  // Apart from reading, so that nothing but a person's click marks a mail.
  app.post('/api/mails/:box/:uid/seen', async (c) => {
    const { box, uid } = c.req.param();
    return c.json(await mailbox.flag(box, Number(uid), '\\Seen'));
  });
  app.get('/api/mails/:box/:uid/:index', async (c) => {
    const { box, uid, index } = c.req.param();
    const { name, content } = (await mailbox.read(box, Number(uid))).files[Number(index)] ?? {};
    if (!content || !name) return c.notFound();
    // To be saved, never shown: it may be a page with a script.
    c.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
    return c.body(new Uint8Array(content), 200, { 'content-type': 'application/octet-stream' });
  });
  app.post('/api/drafts/:id', async (c) => {
    const { reason, ...draft } = await c.req.json<Record<string, unknown>>();
    const decision = typeof reason === 'string' ? deny(reason || 'no') : allow({ input: readDraft(draft) });
    const isFirst = await approvals.answer(c.req.param('id'), decision);
    changes.emit('change');
    return isFirst ? c.json({}) : c.json({ error: 'This draft has been decided already.' }, 409);
  });
  // An answer goes on without a reader, too: a closed tab leaves its drafts to the others.
  app.all('/api/chat/*', async (c) => {
    const response = await agent.chat.fetch(c.req.raw);
    if (c.req.path.endsWith('/stop')) changes.emit('change'); // its drafts wait no longer
    return response;
  });
  if (arrive) app.post('/api/arrive', (c) => c.json({ arrived: arrive() }));
  app.get('/api/changes', (c) =>
    streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      const tell = () => void stream.writeSSE({ data: 'changed' });
      changes.on('change', tell);
      try {
        // Drafts that begin to wait; what becomes of one is told by whoever decides.
        for await (const _ of approvals.watch({ signal: gone.signal })) tell();
      } finally {
        changes.off('change', tell);
      }
    }),
  );
  app.use(serveStatic({ root: join(import.meta.dirname, '..', 'public') }));
  return app;
}
