// Answers the requests of one connection one after the other, for every HTTP server of the package.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Ends a connection on which a client sends a request before it has the answer to the one before. Otherwise a client that sends
 * very many ahead, and reads no answer, would have all of them worked on and kept in memory. No common client sends ahead.
 */
export function oneAtATime(listener: Listener): Listener {
  const busy = new WeakSet<Socket>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (busy.has(socket)) {
      // What has arrived together with this one is still passed on, request by request.
      socket.destroy();
      return;
    }
    busy.add(socket);
    outgoing.once('close', () => busy.delete(socket));
    listener(incoming, outgoing);
  };
}
