// One PostgreSQL and one Redis for all files of the project `services`. Without them nothing here can run, and it says so.
import type { TestProject } from 'vitest/node';
import { describeMissingServers } from '../../../scripts/support/services/find-servers.mjs';
import { startPostgres } from '../../../scripts/support/services/postgres-server.mjs';
import { startRedis } from '../../../scripts/support/services/redis-server.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    redisUrl: string;
  }
}

export default async function startServices(project: TestProject): Promise<() => Promise<void>> {
  const missing = describeMissingServers();
  if (missing !== undefined) throw new Error(missing);
  // The machine does not fail here, and servers that crash lose nothing by it.
  const postgres = await startPostgres({ settings: { fsync: 'off' } });
  const redis = await startRedis();
  project.provide('postgresUrl', postgres.url);
  project.provide('redisUrl', redis.url);
  return async () => {
    await postgres.stop();
    await redis.stop();
  };
}
