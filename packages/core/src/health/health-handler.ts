// Answers `/healthz`, `/readyz` and `/metrics`, as a function for web requests and as a listener for `node:http`. It asks the
// subject and writes the answer; where it listens is the business of `serve-health.ts` or of the program.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidOptionsError } from '../errors.js';
import { isRecord } from '../util/guards.js';
import { isOwnOrigin, isSameSecret, readBearer, readTarget, toWebHeaders } from '../util/loopback-http.js';
import { checkShape, shape, strictFlag, wholeNumber } from '../util/option-shapes.js';
import { refuseUnknownOptions } from '../util/options-object.js';
import { settleInTime } from '../util/settle-in-time.js';
import { HEALTH_TIMEOUT_MS, type HealthReport, type HealthSubject } from './health-report.js';

/** What a health handler shows, and to whom. */
export interface HealthHandlerOptions {
  /** Whether `/metrics` exists. Default true. */
  metrics?: boolean | undefined;
  /**
   * What a request for `/metrics` must bring as `Authorization: Bearer …`, at least 16 characters. Probes need none. Default:
   * whoever can reach the handler may read the metrics.
   */
  token?: string | undefined;
  /** Milliseconds after which an answer is given in any case. Default 800. */
  timeoutMs?: number | undefined;
}

/** Answers requests about the health of a process. */
export interface HealthHandler {
  /** For servers that speak web requests. The last part of the path decides: `healthz`, `readyz` or `metrics`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For `http.createServer()`, and for `app.use()` of frameworks. With `next`, other paths are passed on to it. */
  readonly listener: (incoming: IncomingMessage, outgoing: ServerResponse, next?: () => void) => void;
}

/** The names of the options, for callers that have more of them. */
export const HANDLER_OPTIONS = ['metrics', 'token', 'timeoutMs'];

const SHORTEST_TOKEN = 16;
const TOKEN = shape(
  `a string of at least ${SHORTEST_TOKEN} characters`,
  (value) => typeof value === 'string' && value.length >= SHORTEST_TOKEN,
);
const PAGES = ['healthz', 'readyz', 'metrics'] as const;
type Page = (typeof PAGES)[number];

/** What is known of a request. Bodies are never read. */
interface Asked {
  method: string;
  path: string;
  headers: Headers;
}

interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/**
 * Makes a handler for `/healthz`, `/readyz` and `/metrics` of a cluster, or of a server that `serveCli()` has started. Throws an
 * InvalidOptionsError for wrong options.
 */
export function createHealthHandler(
  subject: HealthSubject,
  options: HealthHandlerOptions = {},
): HealthHandler {
  refuseUnknownOptions('createHealthHandler()', options, HANDLER_OPTIONS);
  checkSubject('createHealthHandler()', subject);
  checkHandlerOptions(options);
  const answer = (asked: Asked): Promise<Answer> => answerAsked(subject, options, asked);
  return {
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      const { status, body, headers } = await answer({
        method: request.method,
        path,
        headers: request.headers,
      });
      return new Response(request.method === 'HEAD' ? null : body, { status, headers });
    },
    listener(incoming, outgoing, next) {
      const path = readTarget(incoming.url)?.pathname ?? '/';
      if (next && findPage(path) === undefined) {
        next();
        return;
      }
      // What a body brings is dropped, so that the connection can be used again.
      incoming.resume();
      void respond(answer, { method: incoming.method ?? 'GET', path }, incoming, outgoing);
    },
  };
}

/** Throws an InvalidOptionsError for options of a handler that cannot be used. */
export function checkHandlerOptions({ metrics, token, timeoutMs }: HealthHandlerOptions): void {
  checkShape('metrics', metrics, strictFlag);
  checkShape('token', token, TOKEN);
  checkShape('timeoutMs', timeoutMs, wholeNumber(1, 60_000));
}

/** Throws an InvalidOptionsError unless the value can be asked for its health. */
export function checkSubject(of: string, subject: unknown): void {
  const methods = ['health', 'metrics'];
  if (isRecord(subject) && methods.every((name) => typeof subject[name] === 'function')) return;
  throw new InvalidOptionsError(
    ['subject'],
    `${of} takes what createCluster() or serveCli() returned, or another object with the methods "health" and "metrics"`,
  );
}

async function respond(
  answer: (asked: Asked) => Promise<Answer>,
  asked: Omit<Asked, 'headers'>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { status, body, headers } = await answer({ ...asked, headers: toWebHeaders(incoming.headers) });
  const length = Buffer.byteLength(body);
  outgoing.writeHead(status, { ...headers, 'content-length': length });
  outgoing.end(asked.method === 'HEAD' ? undefined : body);
}

async function answerAsked(
  subject: HealthSubject,
  { metrics = true, token, timeoutMs = HEALTH_TIMEOUT_MS }: HealthHandlerOptions,
  { method, path, headers }: Asked,
): Promise<Answer> {
  const page = findPage(path);
  if (page === undefined || (page === 'metrics' && !metrics)) return writeText(404, 'There is no such page.');
  if (isForeign(headers)) return writeText(403, 'Pages of other sites may not ask.');
  if (method !== 'GET' && method !== 'HEAD')
    return writeText(405, 'Only GET and HEAD are answered.', { allow: 'GET, HEAD' });
  if (page === 'metrics') {
    if (token !== undefined && !isSameSecret(readBearer(headers.get('authorization') ?? undefined), token))
      return writeText(401, 'A token is needed.', { 'www-authenticate': 'Bearer' });
    return await answerMetrics(subject, timeoutMs);
  }
  const report = await readReport(subject, timeoutMs);
  if (page === 'healthz') return writeJson(200, { status: 'alive', ...(report && describe(report)) });
  if (!report) return writeJson(503, { status: 'not ready', checks: { health: 'NO_ANSWER' } });
  return writeJson(report.ready ? 200 : 503, {
    status: report.ready ? 'ready' : 'not ready',
    ...describe(report),
  });
}

async function answerMetrics(subject: HealthSubject, timeoutMs: number): Promise<Answer> {
  const read = await settleInTime(
    call(() => subject.metrics({ timeoutMs })),
    spare(timeoutMs),
  );
  if (read.state !== 'done') return writeText(503, 'The metrics cannot be read.');
  return {
    ...writeText(200, read.value),
    headers: { ...SAFE_HEADERS, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  };
}

/** The report of the subject. Undefined if it gives none in time. */
async function readReport(subject: HealthSubject, timeoutMs: number): Promise<HealthReport | undefined> {
  const read = await settleInTime(
    call(() => subject.health({ timeoutMs })),
    spare(timeoutMs),
  );
  return read.state === 'done' ? read.value : undefined;
}

/** A subject of the program's own may throw. */
async function call<T>(ask: () => Promise<T>): Promise<T> {
  return await ask();
}

/** A subject that keeps to its time limit must not be cut off at the same moment. */
function spare(timeoutMs: number): number {
  return timeoutMs + 100;
}

function describe({ checks, loopDelayMs }: HealthReport): object {
  return {
    checks: Object.fromEntries(checks.map(({ name, ok, code }) => [name, ok ? 'ok' : (code ?? 'FAILED')])),
    loopDelayMs,
  };
}

function findPage(path: string): Page | undefined {
  const last = path.split('/').at(-1);
  return PAGES.find((page) => page === last);
}

/** Whether a page of another site has caused the request. Programs that ask for health send none of these headers. */
function isForeign(headers: Headers): boolean {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  if (origin !== null && !isOwnOrigin(origin, headers.get('host') ?? '', ['http', 'https'])) return true;
  return site === 'cross-site' || site === 'same-site';
}

const SAFE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function writeText(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    body,
    headers: { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8', ...headers },
  };
}

function writeJson(status: number, value: object): Answer {
  return {
    status,
    body: `${JSON.stringify(value)}\n`,
    headers: { ...SAFE_HEADERS, 'content-type': 'application/json; charset=utf-8' },
  };
}
