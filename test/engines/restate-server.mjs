// The server of Restate, from its package on npm, as a process without privileges on loopback. Its license is the BSL: it is only for
// these tests, and is no part of the package.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { waitUntil } from '../support/wait-until.js';

const PATIENCE_MS = 60_000;

/**
 * The times of a real server are 40 and 20 seconds for pods that are silent, and one and ten minutes for invocations without progress.
 * Here a turn that waits for an attempt or for people is suspended as soon as it would be in an hour.
 */
const SHORT_TIMES = {
  RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT: '1s',
  RESTATE_WORKER__INVOKER__ABORT_TIMEOUT: '1s',
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '2s',
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '2s',
};

/**
 * Starts a server that keeps everything in this folder. `settings` are more of its environment variables. It asks GitHub once whether there
 * is a newer version, which no setting turns off, and does not need the reply.
 */
export async function startRestate(folder, settings = {}) {
  const [ingress, admin, node] = (await takePorts(3)).map((port) => `127.0.0.1:${port}`);
  const child = spawn(findServer(), ['--no-logo', '--base-dir', folder], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RESTATE_NODE_NAME: 'test',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_ADDRESS: node,
      RESTATE_ADVERTISED_ADDRESS: `http://${node}/`,
      RESTATE_INGRESS__BIND_ADDRESS: ingress,
      RESTATE_ADMIN__BIND_ADDRESS: admin,
      RESTATE_DEFAULT_NUM_PARTITIONS: '1',
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256.0 MiB',
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'warn',
      ...SHORT_TIMES,
      ...settings,
    },
  });
  const closed = once(child, 'close');
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-20_000)));
  const server = {
    ingress: `http://${ingress}`,
    admin: `http://${admin}`,
    pid: child.pid,
    said: () => said,
    async stop() {
      child.kill('SIGKILL');
      await closed;
    },
  };
  const isUp = async () => {
    if (child.exitCode !== null) throw new Error(`The server of Restate has ended: ${said}`);
    const answers = [`${server.ingress}/restate/health`, `${server.admin}/health`].map((url) =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return (await Promise.all(answers)).every(Boolean);
  };
  await waitUntil(isUp, PATIENCE_MS, () => `the server of Restate. It said: ${said}`);
  return server;
}

// The package `@restatedev/restate-server` only starts this binary, and tells its maker that it was installed.
function findServer() {
  const name = `@restatedev/restate-server-linux-${process.arch}`;
  return join(
    dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
    'bin',
    'restate-server',
  );
}

/** Ports that are free now. */
export async function takePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
