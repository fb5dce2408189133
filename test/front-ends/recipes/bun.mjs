// bun.mjs
import { chat } from './chat.mjs';

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT ?? 3000),
  // An answer may wait longer than the ten seconds after which Bun closes a silent connection.
  idleTimeout: 0,
  fetch: (request) => chat.fetch(request),
});

process.once('SIGTERM', async () => {
  await chat.close();
  await server.stop(true);
});
