// A separate network namespace for a worker, joined to this one by a pair of virtual links. When the links are taken down,
// nothing passes and neither side is notified, as when a cable is pulled.
import { execFileSync, spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const NEAR = '10.231.7.1';
const FAR = '10.231.7.2';

const run = (command, ...args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Makes a namespace, which the caller closes; undefined if the system does not allow it. */
export async function openNamespace() {
  const link = `chaos${process.pid % 100_000}`;
  const holder = spawn('unshare', ['-n', 'sleep', '3600'], { stdio: 'ignore' });
  const failed = new Promise((resolve) => holder.once('error', resolve).once('exit', resolve));
  const close = async () => {
    holder.kill('SIGKILL');
    await failed;
  };
  try {
    // Until `unshare` has become `sleep` it is still in this namespace.
    await Promise.race([waitForNamespace(holder.pid), failed]);
    const inside = (...args) => run('nsenter', '-t', String(holder.pid), '-n', ...args);
    run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'far', 'netns', String(holder.pid));
    run('ip', 'addr', 'add', `${NEAR}/24`, 'dev', link);
    run('ip', 'link', 'set', link, 'up');
    inside('ip', 'addr', 'add', `${FAR}/24`, 'dev', 'far');
    inside('ip', 'link', 'set', 'far', 'up');
    inside('ip', 'link', 'set', 'lo', 'up');
  } catch {
    await close();
    return undefined;
  }
  return {
    address: NEAR,
    /** Before a command that shall run inside. */
    enter: ['nsenter', '-t', String(holder.pid), '-n'],
    cut: () => run('ip', 'link', 'set', link, 'down'),
    heal: () => run('ip', 'link', 'set', link, 'up'),
    close,
  };
}

async function waitForNamespace(pid) {
  const own = readlinkSync('/proc/self/ns/net');
  for (;;) {
    if (pid !== undefined && readlinkSync(`/proc/${pid}/ns/net`) !== own) return;
    await sleep(5);
  }
}
