// A PostgreSQL of one's own: on loopback, for as long as this process lives.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeMissingServers, findPostgres } from './find-servers.mjs';
import { findFreePort, findUser, makeFolder, removeFolder, startServer } from './server-process.mjs';

const run = promisify(execFile);
const SIGNALS = { immediate: 'SIGQUIT', fast: 'SIGINT' };
const USER = 'inboard';
const NEW_DATABASE = ['--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'];

/**
 * Starts a PostgreSQL. `settings` are its own, as in postgresql.conf; `fsync: 'off'` is quicker and loses nothing unless the
 * machine itself fails. Its files are below `parent`. Its database is a new one, or what `fill` has put into the folder that it is
 * given, such as a backup.
 */
export async function startPostgres({ port, settings = {}, parent, fill } = {}) {
  const bin = findPostgres();
  if (bin === undefined) throw new Error(describeMissingServers());
  const folder = await makeFolder('inboard-postgres-', parent);
  const data = join(folder, 'db');
  const chosen = port ?? (await findFreePort());
  const runProgram = async (program, args) => {
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8' };
    await run(resolve(bin, program), args, { ...findUser(), cwd: folder, env });
  };
  if (fill) await fill(data, runProgram);
  else await runProgram('initdb', ['-D', data, '-U', USER, ...NEW_DATABASE]);
  const all = {
    port: chosen,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 200,
    ...settings,
  };
  const start = () =>
    startServer({
      program: join(bin, 'postgres'),
      args: ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      folder,
      log: join(folder, 'log'),
      isReady: (pid) => isReady(data, pid),
      endSignal: SIGNALS.immediate,
    });
  let server = await start();
  return {
    url: `postgres://${USER}@127.0.0.1:${chosen}/postgres`,
    port: chosen,
    folder,
    log: join(folder, 'log'),
    /** Runs a program that comes with the server, such as `pg_dump`, or one by its path, as the server's user. */
    run: runProgram,
    get pid() {
      return server.pid;
    },
    /** `immediate` is like a crash: nothing is said to anybody, and what was not committed is gone. */
    async halt(mode = 'immediate') {
      await server.end(SIGNALS[mode]);
    },
    /** Stops all its processes, as on an overloaded machine: connections stay open, and no client is notified. Linux only. */
    pause() {
      // First the one that starts others.
      for (const pid of [server.pid, ...listChildren(server.pid)]) signal(pid, 'SIGSTOP');
    },
    /** After `pause`: it does all that it was asked for meanwhile. */
    resume() {
      for (const pid of [...listChildren(server.pid), server.pid]) signal(pid, 'SIGCONT');
    },
    /** After `halt`. */
    async go() {
      server = await start();
    },
    /** Where it has ended by itself. */
    async revive() {
      if (server.isOver()) server = await start();
    },
    async restart({ mode = 'immediate', downMs = 0 } = {}) {
      await server.end(SIGNALS[mode]);
      await new Promise((resolve) => {
        setTimeout(resolve, downMs);
      });
      server = await start();
    },
    async stop() {
      await server.end(SIGNALS.immediate);
      await removeFolder(folder);
    },
  };
}

function listChildren(pid) {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return pids === '' ? [] : pids.split(/\s+/).map(Number);
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    // One for a connection that was just closed.
    if (error.code !== 'ESRCH') throw error;
  }
}

// The last line of this file is its state; one that a crash left behind has another process in it.
async function isReady(data, pid) {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return lines[0] === String(pid) && ['ready', 'standby'].includes(lines[7]?.trim());
}
