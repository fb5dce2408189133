// The worker: `npm run worker`. It runs the CLIs. On SIGTERM it takes on nothing new. A turn has DRAIN_MS to finish, and is
// handed over earlier if it needs another tool call.
import { openApp } from './cluster.ts';
import { startHealth } from './health.ts';
import { createLog, logFatal, logStart } from './log.ts';
import { startModel } from './model.ts';
import { readDatabase, readNumber, readRetention, requireText } from './settings.ts';

try {
  requireText('DATABASE_URL', 'Workers share a database. To try everything in one process: npm start.');
  const model = await startModel();
  const app = openApp(model.cli);
  // First and last, so that it tells of the start and of the drain.
  const health = await startHealth(app.cluster);
  try {
    const worker = await app.cluster.work({
      concurrency: readNumber('CONCURRENCY', 4, 1),
      recoveryConcurrency: readNumber('RECOVERY_CONCURRENCY', 0),
      keepWarmMs: readNumber('KEEP_WARM_MS', 20_000),
      drainMs: readNumber('DRAIN_MS', 20_000),
      ...readRetention(),
      onEvent: createLog(),
    });
    logStart('worker', { name: worker.name, health: health.url, database: readDatabase() });
    await worker.untilSignal();
  } finally {
    await app.close();
    await model.close();
    await health.close();
  }
} catch (error) {
  logFatal(error);
}
