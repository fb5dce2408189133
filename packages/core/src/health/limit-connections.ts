// Keeps the connections of a small HTTP server few and short: each brings one request, has a time limit for everything, and gives
// way when too many are open. So a client that does not read its answers takes nothing away from others.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clock } from '../util/system/clock.js';

/** The limits of the connections of a server. */
export interface ConnectionLimits {
  /** The most open connections. A new one beyond it ends the oldest, because the oldest is the most likely to be stalled. */
  most: number;
  /** Milliseconds after which a connection ends, whether or not its answer has been read. */
  mostMs: number;
}

/** Puts the limits on a server that is not listening yet. */
export function limitConnections(server: Server, { most, mostMs }: ConnectionLimits): void {
  const open = new Set<Socket>();
  // With `oneAtATime`, which ends a connection on which a second request comes before the answer.
  server.prependListener('request', (_, outgoing) => {
    outgoing.shouldKeepAlive = false;
  });
  server.on('connection', (socket) => {
    const [oldest] = open;
    if (open.size >= most && oldest) {
      // A socket reports its end later, and others may come before that.
      open.delete(oldest);
      oldest.destroy();
    }
    open.add(socket);
    const limit = clock.setTimeout(() => socket.destroy(), mostMs);
    limit.unref();
    socket.once('close', () => {
      clock.clearTimeout(limit);
      open.delete(socket);
    });
  });
}
