// What the page asks for: mails, drafts that wait, turns of the agent. Requests of other sites are refused.
import { randomUUID } from 'node:crypto';
import { once, type EventEmitter } from 'node:events';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import { allow, deny } from 'inboard';
import { toUiResponse } from 'inboard/ui';
import type { NewMail } from '../src/new-mail.ts';
import { readDraft, type Desk } from '../src/outgoing.ts';

type Parts = {
  desk: Desk;
  newMail: NewMail;
  changes: EventEmitter;
  about: object;
  arrive: (() => void) | undefined;
};

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

function createApp({ desk, newMail, changes, about, arrive }: Parts): Hono {
  const { mailbox, approvals } = desk;
  const app = new Hono();
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], frameAncestors: ["'none'"] } }));
  app.use(async (c, next) => {
    const [host = '', origin] = [c.req.header('host'), c.req.header('origin')];
    const isOurs = /^(127\.0\.0\.1|localhost):\d+$/.test(host) && (!origin || origin === `http://${host}`);
    return isOurs ? await next() : c.text('Only the page of this server may ask.', 403);
  });
  app.onError((error, c) => c.json({ error: error.message }, 400));
  app.get('/api/state', async (c) => {
    const [mailboxes, drafts] = await Promise.all([mailbox.list(), approvals.list()]);
    return c.json({ about, mailboxes, drafts, ...newMail.state() });
  });
  app.get('/api/mails/:box', async (c) => c.json(await mailbox.search(c.req.param('box'), {})));
  app.get('/api/mails/:box/:uid', async (c) => {
    const { box, uid } = c.req.param();
    await mailbox.flag(box, Number(uid), '\\Seen');
    return c.json((await mailbox.read(box, Number(uid))).mail);
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
  app.post('/api/chat', async (c) => {
    const { text, session } = await c.req.json<Record<string, unknown>>();
    if (typeof text !== 'string' || text.trim() === '') throw new Error('There is no "text"');
    const id = typeof session === 'string' ? session : randomUUID();
    const turn = newMail.say(id, text, session === undefined);
    // The turn goes on without a reader, too: a closed tab leaves its drafts to the others.
    return toUiResponse(turn);
  });
  if (arrive) {
    app.post('/api/arrive', (c) => {
      arrive();
      return c.json({});
    });
  }
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
