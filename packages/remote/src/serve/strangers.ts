// Counts the strangers of a host: clients that have connected but not yet shown who they are. They are counted apart from the
// served links, so that silent sockets keep no other client out. If there are too many strangers, the oldest are dropped.
import { isIP, type Socket } from 'node:net';

/** A client that has not yet shown who it is. */
export interface Stranger {
  readonly socket: Socket;
  /** The address of the client, for events. It is stored because a socket that has closed no longer tells it. */
  readonly peer: string;
  /** Whether the client has a link. If so, the end of the link is reported elsewhere. */
  hasLink: boolean;
  /** Why the client was dropped. Undefined if it was not. */
  reason?: string;
}

/** How many strangers there may be. */
export interface StrangerLimits {
  readonly most: number;
  /** How many of them may come from one address. */
  readonly mostOfOne: number;
}

/** The strangers of one host. */
export class Strangers {
  readonly #limits: StrangerLimits;
  /** The strangers by address. In each set, the oldest come first. */
  readonly #byAddress = new Map<string, Set<Stranger>>();
  #count = 0;

  constructor(limits: StrangerLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a client until it has left or is known. If there are too many strangers, from its address or in all, an old one is
   * dropped.
   */
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

  /** Stops counting a client that has shown who it is, or has left. */
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
  // A dropped stranger stays in the group until its socket has closed. It must not be chosen twice, or too few would be
  // dropped.
  const [oldest] = [...group].filter(({ reason }) => reason === undefined);
  if (!oldest) return;
  oldest.reason = `too many links ${where} have not shown who they are, and it was the oldest of them`;
  oldest.socket.destroy();
}

// The holder of one IPv6 address usually has all addresses with the same first 64 bits. So these addresses count as one.
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
