// The routes of the API. Whoever has a token of it is one of your people, sees all conversations, and answers under the name
// that belongs to the token.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { allow, deny } from 'inboard';
import type { App } from './cluster.ts';
import { describeError, HttpError, readBody, readTextField } from './http-parts.ts';
import { sendEvents } from './sse.ts';

/** What a route is given. */
interface Call {
  cluster: App['cluster'];
  request: IncomingMessage;
  response: ServerResponse;
  /** The part of the path that names something: the key of a conversation, the id of a question. */
  name: string;
  /** Whose token it is. */
  person: string;
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

/** `people` are names by token. The caller makes the server listen, and closes it. */
export function createApi({
  cluster,
  people,
}: {
  cluster: App['cluster'];
  people: ReadonlyMap<string, string>;
}) {
  const closing = new AbortController();
  // By their hash, so that the time of a comparison says nothing about a token.
  const names = new Map([...people].map(([token, name]) => [hash(token), name]));
  const open = new Set<ServerResponse>();
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 20_000 }, (request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    const [pathname = ''] = (request.url ?? '').split('?');
    const run = async (): Promise<void> => {
      const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const person = token === undefined ? undefined : names.get(hash(token));
      if (person === undefined) throw new HttpError(401, 'A token is needed: authorization: Bearer <token>.');
      const found = ROUTES.find(({ method, path }) => method === request.method && path.test(pathname));
      if (!found) throw new HttpError(404, 'There is no such route.');
      const name = decodeName(found.path.exec(pathname)?.[1] ?? '');
      await found.run({ cluster, request, response, name, person, closing: closing.signal });
    };
    run().catch((error: unknown) => {
      const { status, ...body } = describeError(error);
      if (status === 500) console.error(JSON.stringify({ type: 'request', error: String(error) }));
      if (response.headersSent) response.destroy();
      else reply(response, status, body);
    });
  });
  server.maxConnections = 1000;
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
  return { server, close };
}

async function sendMessage({ cluster, request, response, name, person }: Call): Promise<void> {
  const body = await readBody(request);
  const [id, text] = [readTextField(body, 'id', 200), readTextField(body, 'text', 50_000)];
  const customer = readTextField(body, 'name', 200);
  const conversation = cluster.conversation(name, { agent: 'support', data: { name: customer } });
  // The same id again is the same turn: whoever is unsure whether a message got through sends it again.
  const turn = await conversation.send(text, { id, by: person });
  reply(response, 202, { turn: turn.id, state: await turn.state() });
}

async function follow({ cluster, request, response, name, closing }: Call): Promise<void> {
  const conversation = cluster.conversation(name);
  if (!(await conversation.info())) throw new HttpError(404, 'There is no such conversation.');
  await sendEvents({ conversation, request, response, closing });
}

async function listApprovals({ cluster, response }: Call): Promise<void> {
  const approvals = await cluster.approvals.list({ limit: 100 });
  reply(response, 200, { approvals });
}

async function answer({ cluster, request, response, name, person }: Call): Promise<void> {
  const body = await readBody(request);
  if (typeof body['allow'] !== 'boolean') throw new HttpError(400, '"allow" must be true or false.');
  const reason = body['reason'] === undefined ? 'The answer was no.' : readTextField(body, 'reason', 2000);
  const taken = await cluster.approvals.answer(name, body['allow'] ? allow() : deny(reason), { by: person });
  if (!taken) throw new HttpError(409, 'The question is unknown, or was answered before.');
  reply(response, 200, { by: person });
}

function reply(response: ServerResponse, status: number, body: object): void {
  // What is left of a request that was refused is not read.
  const more = status >= 400 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...more });
  response.end(`${JSON.stringify(body)}\n`);
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new HttpError(400, 'The path is not encoded correctly.');
  }
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
