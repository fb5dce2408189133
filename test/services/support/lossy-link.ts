// A link to a server that can be cut: answers are lost on the way, or nothing passes and neither side is notified.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

type Mode = 'pass' | 'lose-answers' | 'silent';

export interface LossyLink extends AsyncDisposable {
  /** The address of the server, by this link. */
  readonly url: string;
  /** `lose-answers`: what is asked arrives, and the connection breaks when it is answered. `silent`: nothing passes. */
  mode: Mode;
}

export async function openLossyLink(url: string): Promise<LossyLink> {
  const target = new URL(url);
  const { port: farPort, hostname } = target;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(farPort), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        // The end of a connection that is cut off is not reported either.
        if (link.mode !== 'silent') [near, far].forEach((each) => each.destroy());
      });
    }
    near.on('data', (bytes) => {
      if (link.mode !== 'silent') far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (link.mode === 'pass') near.write(bytes);
      else if (link.mode === 'lose-answers') near.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  target.port = String(port);
  const link: LossyLink = {
    url: target.href,
    mode: 'pass',
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return link;
}
