// Asks a CLI for its version where neither its path nor its file shows it: once per file, for this process and later ones.
import { processes } from '../../../util/system/processes.js';
import type { Environment } from '../operating-system.js';
import { signalGroup } from '../run/process-group.js';
import { readCachedVersion, writeCachedVersion } from './version-cache.js';
import { identifyFile } from './version-memory.js';

/** The command of a CLI without CLI arguments, as `buildCommand` makes it. */
export interface VersionProbe {
  command: string;
  args?: readonly string[];
  env: Environment;
  cwd: string;
  /**
   * Whether an answer from an earlier process is enough. An outdated answer must not make an option fail: then the CLI
   * is asked again.
   */
  isEnough?: ((version: string) => boolean) | undefined;
  /** Milliseconds after which the CLI is killed and the version stays unknown. Default 5000. */
  timeoutMs?: number;
}

const REMEMBERED_PROBES = 64;

const LONGEST_ANSWER = 64 * 1024;

// A program that gave no version is asked again after this time, not with every query.
const ASK_AGAIN_MS = 60_000;

interface Answer {
  version: Promise<string | undefined>;
  /** When the CLI may be asked again; never once it has answered, or while it is running. */
  askAgainAt: number;
}

const probes = new Map<string, Answer>();

/** The answer of a CLI to `--version`; undefined when it gives none. Never rejects. Asked once per file and content. */
export function probeCliVersion(probe: VersionProbe): Promise<string | undefined> {
  const { command, args = [], isEnough } = probe;
  // The script decides the version if there is one, otherwise the program.
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
        // Otherwise its child processes, or another process that holds its output, would outlive it.
        if (isGroup && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
        child.stdout.destroy();
        // Only at the very start, because a program that does not know `--version` may print other numbers.
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
      // Node throws some failures instead of emitting them, such as a command line that is too long.
      resolve(undefined);
    }
  });
}
