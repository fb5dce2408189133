// The running inspectors of this user on this machine. Each keeps a small private file while it runs, by which
// `inboard inspect --link` finds it and asks for a link. A file that cannot be read or is invalid is ignored.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { bareHost } from '@inboard/core/util/loopback.js';

/** An inspector, as described in its file. */
export interface RunningInspector {
  pid: number;
  /** Its origin, such as `http://127.0.0.1:4700`. */
  origin: string;
  title: string;
  /** ISO 8601. */
  startedAt: string;
}

interface NotedInspector extends RunningInspector {
  secret: string;
}

const FILE = /^\d{1,10}-\d{1,5}\.json$/;
const MOST_FILES = 200;
const ANSWER_WITHIN_MS = 2000;

/** The folder of the files: in the user's runtime folder if the system has one, else in the folder for temporary files. */
function findInspectorFolder(env: NodeJS.ProcessEnv = process.env): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  return runtime ? join(runtime, 'inboard') : join(tmpdir(), `inboard-${nameUser()}`);
}

function nameUser(): string {
  const uid = process.getuid?.();
  if (uid !== undefined) return String(uid);
  try {
    return userInfo().username.replaceAll(/\W/g, '_');
  } catch {
    return 'user';
  }
}

/** Writes the file of a server; the returned function removes it. If it cannot be written, the server works nevertheless. */
export function noteInspector(
  { origin, secret, title }: Pick<NotedInspector, 'origin' | 'secret' | 'title'>,
  folder = findInspectorFolder(),
): () => void {
  const { port } = new URL(origin);
  const file = join(folder, `${process.pid}-${port}.json`);
  const remove = (): void => {
    process.off('exit', remove);
    try {
      rmSync(file, { force: true });
    } catch {
      // A file that remains names its process, and later readers see that the process has ended.
    }
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwnFolder(folder)) return () => {};
    // Reading removes the files of processes that were killed and could not do it themselves.
    readNotes(folder);
    const note: NotedInspector = {
      pid: process.pid,
      origin,
      title,
      startedAt: new Date().toISOString(),
      secret,
    };
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(note), { mode: 0o600, flag: 'wx' });
    // Set explicitly, because the umask of the process may even remove rights of its own user.
    chmodSync(file, 0o600);
  } catch {
    return () => {};
  }
  process.once('exit', remove);
  return remove;
}

/** The running inspectors, according to their files. Files of processes that have ended are removed. */
export function listInspectors(folder = findInspectorFolder()): RunningInspector[] {
  return readNotes(folder).map(({ secret: _secret, ...shown }) => shown);
}

/** A new link to each inspector that answers. */
export async function askForLinks(
  folder = findInspectorFolder(),
): Promise<(RunningInspector & { url: string })[]> {
  const asked = readNotes(folder).map(async ({ secret, ...shown }) => {
    const url = await askForLink(shown.origin, secret);
    return url === undefined ? [] : [{ ...shown, url }];
  });
  return (await Promise.all(asked)).flat();
}

function readNotes(folder: string): NotedInspector[] {
  try {
    if (!isOwnFolder(folder)) return [];
    const names = readdirSync(folder).filter((name) => FILE.test(name));
    return names.slice(0, MOST_FILES).flatMap((name) => {
      const note = readNote(join(folder, name));
      return note ? [note] : [];
    });
  } catch {
    return [];
  }
}

function readNote(file: string): NotedInspector | undefined {
  try {
    const stats = lstatSync(file);
    if (!stats.isFile() || stats.size > 64 * 1024 || !isOurs(stats)) return undefined;
    const note = parseRecord(readFileSync(file, 'utf8'));
    if (!isNote(note)) return undefined;
    if (isRunning(note.pid)) return note;
    rmSync(file, { force: true });
  } catch {
    // The file was removed meanwhile, or is not ours.
  }
  return undefined;
}

function isNote(value: unknown): value is NotedInspector {
  if (!isRecord(value)) return false;
  const { pid, origin, title, startedAt, secret } = value;
  const areTexts = [origin, title, startedAt, secret].every((text) => typeof text === 'string');
  return areTexts && Number.isInteger(pid) && /^http:\/\/[\w.:[\]-]+:\d{1,5}$/.test(origin as string);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user, so the system has given the id to another process.
    return (
      (error as NodeJS.ErrnoException).code !== 'ESRCH' && (error as NodeJS.ErrnoException).code !== 'EPERM'
    );
  }
}

// Other users must not be able to write to the folder, or to read it.
function isOwnFolder(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && isOurs(stats);
}

function isOurs({ uid, mode }: { uid: number; mode: number }): boolean {
  const self = process.getuid?.();
  return self === undefined || (uid === self && (mode & 0o077) === 0);
}

function askForLink(origin: string, secret: string): Promise<string | undefined> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const asking = request(
      {
        host: bareHost(hostname),
        port,
        path: '/api/link',
        method: 'POST',
        headers: {
          host: `${hostname}:${port}`,
          authorization: `Bearer ${secret}`,
        },
        timeout: ANSWER_WITHIN_MS,
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          text += piece;
          if (text.length > 64 * 1024) asking.destroy();
        });
        answer.on('end', () => {
          const url = answer.statusCode === 200 ? parseRecord(text)?.['url'] : undefined;
          resolve(typeof url === 'string' && URL.canParse(url) ? url : undefined);
        });
        answer.on('error', () => resolve(undefined));
      },
    );
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(undefined));
    asking.on('close', () => resolve(undefined));
    asking.end();
  });
}
