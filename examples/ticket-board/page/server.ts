// The page's side of the server: how things stand, whenever that changes, and what a person may do about it. Only for this machine.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono, type HonoRequest } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import { allow, deny } from 'inboard';
import type { Chats, Parts } from '../src/chats.ts';
import { checkChoice, checkText, checkTicket, refuse } from '../src/check-input.ts';
import { explainError } from '../src/explain.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
/** Pages are told of changes no more often than this. */
const PACE_MS = 50;

/** `openInspector` gives an address that shows the agents at work. */
export function createServer(
  { database, approvals }: Parts,
  chats: Chats,
  openInspector: () => Promise<string>,
) {
  const { read, write, changes } = database;
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
    const staged = (await approvals.list()).map(({ id, sessionId, input }) => ({
      id,
      chat: sessionId,
      ...input,
    }));
    const all = await read<{ id: string; title: string }>('SELECT id, title FROM chats ORDER BY rowid DESC');
    const activityOf = (id: string): string => {
      if (staged.some((ticket) => ticket.chat === id)) return 'review';
      const work = chats.works.get(id);
      return !work ? 'idle' : work.turn?.state === 'running' ? 'working' : 'queued';
    };
    return {
      chats: all.map(({ id, title }) => ({ id, title, activity: activityOf(id) })),
      messages: await read('SELECT * FROM messages WHERE chat = ? ORDER BY number', chat),
      writing: chats.works.get(chat)?.text ?? '',
      staged,
      tickets: await read('SELECT * FROM tickets ORDER BY id DESC'),
    };
  }
  app.get('/api/state', (context) =>
    streamSSE(context, async (stream) => {
      const left = new AbortController();
      stream.onAbort(() => left.abort());
      while (!stream.aborted) {
        // Heard of before it is looked at: no change is missed. A slow page gets fewer, never a queue of old ones.
        const changed = once(changes, 'change', { signal: left.signal }).catch(() => {});
        const state = describe(context.req.query('chat') ?? '');
        const data = await state.catch((error: unknown) => ({ error: explainError(error) }));
        await stream.writeSSE({ data: JSON.stringify(data) });
        await changed;
        await pause(PACE_MS);
      }
    }),
  );

  const checkChat = async (id: string): Promise<string> =>
    (await read('SELECT 1 FROM chats WHERE id = ?', id)).length > 0
      ? id
      : refuse(404, 'There is no such chat.');
  app.post('/api/chats/:id/messages', async ({ req, json }) => {
    const text = checkText((await readBody(req))['text'], 'message', 8000);
    const id = req.param('id') === 'new' ? randomUUID() : await checkChat(req.param('id'));
    if (await chats.say(id, text)) return json({ id }, 202);
    return refuse(409, 'The agent is still at work in this chat. Wait, or stop it.');
  });
  app.post('/api/chats/:id/stop', async ({ req, json }) => {
    await chats.stop(await checkChat(req.param('id')));
    return json({});
  });
  app.post('/api/staged/:id', async ({ req, json }) => {
    const body = await readBody(req);
    const note = checkText(body['note'] ?? '', 'note', 1000, 0);
    const isYes = checkChoice(body['decision'], 'decision', 'approve', 'reject') === 'approve';
    const result = isYes
      ? allow({ input: { ...checkTicket(body), note } })
      : deny(note || 'No reason given.');
    if (await approvals.answer(req.param('id'), result, { by: checkText(body['by'], 'name', 60) }))
      return json({});
    const given = (await approvals.list({ answered: true })).find(({ id }) => id === req.param('id'))?.answer;
    if (!given) return refuse(410, 'It was withdrawn: the agent no longer waits for it.');
    const did = given.result.behavior === 'allow' ? 'approved' : 'rejected';
    return refuse(409, `${given.by ?? 'Somebody'} was faster and has ${did} it.`);
  });
  app.patch('/api/tickets/:id', async ({ req, json }) => {
    const status = checkChoice((await readBody(req))['status'], 'status', 'open', 'done');
    const isKnown = await write('UPDATE tickets SET status = ? WHERE id = ?', status, req.param('id'));
    return isKnown ? json({}) : refuse(404, 'There is no such ticket.');
  });
  app.get('/inspector', async (context) => context.redirect(await openInspector()));
  app.get('*', serveStatic({ root: join(import.meta.dirname, '..', 'public') }));
  return app;
}

async function readBody(request: HonoRequest): Promise<Record<string, unknown>> {
  return Object(await request.json().catch(() => refuse(422, 'Send JSON.'))) as Record<string, unknown>;
}
