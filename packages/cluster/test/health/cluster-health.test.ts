// The health and the metrics of a cluster on a journal in memory that can stop answering, fail, or refuse writes.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ClusterError } from '@inboard/core/errors.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import type { HealthReport } from '@inboard/core/health/health-report.js';
import type { Cluster } from '../../src/cluster.js';
import { createCluster } from '../../src/create-cluster.js';
import { createFakeCli } from '@inboard/testing/fake-cli/fake-cli.js';
import { text } from '@inboard/testing/script/reply.js';
import { classify, JournalProbe } from '../../src/health/journal-probe.js';
import type { Journal } from '../../src/journal/journal.js';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { Agents } from '../../src/work/host/agents.js';

const FULL = new ClusterError('JOURNAL_UNAVAILABLE', 'no room', { cause: { code: '53100' } });
const READ_ONLY = new ClusterError('JOURNAL_UNAVAILABLE', 'read-only', { cause: { code: '25006' } });
const AWAY = new ClusterError('JOURNAL_UNAVAILABLE', 'away', { cause: new Error('Query read timeout') });
const LOCKED = new ClusterError('JOURNAL_UNAVAILABLE', 'locked', { cause: { code: '55P03' } });
const TOO_OLD = new ClusterError('JOURNAL_VERSION', 'newer tables');

/** What the methods of a journal do instead of their work. */
type Way = Partial<Record<keyof Journal, () => Promise<never>>>;

const open: Array<Pick<Cluster, 'close'>> = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((cluster) => cluster.close()));
});

function setUp(): { cluster: Cluster; way: Way; asked: string[] } {
  const way: Way = {};
  const asked: string[] = [];
  const journal = new Proxy(memoryJournal(), {
    get(target, name: keyof Journal) {
      const value: unknown = Reflect.get(target, name) ?? (way[name] && (() => {}));
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        asked.push(name);
        return way[name]?.() ?? (value as (...all: unknown[]) => unknown).apply(target, given);
      };
    },
  });
  const fake = createFakeCli([text('It is noon.')], { allowEarlyEnd: true });
  const agents: Agents = { support: () => ({ transport: fake.transport }) };
  const cluster = createCluster({
    agents,
    journal,
    onTrouble: () => {},
  });
  open.push(cluster);
  return { cluster, way, asked };
}

const failed = ({ checks }: HealthReport): Record<string, string | undefined> =>
  Object.fromEntries(checks.filter(({ ok }) => !ok).map(({ name, code }) => [name, code]));
const never = (): Promise<never> => new Promise(() => {});

describe('the health of a cluster', () => {
  it('is good without a worker, and with one', async () => {
    const { cluster } = setUp();
    expect(await cluster.health()).toMatchObject({ ready: true });
    await cluster.work({ name: 'w1' });
    const report = await cluster.health();
    expect(failed(report)).toEqual({});
    expect(report.checks.map(({ name }) => name)).toEqual([
      'worker',
      'journal',
      'journal_disk',
      'tables',
      'disk',
    ]);
  });

  it('is bad within the limit while the journal does not answer, asks it once, and is good again', async () => {
    const { cluster, way, asked } = setUp();
    await cluster.health();
    let answer = (): void => {};
    way.pauses = () => new Promise((resolve) => (answer = () => resolve([] as never)));
    asked.length = 0;
    for (let round = 0; round < 3; round += 1)
      expect(failed(await cluster.health({ timeoutMs: 5 }))).toEqual({ journal: 'NO_ANSWER' });
    expect(asked).toEqual(['pauses']);
    delete way.pauses;
    answer();
    expect(await cluster.health()).toMatchObject({ ready: true });
  });

  it('is bad at once when the worker drains, until its end and after it', async () => {
    const { cluster, way } = setUp();
    const worker = await cluster.work();
    const last = createDeferred<never>();
    way.removeWorker = () => last.promise;
    const draining = worker.drain();
    expect(failed(await cluster.health())).toEqual({ worker: 'DRAINING' });
    last.resolve(undefined as never);
    await draining;
    expect(failed(await cluster.health())).toEqual({ worker: 'ENDED' });
    await cluster.work();
    expect(failed(await cluster.health())).toEqual({});
    await cluster.close();
    expect(failed(await cluster.health())).toEqual({ worker: 'CLOSED' });
  });

  it('is bad while a worker is starting', async () => {
    const { cluster, way } = setUp();
    const heard = createDeferred<never>();
    way.listen = () => heard.promise;
    const starting = cluster.work();
    expect(failed(await cluster.health())).toEqual({ worker: 'STARTING' });
    heard.resolve({ [Symbol.asyncDispose]: async () => {} } as never);
    await starting;
    expect(failed(await cluster.health())).toEqual({});
  });

  it('is bad while messages are refused because the disk of the database is full, although it answers', async () => {
    const { cluster, way } = setUp();
    const chat = cluster.conversation('chat', { agent: 'support' });
    way.enqueue = () => Promise.reject(FULL);
    await expect(chat.send('hello')).rejects.toBe(FULL);
    expect(failed(await cluster.health())).toEqual({ journal_disk: 'DISK_FULL' });
  });

  it('is bad when there is no room left for the journal, although nothing was refused, and asks again after a while', async () => {
    const { cluster, way, asked } = setUp();
    way.checkRoom = () => Promise.reject(FULL);
    for (let round = 0; round < 3; round += 1)
      expect(failed(await cluster.health())).toEqual({ journal_disk: 'DISK_FULL' });
    expect(asked.filter((name) => name === 'checkRoom')).toHaveLength(1);
  });

  it('is bad for good when the code is too old for the tables', async () => {
    const { cluster, way } = setUp();
    way.pauses = () => Promise.reject(TOO_OLD);
    expect(failed(await cluster.health())).toEqual({ tables: 'JOURNAL_VERSION' });
  });

  it('is bad when the report of a worker is refused', async () => {
    const { cluster, way } = setUp();
    way.reportWorker = () => Promise.reject(READ_ONLY);
    await cluster.work({ onEvent: () => {} });
    expect(failed(await cluster.health())).toEqual({ journal: 'JOURNAL_UNAVAILABLE' });
  });
});

describe('the memory of failures', () => {
  it('lasts for 15 seconds, or until something was written; a small write says nothing about a full disk', () => {
    vi.useFakeTimers();
    const watch = new JournalProbe();
    watch.failed(AWAY, true);
    watch.failed(FULL, false);
    expect(watch.faults()).toEqual({ journal: 'JOURNAL_UNAVAILABLE', journal_disk: 'DISK_FULL' });
    watch.wrote();
    expect(watch.faults()).toEqual({ journal_disk: 'DISK_FULL' });
    vi.advanceTimersByTime(15_000);
    expect(watch.faults()).toEqual({});
    watch.failed(TOO_OLD, true);
    vi.advanceTimersByTime(3_600_000);
    watch.wrote();
    expect(watch.faults()).toEqual({ tables: 'JOURNAL_VERSION' });
  });

  it.each([
    ['a full disk, of one conversation', FULL, false, 'journal_disk'],
    ['a read-only database', READ_ONLY, false, 'journal'],
    ['a database that is away, for all', AWAY, true, 'journal'],
    ['no answer for one conversation, which may be locked', AWAY, false, undefined],
    ['a locked row', LOCKED, true, undefined],
    ['another error of this package', new ClusterError('CONVERSATION_UNKNOWN', 'none'), true, undefined],
    ['an error of a journal of somebody else', new Error('socket hang up'), true, 'journal'],
    [
      'missing tables',
      new ClusterError('JOURNAL_VERSION', 'none', { cause: new Error('42P01') }),
      true,
      'tables',
    ],
  ])('takes %s for what it is', (_, error, isGeneral, check) => {
    expect(classify(error, isGeneral)?.check).toBe(check);
  });
});

describe('the metrics of a cluster', () => {
  it('count what this process does, and the whole cluster', async () => {
    const { cluster } = setUp();
    await cluster.work({ name: 'w1', concurrency: 3, keepWarmMs: 0 });
    const turn = await cluster
      .conversation('ann/secret', { agent: 'support', tenant: 'acme' })
      .send('What time?');
    expect(await turn.outcome()).toMatchObject({ ok: true });
    await vi.waitFor(async () => expect((await cluster.stats()).leases).toBe(0));
    const metrics = await cluster.metrics();
    for (const line of [
      'inboard_cluster_turns_total{inboard_turn_kind="ok"} 1',
      'inboard_cluster_turns_total{inboard_turn_kind="refused"} 0',
      'inboard_cluster_leases_lost_total{inboard_why="locked"} 0',
      'inboard_cluster_leases_total{inboard_turn_how="free"} 1',
      'inboard_cluster_conversations{inboard_state="idle"} 1',
      'inboard_cluster_workers{inboard_state="working"} 1',
      'inboard_cluster_check{inboard_check="journal"} 1',
      'inboard_cluster_questions_oldest_seconds 0',
    ])
      expect(metrics.split('\n')).toContain(line);
    expect(metrics).toMatch(/^messaging_client_sent_messages_total\{.*\} 1$/m);
    expect(metrics).toMatch(/^messaging_client_consumed_messages_total\{.*\} 1$/m);
    for (const secret of ['ann', 'acme', 'w1', 'support', 'What time', 'noon'])
      expect(metrics).not.toContain(secret);
  });

  it('are there while the journal does not answer, without the numbers of the cluster', async () => {
    const { cluster, way } = setUp();
    await cluster.health();
    way.pauses = never;
    const metrics = await cluster.metrics({ timeoutMs: 5 });
    expect(metrics).toContain('inboard_cluster_check{inboard_check="journal"} 0\n');
    expect(metrics).toContain('inboard_cluster_turns_total{inboard_turn_kind="ok"} 0\n');
    expect(metrics).not.toContain('inboard_cluster_conversations');
    expect(metrics).toContain('inboard_cluster_stats_ok 0\n');
    expect(metrics).not.toContain('inboard_cluster_stats_age_seconds');
  });

  it('ask for the numbers of the cluster once in five seconds, and say how old they are', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { cluster, asked } = setUp();
    await cluster.metrics();
    vi.advanceTimersByTime(4000);
    const metrics = await cluster.metrics();
    expect(asked.filter((name) => name === 'stats')).toHaveLength(1);
    expect(metrics).toContain('inboard_cluster_stats_ok 1\n');
    expect(metrics).toContain('inboard_cluster_stats_age_seconds 4\n');
    vi.advanceTimersByTime(1000);
    expect(await cluster.metrics()).toContain('inboard_cluster_stats_age_seconds 0\n');
    expect(asked.filter((name) => name === 'stats')).toHaveLength(2);
  });

  it('have the numbers of a read that was late at the next scrape, and of the last one while another is late', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { cluster, way, asked } = setUp();
    await cluster.health();
    const slow = createDeferred<never>();
    const numbers = await memoryJournal().stats();
    way.stats = () => slow.promise;
    for (let scrape = 0; scrape < 3; scrape += 1)
      expect(await cluster.metrics({ timeoutMs: 5 })).toContain('inboard_cluster_stats_ok 0\n');
    expect(asked.filter((name) => name === 'stats')).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    slow.resolve({ ...numbers, questions: 7 } as never);
    expect(await cluster.metrics()).toContain('inboard_cluster_questions 7\n');
    expect(asked.filter((name) => name === 'stats')).toHaveLength(1);
    way.stats = never;
    vi.advanceTimersByTime(15_000);
    const late = await cluster.metrics({ timeoutMs: 5 });
    expect(late).toContain('inboard_cluster_questions 7\n');
    expect(late).toContain('inboard_cluster_stats_age_seconds 17\n');
    vi.advanceTimersByTime(120_000);
    const tooOld = await cluster.metrics({ timeoutMs: 5 });
    expect(tooOld).toContain('inboard_cluster_stats_ok 0\n');
    expect(tooOld).not.toContain('inboard_cluster_questions');
  });

  it('have no kept numbers of the cluster while the journal is away, or after a read that failed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { cluster, way } = setUp();
    expect(await cluster.metrics()).toContain('inboard_cluster_stats_ok 1\n');
    way.pauses = never;
    expect(await cluster.metrics({ timeoutMs: 5 })).toContain('inboard_cluster_stats_ok 0\n');
    delete way.pauses;
    const other = setUp();
    await other.cluster.metrics();
    vi.advanceTimersByTime(5000);
    other.way.stats = () => Promise.reject(AWAY);
    expect(await other.cluster.metrics()).toContain('inboard_cluster_stats_ok 0\n');
    other.way.stats = never;
    expect(await other.cluster.metrics({ timeoutMs: 5 })).toContain('inboard_cluster_stats_ok 0\n');
  });

  it('leave the telemetry of the program as it is', async () => {
    const told: string[] = [];
    const sent = vi.fn();
    const cluster = createCluster({
      agents: { support: () => ({}) },
      telemetry: {
        send: async (turn, run) => {
          sent(turn.id);
          return await run('00-trace');
        },
        turn: (_, __, run) => run(),
        options: (options) => options,
        event: ({ type }) => void told.push(type),
      },
    });
    open.push(cluster);
    const turn = await cluster.conversation('chat', { agent: 'support' }).send('hello', { id: 't1' });
    expect((await turn.record()).trace).toBe('00-trace');
    expect(sent).toHaveBeenCalledWith('t1');
    await (await cluster.work()).close();
    expect(told).toContain('ended');
  });
});
