// The API: `npm run api`. It sends messages, shows events and takes answers. It never starts a CLI.
import { once } from 'node:events';
import { openApp } from './cluster.ts';
import { startHealth } from './health.ts';
import { createApi } from './http.ts';
import { logFatal, logStart } from './log.ts';
import { readDatabase, readHost, readNumber, readPeople, requireText } from './settings.ts';

// From the start: as the first process of a container, one without a listener would ignore the signal.
const told = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
try {
  requireText(
    'DATABASE_URL',
    'The API and the workers share a database. To try everything in one process: npm start.',
  );
  const people = readPeople();
  const app = openApp();
  const health = await startHealth(app.cluster);
  const api = createApi({ cluster: app.cluster, people });
  try {
    const [host, port] = [readHost(), readNumber('PORT', 8080)];
    await api.listen(port, host);
    const url = `http://${host}:${port}`;
    logStart('api', { url, health: health.url, database: readDatabase() });
    await told;
  } finally {
    await api.close();
    await app.close();
    await health.close();
  }
} catch (error) {
  logFatal(error);
}
