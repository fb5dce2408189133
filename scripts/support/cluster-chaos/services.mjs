// The services of a chaos run or a bench: a PostgreSQL of its own, and a Redis where one is wanted.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres } from '../services/postgres-server.mjs';
import { startRedis } from '../services/redis-server.mjs';
import { mountSmallDisk } from '../services/small-disk.mjs';

/** Room for a new database and what a run writes. */
const DISK_MB = 250;

/** Starts them; the caller closes them. On request, the database is on a disk that can be filled up. */
export async function startServices({ redis: isWanted, smallDisk = false }) {
  const disk = smallDisk ? mountSmallDisk(DISK_MB) : undefined;
  const postgres = await startPostgres({
    settings: { shared_preload_libraries: 'pg_stat_statements', ...(disk && { max_wal_size: '48MB' }) },
    parent: disk?.folder,
  });
  const redis = isWanted ? await startRedis() : undefined;
  return {
    postgres: postgres.url,
    redis: redis?.url,
    restartPostgres: (downMs) => postgres.restart({ mode: 'immediate', downMs }),
    /** Keeps those with keys like this locked, in a transaction that changes nothing. */
    async lockConversations(like, ms) {
      const client = new Client(postgres.url);
      client.on('error', () => {});
      await client.connect();
      await client.query('begin');
      await client.query('select from inboard.conversations where key like $1 for update', [like]);
      await sleep(ms);
      await client.query('rollback');
      await client.end();
    },
    /** Stands still, and then does all that it was asked for. */
    async stallPostgres(ms) {
      postgres.pause();
      await sleep(ms);
      postgres.resume();
    },
    flushRedis: () => redis?.flushAll(),
    countJobs: () => redis?.countKeys(),
    fillDisk: () => disk?.fill(),
    /** Empties the disk and starts PostgreSQL again, which ends itself when it cannot write its log. */
    async emptyDisk() {
      disk?.empty();
      await postgres.revive();
    },
    async close() {
      await redis?.stop();
      await postgres.stop();
      disk?.unmount();
    },
  };
}
