// One line of JSON for each event of a worker, with the time in UTC. No line has what people or models wrote. The same trouble again
// and again, as while the database is away, is one line, and then one that counts.
import type { WorkerEvent } from 'inboard/cluster';

type Write = (line: object) => void;

/** A trouble that is told: what it is, and what only its first line says. */
type TellTrouble = (trouble: { at: number; name: object; more?: object | undefined }) => void;

/** Milliseconds for which the same trouble is counted before it is told again. */
const FOLD_MS = 10_000;

/** Returns a listener for the events of a worker. `write` gets each line, as an object. */
export function createLog(write: Write = print): (event: WorkerEvent) => void {
  const { tell, end } = foldTroubles(write);
  return (event) => {
    const { at, worker, type } = event;
    if (event.type === 'trouble') {
      const name = { worker, type, where: event.where, ...describe(event.error) };
      tell({ at, name, more: { key: event.key } });
    } else if (event.type === 'turn-ended') {
      const { key, turn, outcome } = event;
      const { ok, kind, turnCostUsd, error } = outcome;
      const why = ok || error === undefined ? {} : describe(error);
      write({ at: timeOf(at), worker, type, key, turn, kind, turnCostUsd, ...why });
    } else if (event.type === 'call-completed') {
      // People write the reason.
      const { reason: _reason, ...facts } = event;
      write({ ...facts, at: timeOf(at) });
    } else {
      // The last chance to tell.
      if (type === 'ended') end();
      write({ ...event, at: timeOf(at) });
    }
  };
}

/** Tells an error of another part of the process, such as its requests. `more` is what only its first line says. */
export type LogTrouble = (error: unknown, more?: object) => void;

/** Returns a function that tells the errors of another part of the process. */
export function createTroubleLog(type: string, write: Write = print): LogTrouble {
  const { tell } = foldTroubles(write);
  return (error, more) => tell({ at: Date.now(), name: { type, ...describe(error) }, more });
}

/** Writes a trouble when it comes, and how often it came again. */
function foldTroubles(write: Write): { tell: TellTrouble; end: () => void } {
  const folded = new Map<string, { name: object; count: number; firstAt: number; at: number }>();

  function unfold(key: string): void {
    const known = folded.get(key);
    folded.delete(key);
    if (!known || known.count === 0) return;
    const { name, count: repeated, firstAt, at } = known;
    write({ at: timeOf(at), ...name, firstAt: timeOf(firstAt), repeated });
  }

  const tell: TellTrouble = ({ at, name, more }) => {
    const key = JSON.stringify(name);
    const known = folded.get(key);
    if (known) {
      known.count += 1;
      known.at = at;
      return;
    }
    write({ at: timeOf(at), ...name, ...more });
    folded.set(key, { name, count: 0, firstAt: at, at });
    setTimeout(() => unfold(key), FOLD_MS).unref();
  };
  return { tell, end: () => [...folded.keys()].forEach(unfold) };
}

/** What runs, and where it can be reached: the first line of a process. */
export function logStart(what: string, where: Record<string, string | number>): void {
  print({ at: timeOf(), type: 'ready', what, ...where });
}

/** What a process that is about to end has done. */
export function logDone(type: string): void {
  print({ at: timeOf(), type });
}

/** Why the process ends. The exit code tells the supervisor. */
export function logFatal(error: unknown): void {
  print({ at: timeOf(), type: 'fatal', ...describe(error) });
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

const timeOf = (at = Date.now()): string => new Date(at).toISOString();

function print(line: object): void {
  console.log(JSON.stringify(line));
}
