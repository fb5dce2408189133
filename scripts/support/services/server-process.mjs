// One server as a process of this one: under a user who may do nothing, in a folder of its own, ended with this process.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Ids for a child, where this process is root: PostgreSQL refuses to run as root. Else it runs as oneself. */
export function findUser() {
  if (process.getuid?.() !== 0) return {};
  const read = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: read('-u'), gid: read('-g') };
}

/** A new folder that belongs to the user of `findUser()`. */
export async function makeFolder(prefix, parent = tmpdir()) {
  const folder = await mkdtemp(join(parent, prefix));
  const { uid, gid } = findUser();
  if (uid !== undefined) await chown(folder, uid, gid);
  return folder;
}

export async function removeFolder(folder) {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A port of loopback that is free just now. */
export async function findFreePort() {
  const server = createServer();
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/**
 * Starts a server; resolves once `isReady` says so of its process id. `endSignal` is what ends it at once, also when this process dies in
 * whatever way; `folder` is removed then.
 */
export async function startServer({ program, args, env, folder, log, isReady, endSignal }) {
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    ...findUser(),
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const exited = new Promise((resolve) => {
    child.once('error', resolve).once('exit', resolve);
  });
  let hasExited = false;
  void exited.then(() => {
    hasExited = true;
  });
  child.unref();
  const watcher = watchOver(child.pid, endSignal, folder);
  const end = async (signal = endSignal) => {
    watcher.release();
    if (!hasExited) child.kill(signal);
    child.ref();
    await exited;
  };
  const deadline = performance.now() + 30_000;
  while (!(await isReady(child.pid))) {
    if (!hasExited && performance.now() < deadline) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      continue;
    }
    await end('SIGKILL');
    throw new Error(`${program} did not start. Its log says:\n${readFileSync(log, 'utf8').slice(-2000)}`);
  }
  return { pid: child.pid, end, isOver: () => hasExited, signal: (name) => process.kill(child.pid, name) };
}

// A shell that reads until this process is gone: the other end of its input closes, however that comes about.
function watchOver(pid, endSignal, folder) {
  const script = 'cat >/dev/null; kill -s "$1" "$2" 2>/dev/null; sleep 1; rm -rf "$3"';
  const watcher = spawn('sh', ['-c', script, 'sh', endSignal.replace('SIG', ''), String(pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  watcher.stdin.unref();
  // Its group: the shell, and what it waits for.
  return {
    release() {
      try {
        process.kill(-Number(watcher.pid), 'SIGKILL');
      } catch {
        // It is gone.
      }
    },
  };
}
