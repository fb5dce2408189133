// What servers over HTTP ask of a request, whatever they serve. What a refusal looks like is theirs.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from './loopback.js';

/** The name in a header `Host`, without the port and in lower case; undefined for what is no name. */
export function readHostName(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]{1,255}$/.test(host)) return undefined;
  return /^(?<name>\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.groups?.['name']?.toLowerCase();
}

/** Whether a server goes by this name of a header `Host`: the names of loopback are its own, and those in the list, in any case. */
export function isOwnHostName(name: string, listed: readonly string[]): boolean {
  return isLoopback(name) || listed.some((each) => each.toLowerCase() === name);
}

/** Whether a header `Origin` names the page of the server itself, which was asked as `host`, by one of these schemes. */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  schemes: ReadonlyArray<'http' | 'https'>,
): boolean {
  const given = origin.toLowerCase();
  return schemes.some((scheme) => given === `${scheme}://${host}`.toLowerCase());
}

/** Whether a header `Content-Type` says JSON, which no form of another page can say. */
export function isJsonType(contentType: string | null | undefined): boolean {
  return /^application\/json(?:\s*;|$)/i.test(contentType ?? '');
}

/** The headers of a request as the web has them. */
export function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // HTTP/2 has the method and the path among the headers.
    if (name.startsWith(':') || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, one);
  }
  return given;
}

/** The address a request is for; undefined where it is none. Its host is of no account: that is checked as a header. */
export function readTarget(url = '/'): URL | undefined {
  try {
    // Not as a relative address: a path that begins with two slashes would have a host.
    return new URL(url.startsWith('/') ? `http://localhost${url}` : url);
  } catch {
    return undefined;
  }
}

/** Whether two secrets are the same. The time it takes tells nothing about them, their length included. */
export function isSameSecret(given: string, secret: string): boolean {
  // Of equal length whatever was given.
  const [left, right] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left as Buffer, right as Buffer);
}

/** The token of a header `Authorization: Bearer …`; empty where there is none. */
export function readBearer(authorization: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}
