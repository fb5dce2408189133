// A PgBouncer of one's own, before a PostgreSQL that runs: on loopback, for as long as this process lives.
import { chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findPgbouncer } from './find-servers.mjs';
import { findFreePort, findUser, makeFolder, removeFolder, startServer } from './server-process.mjs';

/** Starts one that pools by `session` or by `transaction`. */
export async function startPgbouncer({ postgresUrl, mode }) {
  const program = findPgbouncer();
  if (program === undefined) throw new Error('There is no PgBouncer here: apt-get install pgbouncer');
  const target = new URL(postgresUrl);
  const folder = await makeFolder('inboard-pgbouncer-');
  const port = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  // Its defaults, but for where it is and whom it lets in.
  await writeFile(
    file,
    `[databases]
${target.pathname.slice(1)} = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
`,
  );
  const { uid, gid } = findUser();
  if (uid !== undefined) await chown(file, uid, gid);
  const server = await startServer({
    program,
    args: [file],
    folder,
    log: join(folder, 'log'),
    isReady: () => canConnect(port),
    endSignal: 'SIGKILL',
  });
  target.port = String(port);
  return {
    url: target.href,
    log: join(folder, 'log'),
    async stop() {
      await server.end('SIGKILL');
      await removeFolder(folder);
    },
  };
}

function canConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}
