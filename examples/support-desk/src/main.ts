// Starts the desk: the page, and workers. With DATABASE_URL each worker is a process of its own, and more may run elsewhere.
import { once } from 'node:events';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { openDesk, type DeskSettings } from './desk.ts';
import { startScript } from './offline.ts';
import { createServer } from './server.ts';
import { startWorkers } from './workers.ts';

const { ANTHROPIC_API_KEY, DATABASE_URL, DATA_DIR = join(import.meta.dirname, '..', 'data') } = process.env;
const { PORT = '4340', WORKERS = '2', SHELF_MS = '1500' } = process.env;
const offline = ANTHROPIC_API_KEY ? undefined : await startScript(join(DATA_DIR, 'offline'));
const settings: DeskSettings = {
  databaseUrl: DATABASE_URL,
  offline: offline?.options,
  shelfMs: Number(SHELF_MS),
};
const desk = openDesk(settings);
const workers = await startWorkers(desk, settings, Number(WORKERS));
try {
  const server = serve({
    fetch: createServer(desk, workers).fetch,
    port: Number(PORT),
    hostname: '127.0.0.1',
  });
  await once(server, 'listening');
  const address = server.address();
  console.log(`Support desk: http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}/`);
  console.log(`The journal is ${DATABASE_URL ? 'in PostgreSQL, each worker a process' : 'in memory'}.`);
  const model = offline ? 'a script: ANTHROPIC_API_KEY is not set' : 'that of your key';
  console.log(`The model is ${model}. Ctrl-C ends it.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} catch (error) {
  console.error(`The desk cannot be served on port ${PORT} (set PORT to change it): ${String(error)}`);
  process.exitCode = 1;
}
await workers.close();
await desk.cluster.close();
await desk.ledger.close();
await offline?.close({ verify: false });
process.exit();
