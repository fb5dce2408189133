// Asks a CLI for its version, for the case that neither its path nor its file shows it. A file that has answered is not
// asked again. The answer also serves later processes (`version-cache`).
import { processes } from '../../../util/system/processes.js';
import type { Environment } from '../operating-system.js';
import { signalGroup } from '../run/process-group.js';
import { readCachedVersion, writeCachedVersion } from './version-cache.js';
import { identifyFile } from './version-memory.js';

/** The command that starts a CLI, without arguments for the CLI, and how to ask it. */
export interface VersionProbe {
  command: string;
  args?: readonly string[];
  env: Environment;
  cwd: string;
  /**
   * Whether a cached answer of this version is enough. If it is not, the CLI is asked again, because the cached answer
   * may be outdated.
   */
  isEnough?: ((version: string) => boolean) | undefined;
  /** Milliseconds after which the CLI is killed and the version stays unknown. Default 5000. */
  timeoutMs?: number;
}

const REMEMBERED_PROBES = 64;

const LONGEST_ANSWER = 64 * 1024;

// A program that gave no version is asked again after this time, and not with every query.
const ASK_AGAIN_MS = 60_000;

interface Answer {
  version: Promise<string | undefined>;
  /** When the CLI may be asked again; infinite while it is being asked, and once it has answered. */
  askAgainAt: number;
}

const probes = new Map<string, Answer>();

/** The answer of a CLI to `--version`; undefined if it gives none. Never rejects. An answer serves until the file changes. */
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
        // This also ends what the CLI has started. Otherwise such a process could live on and hold the output open.
        if (isGroup && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
        child.stdout.destroy();
        // Only a version at the start counts, because a program that does not know `--version` may print other numbers.
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
