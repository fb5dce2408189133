// What servers over HTTP on this machine ask of a request, whatever they serve.
import { createHash, timingSafeEqual } from 'node:crypto';

/** The name in a header `Host`, without the port and in lower case; undefined for what is no name. */
export function readHostName(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]{1,255}$/.test(host)) return undefined;
  return /^(?<name>\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.groups?.['name']?.toLowerCase();
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
