// The cable to the CLI's host is pulled in the middle of a turn: both sides notice within their limit, the CLI there is gone,
// and the session goes on when the cable is back.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  createSdkMcpServer,
  InMemorySessionStore,
  openSession,
  tool,
} from '../../../packages/inboard/src/index.js';
import { connectCli } from '../../../packages/inboard/src/remote.js';
import { createDeferred } from '../../../packages/core/src/util/deferred.js';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';
import { createAuthority } from '../../support/certificates.js';
import { findObstacle, HOST_ADDRESS, startNamespaceHost } from './namespace.js';

const TOKEN = 'a-token-for-this-test';
/** A machine that is busy for a second or two must not look like a lost link before the cable is pulled. */
const IDLE_MS = 3000;
/** Far beyond the limit of the link, and far below what the network itself would need to notice. */
const PATIENCE_MS = 30_000;

const obstacle = findObstacle();
if (obstacle !== undefined)
  process.stderr.write(
    `\nNOT TESTED: a lost link between network namespaces, which cannot be made here: ${obstacle}\n\n`,
  );

it.skipIf(obstacle !== undefined)('a pulled cable', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-remote-test-'));
  const authority = createAuthority(folder);
  const host = authority.sign('host', HOST_ADDRESS);
  const call = { tool: 'mcp__home__pay', input: { order: 7 } };
  await using there = await startNamespaceHost({
    listen: { tls: { ...host, ca: authority.ca } },
    token: TOKEN,
    idleMs: IDLE_MS,
    script: [call, 'Paid.', 'Still here.'],
  });
  const called = createDeferred<void>();
  const mayEnd = createDeferred<void>();
  let runs = 0;
  const pay = tool('pay', 'Pays.', { order: 'number' }, async () => {
    runs += 1;
    called.resolve();
    await mayEnd.promise;
    return 'paid';
  });
  const restarts: unknown[] = [];
  await using session = openSession({
    options: {
      ...connectCli({
        host: there.address,
        port: there.port,
        tls: { ca: authority.ca },
        token: TOKEN,
        idleMs: IDLE_MS,
        connectTimeoutMs: 2000,
      }),
      sessionStore: new InMemorySessionStore(),
      sessionStoreFlush: 'eager',
      mcpServers: { home: createSdkMcpServer({ name: 'home', tools: [pay], alwaysLoad: true }) },
      allowedTools: [pay],
    },
    restart: {
      resend: 'continue',
      maxRestarts: 20,
      backoffMs: 200,
      onRestart: (event) => restarts.push(event),
    },
  });
  const turn = session.send('Pay order 7.');
  /** When the session knew that its CLI is gone. */
  const noticed = (async () => {
    for await (const { type } of session.events()) if (type === 'crashed') return performance.now();
    throw new Error('the session is over');
  })();
  await called.promise;
  const pid = Number(there.events.find(({ type }) => type === 'started')?.['pid']);
  expect(isRunning(pid)).toBe(true);
  const pulledAt = performance.now();
  there.pull();
  await waitUntil(() => !isRunning(pid), PATIENCE_MS, 'the CLI there is gone');
  const goneMs = performance.now() - pulledAt;
  const noticedMs = (await noticed) - pulledAt;
  expect(noticedMs).toBeLessThan(PATIENCE_MS);
  await waitUntil(() => there.events.at(-1)?.type === 'ended', PATIENCE_MS, 'the host there says so');
  expect(there.events.at(-1)).toMatchObject({ signal: 'SIGKILL' });
  const asked = await there.requests();
  there.plug();
  // Its handler ran on meanwhile, and the model gets what it gives.
  mayEnd.resolve();
  expect((await turn.outcome()).text).toBe('Paid.');
  expect(asked).toBe(1);
  expect(runs).toBe(1);
  expect((await session.send('And now?').outcome()).text).toBe('Still here.');
  process.stdout.write(
    `remote: cable pulled, limit ${IDLE_MS} ms: CLI gone after ${goneMs.toFixed(0)} ms, home knew after ${noticedMs.toFixed(0)} ms, ${restarts.length} restart(s)\n`,
  );
  rmSync(folder, { recursive: true, force: true });
});
