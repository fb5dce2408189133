// The routes of the server, and who may use them. Addresses are compared exactly, and never lead to files.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameSecret, readBearer, readTarget } from '@inboard/core/util/loopback-http.js';
import { SECRET_HEADER } from '../model/entry.js';
import { readDeed } from '../model/audit-part.js';
import type { ActionResult } from '../model/page-contract.js';
import type { SessionSource } from '../sources/session-source.js';
import type { Admission } from './admission.js';
import { replyJson, replyRefusal, sendHttpReply, type HttpReply } from './http-reply.js';
import { serveAsset, type PageAssets } from './page-assets.js';
import { PAGE } from './page-document.js';
import type { Presenter } from './present.js';
import { BadAction, readAction, readEntryKey } from './read-action.js';
import { readBody } from './read-body.js';
import { refuseDeed, refuseRequest, refuseVisit, type AccessRules } from './request-access.js';
import type { StreamPlace } from './event-stream.js';

/** What the routes need. */
export interface Served {
  source: SessionSource;
  present: Presenter;
  admission: Admission;
  rules: AccessRules;
  assets: PageAssets;
  isReadOnly: boolean;
  /** A secret that this user's own programs know, and with which they may ask for a link. */
  controlSecret: string;
  /** Creates a link with the given origin, or with that of the server. */
  createLink(origin?: string): string;
  /** The page without data, compressed; undefined if there is none. */
  blankPage(): Buffer | undefined;
  /** Opens a stream to a page; gives false if there are too many. */
  openStream(response: ServerResponse, place: StreamPlace): boolean;
}

interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

export interface Route {
  method: 'GET' | 'POST';
  /**
   * `page`: everyone who opens the page in a tab. `open`: the page in any browser, let in or not. `browser`: the page in
   * browsers that were let in. `program`: programs of this user.
   */
  access: 'page' | 'open' | 'browser' | 'program';
  /** The answer; undefined if the route writes the response itself. */
  answer(visit: Visit): HttpReply | undefined | Promise<HttpReply | undefined>;
}

interface Exchange extends Omit<Visit, 'url'> {
  routes: Readonly<Record<string, Route>>;
  served: Served;
}

const MOST_EVENTS = 5000;
const NOT_ADMITTED = {
  status: 401,
  code: 'NOT_ADMITTED',
  message: 'This browser was not let in, or its link was used or is too old: npx inboard inspect --link',
};

/** The routes, by their addresses. */
export function listRoutes(served: Served): Readonly<Record<string, Route>> {
  const { source, assets } = served;
  return {
    // The document is the same for all; only the data is secret.
    '/': { method: 'GET', access: 'page', answer: () => PAGE },
    ...Object.fromEntries([...assets.served].map(([name, packed]) => [`/${name}`, fileRoute(name, packed)])),
    '/api/enter': { method: 'POST', access: 'open', answer: (visit) => answerEntry(served, visit) },
    '/api/state': { method: 'GET', access: 'browser', answer: () => replyJson(served.present.state()) },
    '/api/events': {
      method: 'GET',
      access: 'browser',
      answer: async ({ url }) => {
        const session = readParameter(url, 'session');
        const limit = readNumber(url, 'limit', 1000);
        const batch = await source.read(
          session,
          readNumber(url, 'after', 0),
          Math.min(limit || 1, MOST_EVENTS),
        );
        return replyJson(batch);
      },
    },
    '/api/line': {
      method: 'GET',
      access: 'browser',
      answer: async ({ url }) => {
        const line = await source.readWhole(readParameter(url, 'session'), readNumber(url, 'n', 0));
        if (line === undefined)
          return refuse(404, 'NO_EVENT', 'The event does not exist, or no longer does.');
        return { status: 200, type: 'text/plain', body: line };
      },
    },
    '/api/blank-page': {
      method: 'GET',
      access: 'browser',
      answer: ({ request }) => {
        const packed = served.blankPage();
        if (!packed) return refuse(404, 'NO_BLANK_PAGE', 'Nothing here can be saved as a page.');
        return serveAsset('text/plain', packed)(request);
      },
    },
    '/api/audit': { method: 'GET', access: 'browser', answer: (visit) => answerAudit(source, visit) },
    '/api/stream': { method: 'GET', access: 'browser', answer: (visit) => answerListener(served, visit) },
    '/api/act': { method: 'POST', access: 'browser', answer: (visit) => answerAction(served, visit) },
    '/api/link': {
      method: 'POST',
      access: 'program',
      answer: ({ request }) => {
        request.resume();
        return replyJson({ url: served.createLink(), title: source.title, kind: source.kind });
      },
    },
  };
}

/** Creates the function that answers every request. */
export function createRoutes(served: Served): (request: IncomingMessage, response: ServerResponse) => void {
  const routes = listRoutes(served);
  return (request, response) => {
    answer({ routes, served, request, response }).catch(() => {
      if (response.headersSent) response.destroy();
      else sendHttpReply(response, refuse(500, 'FAILED', 'The request could not be answered.'));
    });
  };
}

async function answer({ routes, served, request, response }: Exchange): Promise<void> {
  const reply = await findReply({ routes, served, request, response }).catch((error: unknown) => {
    if (error instanceof BadParameter) return refuse(400, 'BAD_REQUEST', error.message);
    throw error;
  });
  // The rest of the body is read and dropped.
  request.resume();
  if (reply) sendHttpReply(response, reply);
}

async function findReply({ routes, served, request, response }: Exchange): Promise<HttpReply | undefined> {
  const url = readTarget(request.url);
  const route = url && Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
  const isVisit = route?.access === 'page';
  const refused = (isVisit ? refuseVisit : refuseRequest)(request, served.rules);
  if (refused) return replyRefusal(refused);
  if (!url || !route) return refuse(404, 'NOT_FOUND', 'There is nothing at this address.');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method !== route.method)
    return {
      ...refuse(405, 'BAD_METHOD', `This address takes ${route.method}.`),
      headers: { allow: route.method },
    };
  if (route.access === 'browser' && !served.admission.isAdmitted(readSecret(request)))
    return replyRefusal(NOT_ADMITTED);
  if (route.access === 'program' && !mayControl(request, served))
    return refuse(401, 'NO_SECRET', 'Only programs of the user who runs the inspector may ask for this.');
  return route.answer({ request, response, url });
}

// A browser sends the origin of a POST; a program of this user does not.
function mayControl({ headers }: IncomingMessage, { controlSecret }: Served): boolean {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false;
  return isSameSecret(readBearer(headers.authorization), controlSecret);
}

function fileRoute(name: string, packed: Buffer): Route {
  const serve = serveAsset(name.endsWith('.css') ? 'text/css' : 'text/javascript', packed);
  return { method: 'GET', access: 'open', answer: ({ request }) => serve(request) };
}

/** The secret that a page sent; empty if it sent none. */
function readSecret({ headers }: IncomingMessage): string {
  return String(headers[SECRET_HEADER] ?? '');
}

/** Exchanges the key of a link for a secret. Only the page's script does this, so that a prefetch does not use up a link. */
async function answerEntry({ admission }: Served, { request }: Visit): Promise<HttpReply> {
  const refused = refuseDeed(request);
  if (refused) return replyRefusal(refused);
  const key = readEntryKey((await readBody(request)) ?? '');
  if (key === undefined) return refuse(400, 'BAD_REQUEST', 'The body must be {"key": "…"}.');
  // A browser that was let in before does not use up the link, so that another browser can still use it.
  const given = readSecret(request);
  const secret = admission.isAdmitted(given) ? given : admission.redeem(key);
  if (secret === undefined) return replyRefusal(NOT_ADMITTED);
  return replyJson({ ok: true, result: { secret } } satisfies ActionResult);
}

async function answerAudit(source: SessionSource, { url }: Visit): Promise<HttpReply> {
  if (source.hasAudit !== true || !source.audit)
    return refuse(404, 'NO_AUDIT', 'Only a cluster whose journal keeps an audit has one.');
  const { searchParams: given } = url;
  const name = given.get('what');
  const what = name === null ? undefined : readDeed(name);
  if (name !== null && what === undefined) throw new BadParameter('"what" must be a deed of the audit.');
  const [before, seen] = ['before', 'seen'].map((each) =>
    given.has(each) ? readNumber(url, each, 0) : undefined,
  );
  const [by, text] = [given.get('by') ?? undefined, given.get('text') ?? undefined];
  return replyJson(await source.audit({ before, seen, what, by, text }));
}

function answerListener(served: Served, { request, response, url }: Visit): HttpReply | undefined {
  const session = url.searchParams.get('session') ?? undefined;
  const last = request.headers['last-event-id'];
  const after = last === undefined ? readNumber(url, 'after', 0) : checkNumber(String(last), 'Last-Event-ID');
  if (served.openStream(response, { session, after })) return undefined;
  return refuse(503, 'TOO_MANY_PAGES', 'Too many pages listen to this inspector. Close one.');
}

async function answerAction(served: Served, { request }: Visit): Promise<HttpReply> {
  const refused = refuseDeed(request);
  if (refused) return replyRefusal(refused);
  const body = await readBody(request);
  if (body === undefined) return refuse(413, 'TOO_LONG', 'The body has more than 1 MiB.');
  try {
    const action = readAction(body);
    if (action.action === 'create-link') {
      const url = served.createLink(request.headers.origin);
      return replyJson({ ok: true, result: { url } } satisfies ActionResult);
    }
    if (served.isReadOnly)
      return refuse(403, 'READ_ONLY', 'This inspector is read-only: it shows, but changes nothing.');
    return replyJson(await served.source.act(action));
  } catch (error) {
    if (error instanceof BadAction) return refuse(400, 'BAD_ACTION', error.message);
    throw error;
  }
}

function refuse(status: number, code: string, message: string): HttpReply {
  return replyRefusal({ status, code, message });
}

class BadParameter extends Error {}

function readParameter(url: URL, name: string): string {
  const value = url.searchParams.get(name);
  if (value === null || value === '') throw new BadParameter(`The parameter "${name}" is missing.`);
  return value;
}

function readNumber(url: URL, name: string, absent: number): number {
  const value = url.searchParams.get(name);
  return value === null ? absent : checkNumber(value, name);
}

function checkNumber(value: string, name: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new BadParameter(`"${name}" must be a whole number.`);
  return Number(value);
}
