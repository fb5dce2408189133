// Decides which requests are answered: those that use a host name of this server and that no page of another origin caused.
// Such a page can make the browser send requests here, but the browser's headers reveal where they come from.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { InspectorError } from '@inboard/core/errors.js';
import { isJsonType, isOwnHostName, isOwnOrigin, readHostName } from '@inboard/core/util/loopback-http.js';
import { bareHost, isLoopback } from '@inboard/core/util/loopback.js';

/** The host names by which the server may be called. */
export interface AccessRules {
  /** The address that the server listens on. */
  host: string;
  /** Further names, besides those of loopback. */
  allowedHosts: readonly string[];
}

/** Why a request is not answered. */
export interface RequestRefusal {
  status: number;
  code: string;
  message: string;
}

type Asking = Pick<IncomingMessage, 'method' | 'headers'>;

/** Refuses requests for the page that another origin causes, unless they open it in a tab. A link to it may be anywhere. */
export function refuseVisit({ headers }: Asking, rules: AccessRules): RequestRefusal | undefined {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': place } = headers;
  if (isForeign(headers) && (mode !== 'navigate' || place !== 'document'))
    return refuse('FOREIGN_PAGE', 'The page can only be opened in a tab of its own.');
  return refuseHost(headers, rules) ?? refuseOrigin(headers, rules);
}

/** Refuses requests for data and actions that come from another page than that of this server. */
export function refuseRequest({ method, headers }: Asking, rules: AccessRules): RequestRefusal | undefined {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && method !== 'POST');
  if (!isOwn) return refuse('FOREIGN_PAGE', 'Only the page of this server may ask.');
  return refuseHost(headers, rules) ?? refuseOrigin(headers, rules);
}

/** Refuses a deed without an Origin to check, or without the two headers that a form of another page cannot send. */
export function refuseDeed({ headers }: Asking): RequestRefusal | undefined {
  if (headers.origin === undefined)
    return refuse('NO_ORIGIN', 'The header Origin is missing, which browsers send with every POST.');
  if (headers['x-inboard'] !== '1') return refuse('NO_MARK', 'The header "x-inboard: 1" is missing.');
  if (!isJsonType(headers['content-type']))
    return { status: 415, code: 'NOT_JSON', message: 'The body must be application/json.' };
  return undefined;
}

// An attacker can make a registered name lead to 127.0.0.1. A page of that name would then have the origin of this server.
function refuseHost({ host }: IncomingHttpHeaders, rules: AccessRules): RequestRefusal | undefined {
  const name = readHostName(host);
  if (name !== undefined && isOwnName(name, rules)) return undefined;
  return refuse('FOREIGN_HOST', 'This server does not go by that name. Allow names with --allow-host.');
}

function isOwnName(name: string, { host, allowedHosts }: AccessRules): boolean {
  if (isOwnHostName(name, allowedHosts)) return true;
  // An IP address cannot be redirected as a name can, so a server for other machines may be called by any of its addresses.
  return !isLoopback(host) && isIP(bareHost(name)) !== 0;
}

function refuseOrigin({ origin, host }: IncomingHttpHeaders, rules: AccessRules): RequestRefusal | undefined {
  if (origin === undefined || isOwnOrigin(origin, host, ['http'])) return undefined;
  // An allowed name may belong to a proxy with TLS in front of this server.
  const isNamed = rules.allowedHosts.includes(readHostName(host) ?? '');
  if (isNamed && isOwnOrigin(origin, host, ['https'])) return undefined;
  return refuse('FOREIGN_ORIGIN', 'Only the page of this server may ask.');
}

/** The form of a name that requests are compared with. Throws an InspectorError for a URL or a port, which never match. */
export function readAllowedHost(given: string): string {
  const name = isIP(given) === 6 ? `[${given.toLowerCase()}]` : given.toLowerCase();
  if (readHostName(name) === name) return name;
  throw new InspectorError(
    'INSPECTOR_HOST_REFUSED',
    `${JSON.stringify(given)} cannot be allowed as a host: give a name alone, such as "inspector.example", without "http://", port or path.`,
  );
}

/** Whether the browser says that a page of another origin caused the request, be it of the same site or not. */
function isForeign({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site';
}

function refuse(code: string, message: string): RequestRefusal {
  return { status: 403, code, message };
}
