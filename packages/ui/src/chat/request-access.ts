// Which requests are answered, and which may change something: those of the page's own site. A page of another site can have a
// browser post anything here, with the visitor's cookies; what the browser says about that page gives it away.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isOwnHostName, isOwnOrigin, readHostName } from '@inboard/core/util/loopback-http.js';
import { cameOverLoopback } from '../loopback-requests.js';
import { ChatRefusal } from './chat-refusal.js';

/** Other sites whose pages may write, by origin, or all sites. */
export type UiAllowedOrigins = readonly string[] | '*';

/** Names by which browsers may call the server, without port, besides those of loopback; or all names. */
export type UiAllowedHosts = readonly string[] | '*';

/** Throws an InvalidOptionsError for what is no name, since no request would ever match it. */
export function checkHosts(allowed: unknown): void {
  if (allowed === undefined || allowed === '*') return;
  const isName = (name: unknown): boolean =>
    typeof name === 'string' && readHostName(name) === name.toLowerCase();
  const wrong = (Array.isArray(allowed) ? allowed : [allowed]).find((name) => !isName(name)) as unknown;
  if (wrong === undefined && Array.isArray(allowed)) return;
  throw new InvalidOptionsError(
    ['allowedHosts'],
    `"allowedHosts" must be a list of host names such as "app.example", without "https://" and port, or "*"; ${JSON.stringify(wrong)} is not one`,
  );
}

/**
 * Refuses a request that calls the server by a name that is not its own: a site can have one of its names lead to 127.0.0.1, and its
 * pages are of the same origin as the server then. Without a list, names are checked where only this machine can have asked.
 */
export function refuseHost(request: Request, allowed: UiAllowedHosts | undefined): void {
  if (allowed === '*' || (allowed === undefined && !cameOverLoopback(request))) return;
  const name = readHostName(hostOf(request));
  if (name !== undefined && isOwnHostName(name, allowed ?? [])) return;
  throw new ChatRefusal(
    403,
    'FOREIGN_HOST',
    'This server does not go by that name. If it stands behind a proxy, or has a name of its own, list the name in the option "allowedHosts".',
  );
}

function hostOf(request: Request): string {
  return request.headers.get('host') ?? new URL(request.url).host;
}

/** Throws an InvalidOptionsError for what is no origin, since no request would ever match it. */
export function checkOrigins(allowed: unknown): void {
  if (allowed === undefined || allowed === '*') return;
  const wrong = (Array.isArray(allowed) ? allowed : [allowed]).find((origin) => !isOrigin(origin)) as unknown;
  if (wrong === undefined && Array.isArray(allowed)) return;
  throw new InvalidOptionsError(
    ['allowedOrigins'],
    `"allowedOrigins" must be a list of origins such as "https://app.example", or "*"; ${JSON.stringify(wrong)} is not an origin`,
  );
}

/** Refuses a request that a page of another site has made. */
export function refuseForeign(request: Request, allowed: UiAllowedOrigins = []): void {
  const origin = request.headers.get('origin');
  // Without one it is no browser, or a visit that changes nothing.
  if (origin === null || allowed === '*' || allowed.includes(origin)) return;
  // By either scheme: a proxy may speak TLS in front of this server.
  if (isOwnOrigin(origin, hostOf(request), ['http', 'https'])) return;
  throw new ChatRefusal(
    403,
    'FOREIGN_ORIGIN',
    'Only pages of this site may do that. To allow a front end elsewhere, name it in the option "allowedOrigins".',
  );
}

function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value.toLowerCase();
}
