// What a host that runs CLIs says of its health: with places free, full, without a CLI, and while it closes.
import fs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { MetricStore } from '@inboard/core/health/metric-store.js';
import { prometheusName } from '@inboard/core/health/metric.js';
import { serveCli } from '../src/serve/serve-cli.js';
import { REMOTE_METRICS, ServerHealth, type ServerHealthInput } from '../src/serve/server-health.js';

const open: ServerHealth[] = [];
afterEach(() => open.splice(0).forEach((health) => health.close()));

function healthOf(given: Partial<ServerHealthInput> = {}): ServerHealth {
  const health = new ServerHealth({
    isClosing: () => false,
    sessions: () => 3,
    maxSessions: 4,
    hasCli: () => true,
    ...given,
  });
  open.push(health);
  return health;
}

it.each([
  [{}, []],
  [{ sessions: () => 4 }, ['sessions FULL']],
  [{ isClosing: () => true, hasCli: () => false }, ['server DRAINING', 'cli NOT_FOUND']],
])('with %j, these checks fail: %j', async (given, failed) => {
  const { ready, checks } = await healthOf(given).report();
  expect(checks.filter(({ ok }) => !ok).map(({ name, code }) => `${name} ${code}`)).toEqual(failed);
  expect(ready).toBe(failed.length === 0);
});

it('is bad while a disk has no room left', async () => {
  const { statfs } = fs.promises;
  const fill = (bavail: number): void => {
    fs.promises.statfs = (() => Promise.resolve({ bavail, bsize: 4096, blocks: 1_000_000 })) as never;
  };
  try {
    const health = healthOf();
    for (const [free, failed] of [
      [10, ['disk DISK_FULL']],
      [100_000, []],
    ] as const) {
      fill(free);
      const { checks } = await health.report();
      expect(checks.filter(({ ok }) => !ok).map(({ name, code }) => `${name} ${code}`)).toEqual(failed);
    }
  } finally {
    fs.promises.statfs = statfs;
  }
});

it('counts links and CLIs, and names no client', async () => {
  const health = healthOf();
  const peer = '10.1.2.3:4000';
  health.note({ type: 'refused', peer, reason: 'the token is wrong' });
  health.note({ type: 'started', peer, pid: 1, cwd: '/srv/secret' });
  health.note({ type: 'failed', peer, reason: 'no CLI' });
  health.note({ type: 'ended', peer, pid: 1, exitCode: 0, signal: null });
  health.note({ type: 'ended', peer, pid: 1, exitCode: null, signal: 'SIGKILL', lost: 'silence' });
  const metrics = await health.metrics();
  for (const line of [
    'inboard_remote_refused_total 1',
    'inboard_remote_started_total 1',
    'inboard_remote_failed_total 1',
    'inboard_remote_ended_total{inboard_how="exited"} 1',
    'inboard_remote_ended_total{inboard_how="failed"} 0',
    'inboard_remote_ended_total{inboard_how="lost"} 1',
    'inboard_remote_sessions{inboard_state="used"} 3',
    'inboard_remote_sessions{inboard_state="free"} 1',
    'inboard_remote_check{inboard_check="cli"} 1',
  ])
    expect(metrics.split('\n')).toContain(line);
  for (const secret of ['10.1.2.3', 'secret', 'token']) expect(metrics).not.toContain(secret);
});

it('has a name of its own for each metric', () => {
  const names = Object.values(REMOTE_METRICS).map(prometheusName);
  expect([...new Set(names)]).toEqual(names);
  expect(new MetricStore(Object.values(REMOTE_METRICS)).write()).toContain('inboard_remote_started_total 0');
});

it('of a server is good until it closes, and without a CLI it is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-health-'));
  try {
    await using server = await serveCli({
      listen: { port: 0 },
      token: 'a-token-of-some-length',
      cli: process.execPath,
      cwd: folder,
    });
    expect(await server.health()).toMatchObject({ ready: true });
    await server.close();
    expect((await server.health()).checks[0]).toEqual({ name: 'server', ok: false, code: 'DRAINING' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
