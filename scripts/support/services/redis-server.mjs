// A Redis of one's own: on loopback, for as long as this process lives. It keeps nothing on disk.
import { connect } from 'node:net';
import { join } from 'node:path';
import { describeMissingServers, findRedis } from './find-servers.mjs';
import { findFreePort, makeFolder, removeFolder, startServer } from './server-process.mjs';

export async function startRedis({ port } = {}) {
  const program = findRedis();
  if (program === undefined) throw new Error(describeMissingServers());
  const folder = await makeFolder('inboard-redis-');
  const chosen = port ?? (await findFreePort());
  const start = () =>
    startServer({
      program,
      // BullMQ warns of any other policy.
      args: [
        '--port',
        chosen,
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--appendonly',
        'no',
      ].concat(['--maxmemory-policy', 'noeviction']),
      folder,
      log: join(folder, 'log'),
      isReady: () =>
        say(chosen, 'PING').then(
          (answer) => answer.startsWith('+PONG'),
          () => false,
        ),
      endSignal: 'SIGTERM',
    });
  let server = await start();
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    folder,
    get pid() {
      return server.pid;
    },
    /** Everything in it is gone. */
    async flushAll() {
      const answer = await say(chosen, 'FLUSHALL');
      if (!answer.startsWith('+OK')) throw new Error(`Redis did not flush: ${answer}`);
    },
    /** How many keys it holds. */
    async countKeys() {
      return Number(/^:(\d+)/.exec(await say(chosen, 'DBSIZE'))?.[1]);
    },
    async restart({ downMs = 0 } = {}) {
      await server.end('SIGKILL');
      await new Promise((resolve) => {
        setTimeout(resolve, downMs);
      });
      server = await start();
    },
    async stop() {
      await server.end('SIGTERM');
      await removeFolder(folder);
    },
  };
}

/** One command, and the first line of its answer. */
function say(port, command) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').setTimeout(2_000, () => socket.destroy(new Error('Redis does not answer')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('Redis closed the connection')));
    socket.on('data', (piece) => {
      text += piece;
      if (!text.includes('\r\n')) return;
      resolve(text);
      socket.destroy();
    });
    socket.write(`${command}\r\n`);
  });
}
