// What the page asks for: the desk as it stands, the events of one conversation, and what a person may do. Only for this
// machine. No CLI runs here: messages and answers go into the journal.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import { allow, deny } from 'inboard';
import { z } from 'zod';
import type { Desk } from './desk.ts';
import type { Workers } from './workers.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
const LOOK_MS = 250;
const MESSAGE = z.object({
  text: z.string().trim().min(1, 'The message is missing.').max(4000, 'At most 4000 characters.'),
  customer: z.string().trim().min(1).max(60).default('a customer'),
  /** Made by the page: a message that is sent twice is sent once. */
  id: z.string().max(60).optional(),
});
const ANSWER = z.object({ ok: z.boolean(), by: z.string().trim().max(60).default('Somebody') });

export function createServer({ cluster, ledger }: Desk, workers: Workers) {
  const app = new Hono();
  app.onError((error, context) =>
    context.json({ error: error.message }, error instanceof HTTPException ? error.status : 503),
  );
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'self'"], frameAncestors: ["'none'"] } }));
  app.use(bodyLimit({ maxSize: 64 * 1024, onError: () => refuse(413, 'That is too long.') }));
  app.use(async ({ req }, next) => {
    // A page of another site can neither reach this server under a name of its own nor write to it.
    const { host = '', origin = `http://${host}`, 'content-type': type = '' } = req.header();
    if (!LOCAL.test(host) || origin !== `http://${host}`) refuse(403, 'Only for pages of this machine.');
    if (req.method !== 'GET' && !type.startsWith('application/json')) refuse(415, 'Send JSON.');
    await next();
  });

  async function describe() {
    const all = await cluster.conversations({ limit: 200 });
    const countOf = (name: string) => all.filter(({ lease }) => lease?.owner === name).length;
    return {
      conversations: all
        .toSorted((one, other) => other.createdAt - one.createdAt)
        .map(({ key, data, state, lease }) => ({ key, ...(data as object), state, owner: lease?.owner })),
      approvals: await cluster.approvals.list(),
      workers: workers.list().map((worker) => ({ ...worker, conversations: countOf(worker.name) })),
      refunds: (await ledger.list()).map(({ order, usd }) => ({ order, usd })),
      takeovers: (await cluster.stats()).takeovers,
    };
  }
  app.get('/api/desk', (context) =>
    streamSSE(context, async (stream) => {
      for (let sent = ''; !stream.aborted; await pause(LOOK_MS)) {
        const state = describe().catch((error: Error) => ({ error: error.message }));
        const data = JSON.stringify(await state);
        if (data !== sent) await stream.writeSSE({ data });
        sent = data;
      }
    }),
  );
  app.get('/api/conversations/:key/events', (context) =>
    streamSSE(context, async (stream) => {
      const controller = new AbortController();
      stream.onAbort(() => controller.abort());
      // The browser says by itself what it has seen, also after the server was away.
      const after = context.req.header('last-event-id');
      const conversation = cluster.conversation(context.req.param('key'));
      for await (const event of conversation.events({ after, signal: controller.signal }))
        await stream.writeSSE({ id: String(event.id), data: JSON.stringify(event) });
    }),
  );
  app.post('/api/conversations/:key/messages', async ({ req, json }) => {
    const { text, customer, id } = await readBody(req, MESSAGE);
    const key = req.param('key') === 'new' ? randomUUID().slice(0, 8) : req.param('key');
    const conversation = cluster.conversation(key, { agent: 'support', data: { customer } });
    const turn = await conversation.send(text, id === undefined ? {} : { id });
    return json({ key, turn: turn.id }, 202);
  });
  app.post('/api/conversations/:key/interrupt', async ({ req, json }) =>
    json({ stopped: await cluster.conversation(req.param('key')).interrupt() }),
  );
  app.post('/api/approvals/:id', async ({ req, json }) => {
    const { ok, by } = await readBody(req, ANSWER);
    const result = ok ? allow() : deny(`${by} has refused it.`);
    if (await cluster.approvals.answer(req.param('id'), result, { by })) return json({});
    return refuse(409, 'Somebody was faster, or the question was withdrawn.');
  });
  app.post('/api/workers/:name/kill', async ({ req, json }) =>
    (await workers.kill(req.param('name'))) ? json({}) : refuse(404, 'That worker is gone already.'),
  );
  app.get('*', serveStatic({ root: join(import.meta.dirname, '..', 'public') }));
  return app;
}

/** Says no to whoever asked, in words for a person. */
function refuse(status: 403 | 404 | 409 | 413 | 415 | 422, message: string): never {
  throw new HTTPException(status, { message });
}

async function readBody<Body>(request: HonoRequest, schema: z.ZodType<Body>): Promise<Body> {
  const read = schema.safeParse(await request.json().catch(() => refuse(422, 'Send JSON.')));
  return read.success ? read.data : refuse(422, read.error.issues[0]?.message ?? 'That cannot be read.');
}
