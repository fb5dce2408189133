// The routes of the API. Whoever has a token of it is one of your people, and answers under the name that belongs to the token.
// People of a tenant see the conversations of this tenant, the others all of them.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { allow, deny } from 'inboard';
import type { App } from './cluster.ts';
import { decodeName, describeError, hash, HttpError, readBody, readTextField, reply } from './http-parts.ts';
import { createTroubleLog, type LogTrouble } from './log.ts';
import type { Person } from './settings.ts';
import { sendEvents } from './sse.ts';

/** What a route is given. */
interface Call {
  cluster: App['cluster'];
  request: IncomingMessage;
  response: ServerResponse;
  /** The part of the path that names something: the key of a conversation, the id of a question. */
  name: string;
  /** Whose token it is. */
  person: Person;
  /** Aborts when the server closes. */
  closing: AbortSignal;
}

const ROUTES = [
  { method: 'POST', path: /^\/conversations\/([^/]{1,300})\/messages$/, run: sendMessage },
  { method: 'GET', path: /^\/conversations\/([^/]{1,300})\/events$/, run: follow },
  { method: 'GET', path: /^\/approvals()$/, run: listApprovals },
  { method: 'POST', path: /^\/approvals\/([^/]{1,300})$/, run: answer },
] as const;

/** Milliseconds for requests under way when the server closes. */
const CLOSE_MS = 5000;

/** `people` are those who may use it, by token. `onTrouble` gets each error that is not the client's, and its path. The caller closes it. */
export function createApi({
  cluster,
  people,
  onTrouble = createTroubleLog('request'),
}: {
  cluster: App['cluster'];
  people: ReadonlyMap<string, Person>;
  onTrouble?: LogTrouble;
}) {
  const closing = new AbortController();
  // By their hash, so that the time of a comparison says nothing about a token.
  const known = new Map([...people].map(([token, person]) => [hash(token), person]));
  const open = new Set<ServerResponse>();
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 20_000 }, (request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    const [pathname = ''] = (request.url ?? '').split('?');
    const run = async (): Promise<void> => {
      const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const person = token === undefined ? undefined : known.get(hash(token));
      if (person === undefined) throw new HttpError(401, 'A token is needed: authorization: Bearer <token>.');
      const found = ROUTES.find(({ method, path }) => method === request.method && path.test(pathname));
      if (!found) throw new HttpError(404, 'There is no such route.');
      const name = decodeName(found.path.exec(pathname)?.[1] ?? '');
      await found.run({ cluster, request, response, name, person, closing: closing.signal });
    };
    run().catch((error: unknown) => {
      const { status, ...body } = describeError(error);
      if (status >= 500 && !closing.signal.aborted) onTrouble(error, { path: pathname });
      if (response.headersSent) response.destroy();
      else reply(response, status, body);
    });
  });
  server.maxConnections = 1000;
  const listen = async (port: number, host: string): Promise<void> => {
    server.listen(port, host);
    await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new Error(`PORT: port ${port} is in use. Choose another.`, { cause: error });
    });
  };
  const close = async (): Promise<void> => {
    closing.abort();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    const late = AbortSignal.timeout(CLOSE_MS);
    await Promise.all([...open].map((response) => once(response, 'close', { signal: late }))).catch(() => {});
    // Also those on which nothing was ever asked: some clients open one in advance.
    server.closeAllConnections();
    await closed;
  };
  return { server, listen, close };
}

async function sendMessage({ cluster, request, response, name, person }: Call): Promise<void> {
  const body = await readBody(request);
  const [id, text] = [readTextField(body, 'id', 200), readTextField(body, 'text', 50_000)];
  const customer = readTextField(body, 'name', 200, true);
  const conversation = findConversation(cluster, name, person, customer);
  // The same id again is the same turn: whoever is unsure whether a message got through sends it again.
  const turn = await conversation.send(text, { id, by: person.name });
  reply(response, 202, { turn: turn.id, state: await turn.state() });
}

async function follow({ cluster, request, response, name, person, closing }: Call): Promise<void> {
  const conversation = findConversation(cluster, name, person);
  if (!(await conversation.info())) throw new HttpError(404, 'There is no such conversation.');
  await sendEvents({ conversation, request, response, closing });
}

async function listApprovals({ cluster, response, person: { tenant } }: Call): Promise<void> {
  const approvals = await cluster.approvals.list({ limit: 100, tenant });
  reply(response, 200, { approvals });
}

async function answer({ cluster, request, response, name, person }: Call): Promise<void> {
  const body = await readBody(request);
  if (typeof body['allow'] !== 'boolean') throw new HttpError(400, '"allow" must be true or false.');
  const reason = body['reason'] === undefined ? 'The answer was no.' : readTextField(body, 'reason', 2000);
  // A question of another tenant is as unknown as one that does not exist.
  const [own] = await cluster.approvals.list({ id: name, tenant: person.tenant });
  const result = body['allow'] ? allow() : deny(reason);
  const taken = own && (await cluster.approvals.answer(own.id, result, { by: person.name }));
  if (!taken) throw new HttpError(409, 'The question is unknown, or was answered before.');
  reply(response, 200, { by: person.name });
}

/** The conversation of this name. Two tenants may use one name: each has a conversation of its own, which the other does not see. */
function findConversation(cluster: App['cluster'], name: string, person: Person, customer = '') {
  const key = person.tenant === undefined ? name : `${person.tenant}/${name}`;
  const tenant = /^([\w-]+)\//.exec(key)?.[1]; // whoever begins it, also your own staff
  return cluster.conversation(key, { agent: 'support', tenant, data: { name: customer } });
}
