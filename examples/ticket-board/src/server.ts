// What the page asks for: how things stand, whenever that changes, and what a person may do. Only for this machine.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import { allow, deny, type Approvals } from 'inboard';
import type { Inspector } from 'inboard/inspector';
import { z } from 'zod';
import type { Chats } from './chats.ts';
import type { Database } from './database.ts';
import { explainError } from './explain.ts';
import { choice, text, ticket } from './ticket.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
/** How often the server looks for what an open page does not show yet, whoever has changed it. */
const LOOK_MS = 100;
const REVIEWER = { by: text('name', 60), note: text('note', 1000, 0).default('') };
const REVIEW = z.discriminatedUnion('decision', [
  ticket.extend({ decision: z.literal('approve'), ...REVIEWER }),
  z.object({ decision: z.literal('reject'), ...REVIEWER }),
]);

type Parts = { database: Database; approvals: Approvals; chats: Chats; inspector: Inspector };
export function createServer({ database: { read, write }, approvals, chats, inspector }: Parts) {
  const app = new Hono();
  app.onError((error, context) =>
    context.json({ error: explainError(error) }, error instanceof HTTPException ? error.status : 503),
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

  async function describe(chat: string) {
    const asked = await approvals.list();
    const all = await read<{ id: string; title: string }>('SELECT id, title FROM chats ORDER BY rowid DESC');
    const activityOf = (id: string): string => {
      if (asked.some(({ sessionId }) => sessionId === id)) return 'review';
      const work = chats.works.get(id);
      return !work ? 'idle' : work.turn?.state === 'running' ? 'working' : 'queued';
    };
    return {
      chats: all.map(({ id, title }) => ({ id, title, activity: activityOf(id) })),
      messages: await read('SELECT * FROM messages WHERE chat = ? ORDER BY number', chat),
      writing: chats.works.get(chat)?.text ?? '',
      staged: asked.map(({ id, sessionId, input }) => ({ id, chat: sessionId, ...input })),
      tickets: await read('SELECT * FROM tickets ORDER BY id DESC'),
    };
  }
  app.get('/api/state', (context) =>
    streamSSE(context, async (stream) => {
      for (let sent = ''; !stream.aborted; await pause(LOOK_MS)) {
        const state = describe(context.req.query('chat') ?? '');
        const data = JSON.stringify(await state.catch((error: unknown) => ({ error: explainError(error) })));
        if (data !== sent) await stream.writeSSE({ data });
        sent = data;
      }
    }),
  );

  async function checkChat(id: string): Promise<string> {
    const isKnown = (await read('SELECT 1 FROM chats WHERE id = ?', id)).length > 0;
    return isKnown ? id : refuse(404, 'There is no such chat.');
  }
  app.post('/api/chats/:id/messages', async ({ req, json }) => {
    const message = await readBody(req, z.object({ text: text('message', 8000) }));
    const id = req.param('id') === 'new' ? randomUUID() : await checkChat(req.param('id'));
    if (await chats.say(id, message.text)) return json({ id }, 202);
    return refuse(409, 'The agent is still at work in this chat. Wait, or stop it.');
  });
  app.post('/api/chats/:id/stop', async ({ req, json }) => {
    await chats.stop(await checkChat(req.param('id')));
    return json({});
  });
  app.post('/api/staged/:id', async ({ req, json }) => {
    const { decision, by, note, ...agreed } = await readBody(req, REVIEW);
    const isYes = decision === 'approve';
    const result = isYes ? allow({ input: { ...agreed, note } }) : deny(note || 'No reason given.');
    if (await approvals.answer(req.param('id'), result, { by })) return json({});
    const given = (await approvals.list({ answered: true })).find(({ id }) => id === req.param('id'))?.answer;
    if (!given) return refuse(410, 'It was withdrawn: the agent no longer waits for it.');
    const did = given.result.behavior === 'allow' ? 'approved' : 'rejected';
    return refuse(409, `${given.by ?? 'Somebody'} was faster and has ${did} it.`);
  });
  app.patch('/api/tickets/:id', async ({ req, json }) => {
    const { status } = await readBody(req, z.object({ status: choice('status', 'open', 'done') }));
    const isKnown = await write('UPDATE tickets SET status = ? WHERE id = ?', status, req.param('id'));
    return isKnown ? json({}) : refuse(404, 'There is no such ticket.');
  });
  app.get('/inspector', (context) => context.redirect(inspector.createLink()));
  app.get('*', serveStatic({ root: join(import.meta.dirname, '..', 'public') }));
  return app;
}

/** Says no to whoever asked, in words for a person. */
function refuse(status: 403 | 404 | 409 | 410 | 413 | 415 | 422, message: string): never {
  throw new HTTPException(status, { message });
}

async function readBody<Body>(request: HonoRequest, schema: z.ZodType<Body>): Promise<Body> {
  const read = schema.safeParse(await request.json().catch(() => refuse(422, 'Send JSON.')));
  return read.success ? read.data : refuse(422, read.error.issues[0]?.message ?? 'That cannot be read.');
}
