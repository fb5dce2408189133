// One address for all pods, as a load balancer has: Restate binds a turn to the address at which it began. Connections go to the pod that
// was started last, as if the others had failed a health check.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export async function openAddress() {
  const ports = [];
  const sockets = new Set();
  const keep = (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((incoming) => {
    keep(incoming);
    let outgoing;
    incoming.once('close', () => outgoing?.destroy());
    const join = ([port, ...others]) => {
      if (port === undefined || incoming.destroyed) {
        incoming.destroy();
        return;
      }
      let isJoined = false;
      outgoing = keep(connect(port, '127.0.0.1'));
      outgoing.once('connect', () => {
        isJoined = true;
        incoming.pipe(outgoing).pipe(incoming);
      });
      outgoing.once('close', () => (isJoined ? incoming.destroy() : join(others)));
    };
    join(ports.toReversed());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    add: (port) => ports.push(port),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
