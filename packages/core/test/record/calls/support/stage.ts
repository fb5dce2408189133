// A stage for several processes that share one log of calls: each step is chosen by a seed, a write can be torn, and a process that makes
// the log shorter can be stopped, or killed, before each of its calls of the file system.
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** A crash within a line. */
export class Crash extends Error {}

/** What is wrong with the world, to see that it is noticed. */
export type Fault =
  | 'lines that do not end a torn one'
  | 'writers that do not look whether the log is still the log'
  | 'a shorter log without what was appended meanwhile'
  | 'two that make the log shorter at the same time'
  | 'lines without a name of their own'
  | 'writes that are lost';

/** A process that makes the log shorter. */
export class Shortener {
  resume: (() => void) | undefined;
  /** The call that it is about to make. */
  next = '';
  isDone = false;
  failure: unknown;
}

const shorteners = new AsyncLocalStorage<Shortener>();
const GATED = ['open', 'link', 'rename', 'rm', 'stat', 'writeFile', 'readdir'] as const;
type Call = (...given: unknown[]) => unknown;

/** The file system as the processes on the stage see it, until it is closed. */
export class Stage {
  /** The share of the next line that is written before a crash; undefined for all of it. */
  tear: number | undefined;
  /** Whether the next writer that looks finds another log: it was stopped after it wrote. */
  isLate = false;
  readonly #fault: Fault | undefined;
  readonly #random: () => number;
  readonly #restore: (() => void)[] = [];
  readonly #handles: fs.promises.FileHandle[] = [];
  #written = 0;

  constructor(random: () => number, fault?: Fault) {
    this.#random = random;
    this.#fault = fault;
    for (const name of GATED) this.#patch(fs.promises, name, (real) => this.#gate(name, real));
    this.#patch(fs, 'writeSync', (real) => (descriptor, bytes) => this.#write(real, descriptor, bytes));
    this.#patch(fs, 'statSync', (real) => (path) => this.#stat(real, path));
    syncBuiltinESMExports();
  }

  async close(): Promise<void> {
    for (const restore of this.#restore) restore();
    syncBuiltinESMExports();
    // Of those that were killed.
    await Promise.allSettled(this.#handles.map((handle) => handle.close()));
  }

  /** Lets a process begin, up to its first call. */
  async begin(run: () => Promise<unknown>): Promise<Shortener> {
    const own = new Shortener();
    shorteners
      .run(own, run)
      .catch((error: unknown) => void (own.failure = error))
      .finally(() => void (own.isDone = true));
    await this.#rest(own);
    return own;
  }

  /** Lets a process go on, up to its next call. */
  async goOn(own: Shortener): Promise<void> {
    const { resume } = own;
    own.resume = undefined;
    resume?.();
    await this.#rest(own);
  }

  async #rest(own: Shortener): Promise<void> {
    while (!own.resume && !own.isDone) await new Promise((resolve) => setImmediate(resolve));
  }

  #gate(name: string, real: Call): Call {
    return async (...given) => {
      const own = shorteners.getStore();
      const [path, second] = given.map(String);
      if (own) {
        own.next = `${name} ${path}`;
        await new Promise<void>((resolve) => void (own.resume = resolve));
      }
      if (this.#fault === 'a shorter log without what was appended meanwhile' && second?.endsWith('.tail'))
        fs.truncateSync(path as string, 0);
      if (
        this.#fault === 'two that make the log shorter at the same time' &&
        path?.endsWith('.lock') &&
        name === 'writeFile'
      )
        return undefined;
      const result = await real(...given);
      if (name === 'open' && own) this.#handles.push(result as fs.promises.FileHandle);
      return result;
    };
  }

  #write(real: Call, descriptor: unknown, bytes: unknown): unknown {
    this.#written = descriptor as number;
    let text = Buffer.from(bytes as Uint8Array);
    const { length } = text;
    if (this.#fault === 'writes that are lost' && this.#random() < 0.1) return length;
    if (this.#fault === 'lines that do not end a torn one') text = text.subarray(1);
    if (this.#fault === 'lines without a name of their own')
      text = Buffer.from(text.toString().replace(/"id":"[^"]+"/, `"id":"${this.#random()}"`));
    if (this.tear === undefined) {
      real(descriptor, text);
      return length;
    }
    // At least its end is missing.
    real(descriptor, text, 0, Math.floor(this.tear * (text.length - 2)));
    this.tear = undefined;
    throw new Crash();
  }

  #stat(real: Call, path: unknown): unknown {
    if (this.#fault === 'writers that do not look whether the log is still the log')
      return fs.fstatSync(this.#written);
    const found = real(path) as object;
    const isLate = this.isLate;
    this.isLate = false;
    return isLate ? Object.assign(found, { ino: -1 }) : found;
  }

  #patch(target: object, name: string, wrap: (real: Call) => Call): void {
    const owner = target as Record<string, Call>;
    const real = owner[name] as Call;
    owner[name] = wrap(real.bind(target));
    this.#restore.push(() => void (owner[name] = real));
  }
}
