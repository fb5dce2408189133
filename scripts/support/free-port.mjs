// A port for a server that cannot be told to choose one and say which.
import { createServer } from 'node:net';

/**
 * A free port of loopback, below those that systems assign by themselves. So no other program gets it by chance before the
 * server has started, which may take seconds. Ports that browsers refuse are lower.
 */
export async function findPort() {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
