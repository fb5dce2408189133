// Clients that have connected and not yet shown who they are. They are counted apart from the links that are served, so that silent
// sockets keep no other client out. If there are too many, the oldest are dropped.
import { isIP, type Socket } from 'node:net';

/** A client that has not yet shown who it is. */
export interface Stranger {
  readonly socket: Socket;
  /** Where it comes from, for events: known as long as it is connected, and needed afterwards. */
  readonly peer: string;
  /** Whether a link was made of it, which tells of its end itself. */
  hasLink: boolean;
  /** Why it was sent away, once it was. */
  reason?: string;
}

/** How many there may be, and what is done with one that must go. */
export interface StrangerLimits {
  readonly most: number;
  /** Of one address. */
  readonly mostOfOne: number;
}

/** The strangers of one host. */
export class Strangers {
  readonly #limits: StrangerLimits;
  /** In each set the oldest come first. */
  readonly #byAddress = new Map<string, Set<Stranger>>();
  #count = 0;

  constructor(limits: StrangerLimits) {
    this.#limits = limits;
  }

  /** Counts it until it has left or is known; the oldest of an address that has too many is dropped for it. */
  meet(socket: Socket): Stranger {
    const stranger: Stranger = { socket, peer: describePeer(socket), hasLink: false };
    const address = groupOf(socket.remoteAddress);
    const group = this.#byAddress.get(address) ?? new Set();
    if (group.size >= this.#limits.mostOfOne) dropOldest(group, 'from this address');
    else if (this.#count >= this.#limits.most) dropOldest(this.#largestGroup(), 'here');
    this.#byAddress.set(address, group.add(stranger));
    this.#count += 1;
    socket.once('close', () => this.know(stranger));
    return stranger;
  }

  /** It has shown who it is, or has left. */
  know(stranger: Stranger): void {
    for (const [address, group] of this.#byAddress) {
      if (!group.delete(stranger)) continue;
      this.#count -= 1;
      if (group.size === 0) this.#byAddress.delete(address);
      return;
    }
  }

  list(): Stranger[] {
    return [...this.#byAddress.values()].flatMap((group) => [...group]);
  }

  #largestGroup(): Set<Stranger> {
    let largest = new Set<Stranger>();
    for (const group of this.#byAddress.values()) if (group.size > largest.size) largest = group;
    return largest;
  }
}

function dropOldest(group: ReadonlySet<Stranger>, where: string): void {
  // It is taken out of the group when its socket has closed; until then a newer one would be dropped for the next.
  const [oldest] = [...group].filter(({ reason }) => reason === undefined);
  if (!oldest) return;
  oldest.reason = `too many links ${where} have not shown who they are, and it was the oldest of them`;
  oldest.socket.destroy();
}

// A client with one IPv6 address has all addresses that begin with the same 64 bits.
function groupOf(address: string | undefined): string {
  if (address === undefined) return 'local';
  if (isIP(address) !== 6) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail = ''] = address.split('%', 1).join('').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const between = address.includes('::') ? Array<string>(8 - first.length - last.length).fill('0') : [];
  return [...first, ...between, ...last].slice(0, 4).join(':');
}

function describePeer({ remoteAddress, remotePort }: Socket): string {
  return remoteAddress === undefined ? 'a local socket' : `${remoteAddress}:${remotePort ?? 0}`;
}
