// The journal while its database has no room left: what is refused says so, what was accepted stays, and all goes on when there is
// room again. Needs root, for the disk. Whole clusters: `node scripts/run-cluster-chaos.mjs --fault disk`.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { mountSmallDisk, type SmallDisk } from '../../../scripts/support/services/small-disk.mjs';
import { checkHistory } from '../../../packages/cluster/src/journal/check-history.js';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import { createCluster } from '../../../packages/inboard/src/cluster.js';
import { waitUntil } from '../../support/wait-until.js';
import { openJournal, runSql } from '../support/journals.js';

const KEY = 'chat';
// No CLI has run: there is no transcript.
const outcome = { ok: false, kind: 'interrupted' as const, text: '', turnCostUsd: 0 };
// More than fits between what is there already.
const content = 'x'.repeat(100_000);

describe('a disk that is full', () => {
  let disk: SmallDisk;
  let postgres: PostgresServer;
  let journal: Journal;
  let sent: Array<{ key: string; id: string }>;

  beforeEach(async () => {
    disk = mountSmallDisk(250);
    postgres = await startPostgres({ parent: disk.folder, settings: { max_wal_size: '48MB' } });
    journal = openJournal({ connectionString: postgres.url });
    sent = [];
    await send(0);
  });
  afterEach(async () => {
    await journal.close();
    await postgres.stop();
    disk.unmount();
  });

  async function send(index: number): Promise<void> {
    const id = `m${index}`;
    // Compressed it would fit for ever.
    const text = Array.from({ length: 1000 }, () => Math.random().toString(36)).join(' ');
    await journal.enqueue({ key: KEY, id, content: text + content, start: { agent: 'a', data: null } });
    sent.push({ key: KEY, id });
  }

  /** Until it is refused, or there are more than fit; gives the number of the one that was refused. */
  async function sendUntilRefused(): Promise<{ error: unknown; index: number }> {
    for (let index = 1; index < 5000; index += 1) {
      try {
        await send(index);
      } catch (error) {
        return { error, index };
      }
    }
    throw new Error('All fitted');
  }

  /** All that was accepted is there once, in order, and can be worked on. */
  async function expectWhole(): Promise<void> {
    const lease = await journal.lease(KEY, { owner: 'w', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
    for (const { id } of sent) {
      const turn = await journal.next(lease.fence);
      expect(turn?.id).toBe(id);
      await journal.finish(lease.fence, id, { outcome });
    }
    await journal.release(lease.fence);
    const history = await journal.history(KEY);
    expect(checkHistory(history ? [history] : [], { sent })).toEqual([]);
    expect(history?.turns).toHaveLength(sent.length);
  }

  it('refuses messages by name, for a cluster too, and takes them when there is room', async () => {
    disk.fill();
    const { error, index } = await sendUntilRefused();
    const refusal = {
      code: 'JOURNAL_UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('has no room left on its disk (SQLSTATE 53100)') as string,
    };
    expect(error).toMatchObject(refusal);
    const cluster = createCluster({ agents: { a: () => ({}) }, journal });
    await expect(cluster.conversation(KEY).send(content.repeat(50))).rejects.toMatchObject(refusal);
    disk.empty();
    await send(index);
    await expectWhole();
  });

  it('ends a database that cannot write its log; what was accepted is there when it is started again', async () => {
    disk.fill();
    // Segments of the log that lie ready are used up.
    const fillLog =
      'create table if not exists filler (n int); insert into filler values (1); select pg_switch_wal()';
    await expect(
      (async () => {
        for (let round = 0; round < 50; round += 1) {
          disk.fill();
          await runSql(fillLog, [], postgres.url);
        }
      })(),
    ).rejects.toThrow();
    await expect(send(1)).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
    disk.empty();
    await waitUntil(async () => {
      await postgres.revive();
      return send(1).then(
        () => true,
        () => false,
      );
    });
    await expectWhole();
  });
});
