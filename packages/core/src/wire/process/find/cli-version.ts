// Asks a CLI for its version where neither its path nor its file shows it: once per file, for this process and those after it.
import { processes } from '../../../util/system/processes.js';
import type { Environment } from '../operating-system.js';
import { signalGroup } from '../run/process-group.js';
import { readCachedVersion, writeCachedVersion } from './version-cache.js';
import { identifyFile } from './version-memory.js';

/** The command of a CLI without CLI arguments, as `buildCommand` gives it for none. */
export interface VersionProbe {
  command: string;
  args?: readonly string[];
  env: Environment;
  cwd: string;
  /** Whether an answer from before this process will do. One that is out of date must not have an option refused: then it is asked again. */
  isEnough?: ((version: string) => boolean) | undefined;
  /** After this the CLI is killed and the version stays unknown. Default 5000 ms. */
  timeoutMs?: number;
}

const REMEMBERED_PROBES = 64;

const LONGEST_ANSWER = 64 * 1024;

// A program that gave no version is asked again after a while, not with every query.
const ASK_AGAIN_MS = 60_000;

interface Answer {
  version: Promise<string | undefined>;
  /** When it may be asked again; never once it has answered, or while it is still running. */
  askAgainAt: number;
}

const probes = new Map<string, Answer>();

/** The version a CLI gives for `--version`; undefined when it gives none. Never rejects; asked once per file and content. */
export function probeCliVersion(probe: VersionProbe): Promise<string | undefined> {
  const { command, args = [], isEnough } = probe;
  // The file that decides is the script if there is one, else the program.
  const file = identifyFile(args.at(-1) ?? command);
  const key = JSON.stringify([command, file]);
  const known = probes.get(key);
  if (known && performance.now() < known.askAgainAt) return known.version;
  const cached = readCachedVersion(file);
  if (cached !== undefined && isEnough?.(cached) !== false) return Promise.resolve(cached);
  const answer: Answer = { version: askVersion(probe), askAgainAt: Infinity };
  if (probes.size >= REMEMBERED_PROBES) probes.clear();
  probes.set(key, answer);
  void answer.version.then((version) => {
    if (version === undefined) answer.askAgainAt = performance.now() + ASK_AGAIN_MS;
    else writeCachedVersion(file, version);
  });
  return answer.version;
}

function askVersion(probe: VersionProbe): Promise<string | undefined> {
  const { command, args = [], env, cwd, timeoutMs = 5000 } = probe;
  return new Promise((resolve) => {
    const isGroup = process.platform !== 'win32';
    let output = '';
    try {
      const child = processes.spawn(command, [...args, '--version'], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
        detached: isGroup,
      });
      const finish = (): void => {
        clearTimeout(timer);
        // What it started, or another process that holds its output, would outlive it otherwise.
        if (isGroup && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
        child.stdout.destroy();
        // Only at the very start: a program that does not know `--version` may print other numbers.
        resolve(/^\s*v?(\d+\.\d+\.\d+(?:-[\w.]+)?)\b/.exec(output)?.[1]);
      };
      const timer = setTimeout(finish, timeoutMs);
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (text: string) => {
        if (output.length < LONGEST_ANSWER) output += text;
      });
      child.once('error', finish);
      child.once('close', finish);
    } catch {
      // Some failures are thrown and not emitted, such as a command line that is too long.
      resolve(undefined);
    }
  });
}
