// A line between a browser and a server that a test can cut: every connection breaks at once, and no new one is taken.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The line. */
export interface CutLine {
  /** An address of the server, as it is reached over the line. */
  through(url: string): string;
  cut(): void;
  mend(): void;
  /** Leads to another server from now on. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** A line to a port of this machine. */
export async function createCutLine(port: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let target = port;
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.resetAndDestroy();
      return;
    }
    const onward = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      // A broken line is what this is for.
      one.on('error', () => {});
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    through: (url) => {
      const at = new URL(url);
      at.host = `127.0.0.1:${own}`;
      return at.href;
    },
    cut: () => {
      isCut = true;
      breakAll();
    },
    mend: () => {
      isCut = false;
    },
    leadTo: (other) => {
      target = other;
      breakAll();
    },
    close: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
