// Which requests are looked at at all: those that call this server by a name of its own, and come from its own page. A page
// of another site can have the browser send anything here; what it says about itself then gives it away.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { InspectorError } from '@inboard/core/errors.js';
import { isJsonType, isOwnHostName, isOwnOrigin, readHostName } from '@inboard/core/util/loopback-http.js';
import { bareHost, isLoopback } from '@inboard/core/util/loopback.js';

/** By which names the server may be called. */
export interface AccessRules {
  /** The address that is listened on. */
  host: string;
  /** Names besides those of loopback. */
  allowedHosts: readonly string[];
}

/** Why a request is not answered. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
}

type Asking = Pick<IncomingMessage, 'method' | 'headers'>;

/** Whether a request may open the page itself: a visit in a tab, from wherever the link stands. */
export function refuseVisit({ headers }: Asking, rules: AccessRules): Refusal | undefined {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': place } = headers;
  if (isForeign(headers) && (mode !== 'navigate' || place !== 'document'))
    return refuse('FOREIGN_PAGE', 'The page can only be opened in a tab of its own.');
  return refuseHost(headers, rules) ?? refuseOrigin(headers, rules);
}

/** Whether a request for data or deeds may be answered: from the page of this server, or from no page at all. */
export function refuseRequest({ method, headers }: Asking, rules: AccessRules): Refusal | undefined {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && method !== 'POST');
  if (!isOwn) return refuse('FOREIGN_PAGE', 'Only the page of this server may ask.');
  return refuseHost(headers, rules) ?? refuseOrigin(headers, rules);
}

/** Whether a request that changes something says what a form or a link of another page cannot say. */
export function refuseDeed({ headers }: Asking): Refusal | undefined {
  if (headers.origin === undefined)
    return refuse('NO_ORIGIN', 'The header Origin is missing, which browsers send with every POST.');
  if (headers['x-inboard'] !== '1') return refuse('NO_MARK', 'The header "x-inboard: 1" is missing.');
  if (!isJsonType(headers['content-type']))
    return { status: 415, code: 'NOT_JSON', message: 'The body must be application/json.' };
  return undefined;
}

// A name that anybody can register may lead to 127.0.0.1: a page from there would be of the same origin as this server.
function refuseHost({ host }: IncomingHttpHeaders, rules: AccessRules): Refusal | undefined {
  const name = readHostName(host);
  if (name !== undefined && isOwnName(name, rules)) return undefined;
  return refuse('FOREIGN_HOST', 'This server does not go by that name. Allow names with --allow-host.');
}

function isOwnName(name: string, { host, allowedHosts }: AccessRules): boolean {
  if (isOwnHostName(name, allowedHosts)) return true;
  // A number cannot be made to lead elsewhere, so that a server for other machines can be called by any of its addresses.
  return !isLoopback(host) && isIP(bareHost(name)) !== 0;
}

function refuseOrigin({ origin, host }: IncomingHttpHeaders, rules: AccessRules): Refusal | undefined {
  if (origin === undefined || isOwnOrigin(origin, host, ['http'])) return undefined;
  // Whoever allows a name may have put a proxy with TLS in front of it.
  const isNamed = rules.allowedHosts.includes(readHostName(host) ?? '');
  if (isNamed && isOwnOrigin(origin, host, ['https'])) return undefined;
  return refuse('FOREIGN_ORIGIN', 'Only the page of this server may ask.');
}

/** A name as requests are compared with it; throws an InspectorError for an address or a port, which no request would ever match. */
export function readAllowedHost(given: string): string {
  const name = isIP(given) === 6 ? `[${given.toLowerCase()}]` : given.toLowerCase();
  if (readHostName(name) === name) return name;
  throw new InspectorError(
    'INSPECTOR_HOST_REFUSED',
    `${JSON.stringify(given)} cannot be allowed as a host: give a name alone, such as "inspector.example", without "http://", port or path.`,
  );
}

/** Whether the browser says that a page of another site has it ask, by a link or otherwise. */
function isForeign({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'cross-site' || site === 'same-site';
}

function refuse(code: string, message: string): Refusal {
  return { status: 403, code, message };
}
