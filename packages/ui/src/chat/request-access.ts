// Decides which requests are answered, and which may change something. A page of another site can make a browser post anything
// here, with the visitor's cookies. The headers of the browser reveal such a page. It is refused unless its origin is allowed.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isOwnHostName, isOwnOrigin, readHostName } from '@inboard/core/util/loopback-http.js';
import { cameOverLoopback } from '../loopback-requests.js';
import { ChatRefusal } from './chat-refusal.js';

/** The origins of other sites whose pages may write, or `'*'` for all sites. */
export type UiAllowedOrigins = readonly string[] | '*';

/** Names by which browsers may call the server, without port, in addition to those of loopback. `'*'` allows all names. */
export type UiAllowedHosts = readonly string[] | '*';

/** Throws an InvalidOptionsError for a value that is no host name, because no request would ever match it. */
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
 * Refuses a request that calls the server by a name that is not its own. Another site can let one of its names lead to
 * 127.0.0.1, and its pages then have the same origin as the server. Without a list, names are checked only for requests that
 * came over loopback.
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

/** Throws an InvalidOptionsError for a value that is no origin, because no request would ever match it. */
export function checkOrigins(allowed: unknown): void {
  if (allowed === undefined || allowed === '*') return;
  const wrong = (Array.isArray(allowed) ? allowed : [allowed]).find((origin) => !isOrigin(origin)) as unknown;
  if (wrong === undefined && Array.isArray(allowed)) return;
  throw new InvalidOptionsError(
    ['allowedOrigins'],
    `"allowedOrigins" must be a list of origins such as "https://app.example", or "*"; ${JSON.stringify(wrong)} is not an origin`,
  );
}

/** Whether a page of another site sent a request, and its origin is not allowed. */
export function isForeign(request: Request, allowed: UiAllowedOrigins = []): boolean {
  if (allowed === '*') return false;
  const origin = request.headers.get('origin');
  // For an image or a link, browsers send no origin, but say whether another site has it. Other programs say neither.
  if (origin === null)
    return ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '');
  // Either scheme is accepted, because a proxy in front of this server may use TLS.
  return !allowed.includes(origin) && !isOwnOrigin(origin, hostOf(request), ['http', 'https']);
}

/** Refuses a request from a page of another site, unless its origin is allowed. */
export function refuseForeign(request: Request, allowed: UiAllowedOrigins | undefined): void {
  // A browser names the origin of every page that posts. A request without one comes from another program.
  if (request.headers.get('origin') === null || !isForeign(request, allowed)) return;
  throw new ChatRefusal(
    403,
    'FOREIGN_ORIGIN',
    'Only pages of this site may do that. To allow a front end elsewhere, name it in the option "allowedOrigins".',
  );
}

function isOrigin(value: unknown): value is string {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value.toLowerCase();
}
