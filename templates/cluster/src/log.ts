// One line of JSON for each event that an operator wants to see. No line has what people or models wrote. The same trouble again and
// again, as while the database is away, is one line, and then one that counts.
import type { WorkerEvent } from 'inboard/cluster';

const TOLD = new Set([
  'started',
  'draining',
  'ended',
  'leased',
  'lost',
  'turn-started',
  'turn-parked',
  'turn-waiting',
  'turn-handed-over',
  'call-repeated',
  'paused',
]);

/** Milliseconds for which the same trouble is counted before it is told again. */
const FOLD_MS = 10_000;

/** Returns a listener for the events of a worker. `write` gets each line, as an object. */
export function createLog(write: (line: object) => void = print): (event: WorkerEvent) => void {
  const folded = new Map<string, { line: object; count: number; timer: NodeJS.Timeout }>();

  /** Tells how often a trouble came again. */
  function unfold(name: string): void {
    const { line, count, timer } = folded.get(name)!;
    clearTimeout(timer);
    folded.delete(name);
    if (count > 0) write({ at: Date.now(), ...line, repeated: count });
  }

  return (event) => {
    const { at, worker, type } = event;
    if (event.type === 'trouble') {
      const line = { worker, type, where: event.where, ...describe(event.error) };
      const name = JSON.stringify(line);
      const known = folded.get(name);
      if (known) {
        known.count += 1;
        return;
      }
      write({ at, ...line, key: event.key });
      const timer = setTimeout(() => unfold(name), FOLD_MS);
      timer.unref();
      folded.set(name, { line, count: 0, timer });
    } else if (event.type === 'turn-ended') {
      const { key, turn, outcome } = event;
      const code = outcome.ok ? undefined : outcome.error?.code;
      write({ at, worker, type, key, turn, kind: outcome.kind, code });
    } else if (TOLD.has(type)) {
      // The last chance to tell.
      if (type === 'ended') for (const name of folded.keys()) unfold(name);
      write(event);
    }
  };
}

/** What runs, and where it can be reached: the first line of a process. */
export function logStart(what: string, where: Record<string, string | number>): void {
  print({ at: Date.now(), type: 'ready', what, ...where });
}

/** Why the process ends. The exit code tells the supervisor. */
export function logFatal(error: unknown): void {
  print({ at: Date.now(), type: 'fatal', ...describe(error) });
  process.exitCode = 1;
}

/** The code and the message of an error, and what its first cause says, such as why there is no connection. */
export function describe(error: unknown): { code?: string; message: string; cause?: string } {
  const { code, message, cause } = readError(error);
  let first = cause;
  while (readError(first).cause !== undefined) first = readError(first).cause;
  const below = readError(first);
  return {
    ...(code !== undefined && { code }),
    message: nameOwnCommand(message || String(error)),
    ...(first !== undefined && { cause: below.message || below.code || JSON.stringify(first) }),
  };
}

function readError(error: unknown): { code?: string; message?: string; cause?: unknown } {
  return (error ?? {}) as { code?: string; message?: string; cause?: unknown };
}

/** The tables of this project are more than those of the cluster, so the command of the package is not enough. */
function nameOwnCommand(message: string): string {
  const own = 'Run "npm run migrate" with a MIGRATE_DATABASE_URL whose role may create tables.';
  return message.replace(/Run "inboard cluster migrate"[^]*$/, own);
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
