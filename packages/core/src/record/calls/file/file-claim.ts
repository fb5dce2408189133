// The claim of a session, as files: each state of it is a file with a number, and the highest number counts. A state follows another
// by the exclusive creation of the next number, so of all that try to only one succeeds, and nothing is looked at and then changed. A
// process that slept meanwhile finds a higher number. The highest one is never removed: one that is free says so.
import { join } from 'node:path';
import { parseRecord } from '../../../util/guards.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import type { CallClaim, HeldClaim } from '../../../wire/protocol/config/call-records.js';
import { describeSelf, readProcessStart, type FolderOwner } from '../../../wire/process/owned-folder.js';
import { checkClaimOptions } from '../check-options.js';
import { CLAIM_NAME, codeOf, type CallFiles } from './call-files.js';

const VERSION = 1;
/** Each time another process was quicker. */
const MAX_TRIES = 100;
/** States that are left: a listing that runs while some are added and removed still finds a later one. */
const KEPT_STATES = 4;
/** As long is waited for a holder that cannot be read, and as old is a draft that was left: longer than a claim lasts unrenewed. */
const UNREADABLE_MS = 60 * 1000;
/** The longest that is waited by a clock that may have been set back since. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

/** What a holder writes of itself. */
interface Holder extends Omit<FolderOwner, 'host'> {
  readonly owner: string;
  /** When it runs out: in milliseconds since the epoch, and since the system was started. */
  readonly until: number;
  readonly end: number;
}

/** The clocks. Only the second one is the same for all processes of a system and cannot be set. */
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

  /** Takes it, or tells who has it. Rejects with an InboardError where the file system refuses. */
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

  /** Who has it now; undefined where it can be taken. */
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
    /** The state that is ours; undefined once it is lost or given back. */
    let own: number | undefined = first;
    // One after the other: each goes on from the state of the one before.
    let last: Promise<unknown> = Promise.resolve();
    const change = (describe: () => object): Promise<void> => {
      const changing = last.then(async () => {
        if (own === undefined) return;
        try {
          // Where the session was deleted and began anew, its numbers did as well.
          const isNewest = (await this.#findNewest()) === own;
          own = isNewest ? await this.#follow(own, describe()) : undefined;
          if (own !== undefined) await this.#sweep(own);
        } catch (error) {
          // A folder that is gone was deleted with its session.
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

  /** Puts a state behind another; its number, or undefined where one is there already. */
  async #follow(state: number, next: object): Promise<number | undefined> {
    const draft = join(this.#folder, `${randomUUID()}.tmp`);
    const number = state + 1;
    const path = this.#pathOf(number);
    // Whole before it has its name: nobody reads half of one.
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
    // The number may have been free because it was removed long ago, with all before it.
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

  /** Who has it by a state; undefined where nobody does, `gone` where there are later ones by now. */
  async #readHeld(state: number): Promise<HeldClaim | undefined | 'gone'> {
    const file = await this.#files.openToRead(join(CLAIM_NAME, `${state}.json`));
    if (file === undefined) return 'gone';
    try {
      const read = parseRecord(await file.readFile('utf8'));
      const holder = readHolder(read);
      if (holder) return this.#judge(holder);
      if (read?.['released'] === true) return undefined;
      // As after the power failed: it was taken, and nobody knows by whom.
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
      // What cannot be removed is of no harm.
      if (isOld) await disk.promises.rm(path, { force: true }).catch(() => {});
    }
  }

  #pathOf(state: number): string {
    return join(this.#folder, `${state}.json`);
  }
}

/** What `link` fails with where the file system has no second names. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

// Others may read it before it is whole, and then wait for a holder that they do not know.
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
