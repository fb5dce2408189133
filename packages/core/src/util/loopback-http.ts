// Checks of HTTP requests that several servers share. Each server decides what its refusals look like.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from './loopback.js';

/** The name in a header `Host`, without the port and in lower case. Undefined if the header is invalid. */
export function readHostName(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]{1,255}$/.test(host)) return undefined;
  return /^(?<name>\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.groups?.['name']?.toLowerCase();
}

/** Whether a name from a header `Host` means this server: a loopback name, or one in the list. Case is ignored. */
export function isOwnHostName(name: string, listed: readonly string[]): boolean {
  return isLoopback(name) || listed.some((each) => each.toLowerCase() === name);
}

/**
 * Whether a header `Origin` names a page of this server. `host` is the header `Host` of the request. The page must have
 * one of the given schemes.
 */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  schemes: ReadonlyArray<'http' | 'https'>,
): boolean {
  const given = origin.toLowerCase();
  return schemes.some((scheme) => given === `${scheme}://${host}`.toLowerCase());
}

/** Whether a header `Content-Type` says JSON. A form of another page cannot send that. */
export function isJsonType(contentType: string | null | undefined): boolean {
  return /^application\/json(?:\s*;|$)/i.test(contentType ?? '');
}

/** The headers of a request as a web `Headers` object. */
export function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // HTTP/2 has the method and the path among the headers.
    if (name.startsWith(':') || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) given.append(name, one);
  }
  return given;
}

/**
 * The address of a request. Undefined if it is invalid. Its host is not used, because the header `Host` is checked
 * instead.
 */
export function readTarget(url = '/'): URL | undefined {
  try {
    // The URL is not resolved as a relative address, because a path that begins with two slashes would then name a
    // host.
    return new URL(url.startsWith('/') ? `http://localhost${url}` : url);
  } catch {
    return undefined;
  }
}

/** Whether two secrets are equal. The time that this takes reveals nothing about them, not even their length. */
export function isSameSecret(given: string, secret: string): boolean {
  // The digests have equal length, whatever was given.
  const [left, right] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left as Buffer, right as Buffer);
}

/** The token of a header `Authorization: Bearer …`. Empty if there is none. */
export function readBearer(authorization: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
}
