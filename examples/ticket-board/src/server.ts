// What the page asks for: how things stand, whenever that changes, and what a person who is signed in may do.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import { allow, deny, type Approvals } from 'inboard';
import type { Inspector } from 'inboard/inspector';
import { z } from 'zod';
import { createLogin, requireRole, type People, type SignedIn } from '../app/login.ts';
import { readBody, refuse } from './refuse.ts';
import { describe } from '../app/state.ts';
import type { User } from '../app/users.ts';
import type { Chats } from './chats.ts';
import { explainError } from './explain.ts';
import { choice, text, ticket } from './ticket.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
/** How often the server looks for what an open page does not show yet, whoever has changed it. */
const LOOK_MS = 100;
const NOTE = { note: text('note', 1000, 0).default('') };
const REVIEW = z.discriminatedUnion('decision', [
  ticket.extend({ decision: z.literal('approve'), ...NOTE }),
  z.object({ decision: z.literal('reject'), ...NOTE }),
]);
const CHANGE = z.object({
  status: choice('status', 'open', 'done').nullish(),
  assignee: z.string().nullish(),
});

type Agents = { approvals: Approvals; chats: Chats; inspector: Inspector };
/** `origin` is where browsers find the board behind a proxy; without it, only those of this machine do. */
type Setting = Omit<People, 'isSecure'> & { origin?: string | undefined };
export function createServer(
  { approvals, chats, inspector }: Agents,
  { database, demo, origin: own }: Setting,
) {
  const { read, write } = database;
  const app = new Hono<SignedIn>();
  app.onError((error, context) =>
    context.json({ error: explainError(error) }, error instanceof HTTPException ? error.status : 503),
  );
  const [self, none] = [["'self'"], ["'none'"]];
  const policy = { defaultSrc: self, formAction: self, baseUri: none, frameAncestors: none };
  app.use(secureHeaders({ contentSecurityPolicy: policy }));
  app.use(bodyLimit({ maxSize: 64 * 1024, onError: () => refuse(413, 'That is too long.') }));
  app.use(async ({ req, header }, next) => {
    // A page of another site, or of another port, can neither reach this server under a name of its own nor write to it:
    // a browser says with every write whose page it comes from, and asks before it sends JSON to another origin.
    const { host = '', origin, 'content-type': type = '' } = req.header();
    const isHere = own === undefined ? LOCAL.test(host) : host === new URL(own).host;
    const isWrite = req.method !== 'GET' && req.method !== 'HEAD';
    const isOurs = origin === (own ?? `http://${host}`) || (origin === undefined && !isWrite);
    if (!isHere || !isOurs) refuse(403, 'Only for pages of this machine.');
    if (isWrite && !type.startsWith('application/json')) refuse(415, 'Send JSON.');
    if (isWrite) await database.check();
    if (req.path.startsWith('/api/')) header('cache-control', 'no-store');
    await next();
  });
  const login = createLogin({ database, demo, isSecure: own?.startsWith('https:') === true });
  app.route('/', login.app);
  app.use('/api/*', login.requireUser);
  app.use('/inspector', login.requireUser);

  app.get('/api/state', (context) =>
    streamSSE(context, async (stream) => {
      for (let sent = ''; !stream.aborted; await pause(LOOK_MS)) {
        const me = await login.findUser(context);
        // The page asks again, and is told to sign in.
        if (!me) return;
        const state = describe(database, chats, context.req.query());
        const now = await state.catch((error: unknown) => ({ error: explainError(error) }));
        const data = JSON.stringify({ me, ...now });
        if (data !== sent) await stream.writeSSE({ data });
        sent = data;
      }
    }),
  );
  app.get('/api/history', async ({ json }) =>
    json(await read('SELECT * FROM history ORDER BY number DESC LIMIT 200')),
  );

  async function checkChat(id: string): Promise<string> {
    const isKnown = (await read('SELECT 1 FROM chats WHERE id = ?', id)).length > 0;
    return isKnown ? id : refuse(404, 'There is no such chat.');
  }
  app.post('/api/chats/:id/messages', async ({ req, json, var: { user } }) => {
    const message = await readBody(req, z.object({ text: text('message', 8000) }));
    const id = req.param('id') === 'new' ? randomUUID() : await checkChat(req.param('id'));
    if (await chats.say(id, message.text, user.name)) return json({ id }, 202);
    return refuse(409, 'The agent is still at work in this chat. Wait, or stop it.');
  });
  app.post('/api/chats/:id/stop', async ({ req, json, var: { user } }) => {
    await chats.stop(await checkChat(req.param('id')), user.name);
    return json({});
  });
  app.post('/api/staged/:id', async ({ req, json, var: { user } }) => {
    requireRole(user, 'reviewer', 'decide on tickets');
    const { decision, note, ...agreed } = await readBody(req, REVIEW);
    const isYes = decision === 'approve';
    const result = isYes ? allow({ input: { ...agreed, note } }) : deny(note || 'No reason given.');
    if (await approvals.answer(req.param('id'), result, { by: user.name })) return json({});
    const given = (await approvals.list({ answered: true })).find(({ id }) => id === req.param('id'))?.answer;
    if (!given) return refuse(410, 'It was withdrawn: the agent no longer waits for it.');
    const did = given.result.behavior === 'allow' ? 'approved' : 'rejected';
    return refuse(409, `${given.by ?? 'Somebody'} was faster and has ${did} it.`);
  });
  app.patch('/api/tickets/:id', async ({ req, json, var: { user } }) => {
    const { status = null, assignee = null } = await readBody(req, CHANGE);
    const [found] = await read<User>("SELECT name FROM users WHERE name = ? AND role <> 'none'", assignee);
    if (assignee && !found) refuse(422, `Nobody is called ${assignee}.`);
    const sql = `UPDATE tickets SET status = coalesce(?, status), changed_by = ?,
      assignee = iif(? IS NULL, assignee, ?) WHERE id = ?`;
    if (await write(sql, status, user.name, assignee, found?.name ?? null, req.param('id'))) return json({});
    return refuse(404, 'There is no such ticket.');
  });
  app.post('/api/tickets/:id/comments', async ({ req, json, var: { user } }) => {
    const comment = await readBody(req, z.object({ text: text('comment', 4000) }));
    const sql =
      'INSERT INTO comments (ticket, author, at, text) SELECT id, ?, ?, ? FROM tickets WHERE id = ?';
    if (await write(sql, user.name, Date.now(), comment.text, req.param('id'))) return json({});
    return refuse(404, 'There is no such ticket.');
  });
  app.get('/inspector', (context) => {
    requireRole(context.var.user, 'admin', 'see every frame of every chat');
    return context.redirect(inspector.createLink());
  });
  app.get('*', serveStatic({ root: join(import.meta.dirname, '..', 'public') }));
  return app;
}
