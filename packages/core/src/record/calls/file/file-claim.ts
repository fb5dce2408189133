// The claim of a session, as files. Each state is a file with a number, and the highest number counts. A process changes
// the state by creating the file with the next number, which must not exist, so only one of several processes succeeds.
// A process that slept in the meantime finds a higher number. The file with the highest number is never removed: when
// the claim is free, that file says so.
import { join } from 'node:path';
import { parseRecord } from '../../../util/guards.js';
import { lacksLinks } from '../../../util/lacks-links.js';
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
/** How many states are kept. While states come and go, a listing must still find at least one of the newest. */
const KEPT_STATES = 4;
/**
 * How long a claim with an unreadable holder counts as held. A draft that is older than this was left by a crash. Claims
 * of this library last less long without renewal.
 */
const UNREADABLE_MS = 60 * 1000;
/** A claim that seems to end later than this was written before the clock was set back, and counts as free. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;

/** The content of a state that is held. */
interface Holder extends Omit<FolderOwner, 'host'> {
  readonly owner: string;
  /** When the claim runs out: in milliseconds since the epoch, and since the start of the system. */
  readonly until: number;
  readonly end: number;
}

/** The clocks. `wall` can be set. `steady` cannot, and is the same for all processes until the system is restarted. */
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

  /** Takes the claim, or says who has it. Rejects with an InboardError when the file system refuses. */
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

  /** The holder of the claim; undefined when the claim can be taken. */
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
    /** The number of this claim's newest state; undefined once the claim is lost or released. */
    let own: number | undefined = first;
    // Changes run one after another, because each adds the state that follows the last one.
    let last: Promise<unknown> = Promise.resolve();
    const change = (describe: () => object): Promise<void> => {
      const changing = last.then(async () => {
        if (own === undefined) return;
        try {
          // If the session was deleted and begun anew, its numbers have begun anew as well. Then this claim is lost.
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

  /** Adds the state that follows a given one. Returns its number; undefined if another process was quicker. */
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
      if (!lacksLinks(error)) throw error;
      if (!(await writeAtOnce(path, next))) return undefined;
    } finally {
      await disk.promises.rm(draft, { force: true });
    }
    // The number may have been free only because its state was removed long ago. Then there are higher numbers.
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

  /** The holder in a state. Undefined when the claim is free; `gone` when the state was removed since. */
  async #readHeld(state: number): Promise<HeldClaim | undefined | 'gone'> {
    const file = await this.#files.openToRead(join(CLAIM_NAME, `${state}.json`));
    if (file === undefined) return 'gone';
    try {
      const read = parseRecord(await file.readFile('utf8'));
      const holder = readHolder(read);
      if (holder) return this.#judge(holder);
      if (read?.['released'] === true) return undefined;
      // The file is unreadable, as after a power failure. The claim may be held, but its holder is not known.
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

// Another process may read the file before it is complete. It then takes the claim to be held by an unknown process.
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
