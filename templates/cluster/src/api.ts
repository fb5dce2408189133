// The API: `npm run api`. It sends messages, shows events and takes answers. It never starts a CLI.
import { once } from 'node:events';
import { serveHealth } from 'inboard/cluster';
import { openApp } from './cluster.ts';
import { createApi } from './http.ts';
import { logFatal } from './log.ts';
import { readHost, readNumber, readPeople, requireText } from './settings.ts';

// From the start: as the first process of a container, one without a listener would ignore the signal.
const told = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
try {
  requireText(
    'DATABASE_URL',
    'The API and the workers share a database. To try everything in one process: npm start.',
  );
  const people = readPeople();
  const app = openApp();
  const host = readHost();
  const health = await serveHealth(app.cluster, { host, port: readNumber('HEALTH_PORT', 9465) });
  const api = createApi({ cluster: app.cluster, people });
  try {
    api.server.listen(readNumber('PORT', 8080), host);
    await once(api.server, 'listening');
    await told;
  } finally {
    await api.close();
    await app.close();
    await health.close();
  }
} catch (error) {
  logFatal(error);
}
