// Recognizes addresses of this machine itself, for all code that connects, listens or checks a name.
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a connection to this host stays on this machine. That is so for `localhost` and for the loopback addresses, in
 * any form that Node takes for an address. An IPv6 address may be in brackets.
 */
export function isLoopback(host: string): boolean {
  const bare = bareHost(host);
  // Names below `localhost`, and `localhost.`, do not count, because some systems ask a name server for them.
  if (bare.toLowerCase() === 'localhost') return true;
  const family = isIP(bare);
  return family !== 0 && LOOPBACK.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}

/** A host without the brackets of an IPv6 address in a URL. With brackets, a socket would take it for a name. */
export function bareHost(host: string): string {
  const inside = /^\[(.*)\]$/.exec(host)?.[1];
  return inside !== undefined && isIP(inside) === 6 ? inside : host;
}

/** A host in the form for a URL. */
export function urlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
