// The claim of a session, as files. Each state is a file with a number, and the highest number counts. A process
// changes the state by the exclusive creation of the next number, so only one of several succeeds, and there is no gap
// between a look and a change. A process that slept in the meantime finds a higher number. The highest file is never
// removed: a free claim is a file that says so.
import { join } from 'node:path';
import { parseRecord } from '../../../util/guards.js';
import { codeOf } from '../../../util/message-of.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import type { CallClaim, HeldClaim } from '../../../wire/protocol/config/call-records.js';
import { describeSelf, readProcessStart, type FolderOwner } from '../../../wire/process/owned-folder.js';
import { checkClaimOptions } from '../check-options.js';
import { CLAIM_NAME, type CallFiles } from './call-files.js';

const VERSION = 1;
/** How often to try again when another process was quicker. */
const MAX_TRIES = 100;
/** How many states are kept, so that a listing that runs while states are added and removed still finds a later one. */
const KEPT_STATES = 4;
/**
 * How long an unreadable holder counts, and how old a draft is that was left. Longer than a claim lasts without
 * renewal.
 */
const UNREADABLE_MS = 60 * 1000;
/** The longest wait by a clock that may have been set back since. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

/** The content of a state that is held. */
interface Holder extends Omit<FolderOwner, 'host'> {
  readonly owner: string;
  /** When the claim runs out: in milliseconds since the epoch, and since the start of the system. */
  readonly until: number;
  readonly end: number;
}

/** The clocks. Only the second is the same for all processes of a system and cannot be set. */
export interface ClaimClocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const SYSTEM_CLOCKS: ClaimClocks = {
  wall: () => clock.Date.now(),
  steady: () => Number(clock.process.hrtime.bigint() / 1_000_000n),
};

export interface ClaimSurroundings {
  readonly clocks?: ClaimClocks | undefined;
  readonly self?: FolderOwner | undefined;
}

/** The claim on the records in a folder. */
export class FileClaim {
  readonly #files: CallFiles;
  readonly #folder: string;
  readonly #clocks: ClaimClocks;
  readonly #self: FolderOwner;

  constructor(files: CallFiles, { clocks = SYSTEM_CLOCKS, self = describeSelf() }: ClaimSurroundings = {}) {
    this.#files = files;
    this.#folder = join(files.folder, CLAIM_NAME);
    this.#clocks = clocks;
    this.#self = self;
  }

  /** Takes the claim, or says who has it. Rejects with an InboardError where the file system refuses. */
  async take(options: { owner: string; ttlMs: number }): Promise<CallClaim | HeldClaim> {
    const { owner, ttlMs } = checkClaimOptions(options);
    try {
      await disk.promises.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const newest = await this.#findNewest();
        const held = newest === undefined ? undefined : await this.#readHeld(newest);
        if (held === 'gone') continue;
        if (held) return held;
        const own = await this.#follow(newest ?? 0, this.#describe(owner, ttlMs));
        if (own === undefined) continue;
        await this.#sweep(own);
        return this.#createClaim(own, owner, ttlMs);
      }
      throw new Error(`Other processes were quicker, ${MAX_TRIES} times`);
    } catch (error) {
      throw this.#files.failed(error);
    }
  }

  /** The holder of the claim; undefined where it can be taken. */
  async look(): Promise<HeldClaim | undefined> {
    try {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const newest = await this.#findNewest();
        const held = newest === undefined ? undefined : await this.#readHeld(newest);
        if (held !== 'gone') return held;
      }
      return undefined;
    } catch (error) {
      throw this.#files.failed(error);
    }
  }

  #createClaim(first: number, owner: string, ttlMs: number): CallClaim {
    /** The state of this claim; undefined once it is lost or released. */
    let own: number | undefined = first;
    // One change after the other, because each follows the state of the one before.
    let last: Promise<unknown> = Promise.resolve();
    const change = (describe: () => object): Promise<void> => {
      const changing = last.then(async () => {
        if (own === undefined) return;
        try {
          // The session may have been deleted and begun anew, and its numbers with it.
          const isNewest = (await this.#findNewest()) === own;
          own = isNewest ? await this.#follow(own, describe()) : undefined;
          if (own !== undefined) await this.#sweep(own);
        } catch (error) {
          // The folder is gone because its session was deleted.
          if (codeOf(error) !== 'ENOENT') throw this.#files.failed(error);
          own = undefined;
        }
      });
      last = changing.catch(() => {});
      return changing;
    };
    return {
      renew: async () => {
        await change(() => this.#describe(owner, ttlMs));
        return own !== undefined;
      },
      release: async () => {
        await change(() => ({ v: VERSION, released: true }));
        own = undefined;
      },
    };
  }

  #describe(owner: string, ttlMs: number): Holder & { v: number } {
    const { pid, start, boot, pidSpace } = this.#self;
    const until = this.#clocks.wall() + ttlMs;
    return { v: VERSION, owner, pid, start, boot, pidSpace, until, end: this.#clocks.steady() + ttlMs };
  }

  /** Adds a state after another. Returns its number; undefined where there is one already. */
  async #follow(state: number, next: object): Promise<number | undefined> {
    const draft = join(this.#folder, `${randomUUID()}.tmp`);
    const number = state + 1;
    const path = this.#pathOf(number);
    // The file is complete before it gets its name, so that no process reads half of it.
    await disk.promises.writeFile(draft, JSON.stringify(next), { flag: 'wx', mode: 0o600 });
    try {
      await disk.promises.link(draft, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return undefined;
      if (!NO_LINKS.has(codeOf(error))) throw error;
      if (!(await writeAtOnce(path, next))) return undefined;
    } finally {
      await disk.promises.rm(draft, { force: true });
    }
    // The number may be free because it was removed long ago, with all before it.
    return (await this.#findNewest()) === number ? number : undefined;
  }

  async #findNewest(): Promise<number | undefined> {
    let newest: number | undefined;
    for (const name of await readNames(this.#folder)) {
      const number = numberOf(name);
      if (number !== undefined && number > (newest ?? 0)) newest = number;
    }
    return newest;
  }

  /** The holder in a state. Undefined where the claim is free, `gone` where there are later states by now. */
  async #readHeld(state: number): Promise<HeldClaim | undefined | 'gone'> {
    const file = await this.#files.openToRead(join(CLAIM_NAME, `${state}.json`));
    if (file === undefined) return 'gone';
    try {
      const read = parseRecord(await file.readFile('utf8'));
      const holder = readHolder(read);
      if (holder) return this.#judge(holder);
      if (read?.['released'] === true) return undefined;
      // The file is unreadable, as after a power failure. The claim was taken, and its holder is not known.
      const until = (await file.stat()).mtimeMs + UNREADABLE_MS;
      const wall = this.#clocks.wall();
      return wall < until && until < wall + MAX_WAIT_MS ? { heldBy: 'unknown', until } : undefined;
    } finally {
      await file.close();
    }
  }

  #judge({ owner, pid, start, boot, pidSpace, until, end }: Holder): HeldClaim | undefined {
    const self = this.#self;
    const isHere = boot !== '' && pidSpace !== '' && boot === self.boot && pidSpace === self.pidSpace;
    const wall = this.#clocks.wall();
    if (!isHere) return wall < until && until <= wall + MAX_WAIT_MS ? { heldBy: owner, until } : undefined;
    if (start !== '' && readProcessStart(pid) !== start) return undefined;
    const left = end - this.#clocks.steady();
    return left > 0 ? { heldBy: owner, until: wall + left } : undefined;
  }

  async #sweep(own: number): Promise<void> {
    for (const name of await readNames(this.#folder)) {
      const path = join(this.#folder, name);
      const number = numberOf(name);
      const isOld =
        number === undefined
          ? name.endsWith('.tmp') && this.#clocks.wall() - (await mtimeOf(path)) > UNREADABLE_MS
          : number <= own - KEPT_STATES;
      // A file that cannot be removed does no harm.
      if (isOld) await disk.promises.rm(path, { force: true }).catch(() => {});
    }
  }

  #pathOf(state: number): string {
    return join(this.#folder, `${state}.json`);
  }
}

/** The codes of `link` on a file system without second names. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

// A process may read the file before it is complete, and then waits for an unknown holder.
async function writeAtOnce(path: string, value: object): Promise<boolean> {
  try {
    const file = await disk.promises.open(path, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify(value));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function numberOf(name: string): number | undefined {
  const digits = /^(\d{1,15})\.json$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await disk.promises.readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

async function mtimeOf(path: string): Promise<number> {
  return await disk.promises.stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
}

function readHolder(read: Record<string, unknown> | undefined): Holder | undefined {
  const { owner, pid, start, boot, pidSpace, until, end } = read ?? {};
  const areTexts = [owner, start, boot, pidSpace].every((text) => typeof text === 'string');
  const areNumbers = [pid, until, end].every((value) => Number.isFinite(value));
  return areTexts && areNumbers ? ({ owner, pid, start, boot, pidSpace, until, end } as Holder) : undefined;
}
