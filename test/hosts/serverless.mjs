// A sandbox like those of serverless platforms: everything is read-only but an empty /tmp, there is no home, the function
// is one file, the CLI lies in a layer below /opt; between two calls all processes stand still.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const FROZEN_MS = 1_500;

// In a mount namespace of its own: nothing of this is seen outside.
const SANDBOX = `set -e
mount -t tmpfs none /opt
cp "$1" /opt/function.cjs
touch /opt/claude
mount --bind "$2" /opt/claude
mount -o remount,bind,ro /opt
mount -t tmpfs none /tmp
mount -o remount,bind,ro /
cd /
exec "$3" /opt/function.cjs`;

// What the platform does not give.
const UNKNOWN = /^(?:HOME|TMPDIR|TEMP|TMP|CLAUDE_CONFIG_DIR|XDG_\w+)$/;

/** Calls the function twice, with all its processes stopped for a while between; gives the second answer. */
export async function runInSandbox({ file, cli, env, namespace, listProcesses }) {
  const words = [...namespace('--mount'), 'sh', '-c', SANDBOX, 'sh', file, cli, process.execPath];
  const child = spawn('unshare', words, {
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !UNKNOWN.test(name))),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async () => {
    child.stdin.write('call\n');
    const { value, done } = await lines.next();
    if (done) throw new Error(`the function ended: ${stderr}`);
    return JSON.parse(value);
  };
  const first = await call();
  const frozen = listProcesses();
  signal(frozen, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, FROZEN_MS));
  signal(frozen, 'SIGCONT');
  const second = await call();
  child.stdin.end('end\n');
  const [code] = await exited;
  if (code !== 0 || stderr !== '') throw new Error(`the function ended with ${code}: ${stderr}`);
  if (first.pid !== second.pid) throw new Error('the second call did not find the CLI of the first');
  const { pid, ...result } = second;
  void pid;
  return result;
}

/** To each of them; one that has ended since it was listed is none. */
function signal(pids, name) {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}
