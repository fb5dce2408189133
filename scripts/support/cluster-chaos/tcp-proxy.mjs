// A proxy to a service that can be made slow, or be cut silently: bytes are not passed on, and neither side is notified.
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts a proxy to a port on loopback, itself on loopback by default. The caller closes it. */
export async function startProxy(targetPort, host = '127.0.0.1') {
  let delayMs = 0;
  let cut;
  const sockets = new Set();
  const pass = (from, to) => {
    // One after another, so that a delay keeps the order.
    let carried = Promise.resolve();
    const passOn = async (write) => {
      const due = Date.now() + delayMs;
      await carried;
      const early = due - Date.now();
      if (early > 0) await sleep(early);
      await cut?.promise;
      if (!to.destroyed) write();
    };
    const queue = (write) => (carried = passOn(write));
    from.on('data', (chunk) => void queue(() => to.write(chunk)));
    from.on('end', () => void queue(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => sockets.delete(from));
    sockets.add(from);
  };
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    pass(client, target);
    pass(target, client);
  });
  await new Promise((resolve) => server.listen(0, host, resolve));
  return {
    port: server.address().port,
    setDelay: (ms) => void (delayMs = ms),
    cut() {
      cut ??= createDeferred();
    },
    heal() {
      cut?.resolve();
      cut = undefined;
    },
    async close() {
      cut?.resolve();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createDeferred() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}
