// The files with the call records of one session: their names, and which of them are trusted. A file of another user
// could falsely say that a call was allowed, or give it a false result.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stats } from 'node:fs';
import { InboardError } from '../../../errors.js';
import {
  describeUsers,
  formatMode,
  ROOT,
  STICKY,
  WRITABLE_BY_ALL,
  WRITABLE_BY_GROUP,
  type HostUsers,
} from '../../../util/host-users.js';
import { codeOf, messageOf } from '../../../util/message-of.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { disk } from '../../../util/system/disk.js';

/** The file that facts are appended to. */
export const LOG_NAME = 'inboard-calls.jsonl';
/** The folder with the claim. */
export const CLAIM_NAME = 'inboard-calls.claim';
const OLDER_LOG = /^inboard-calls-\d{1,9}\.(?:jsonl|tail|lock)$/;
const LARGE_FACT = /^inboard-call-[0-9a-f-]{36}\.json$/;
const UNFINISHED = /^inboard-calls-[0-9a-f-]{36}\.tmp$/;

/** The log that was replaced by the one with the next number. */
export const nameOlderLog = (number: number): string => `inboard-calls-${number}.jsonl`;
/** The file that exists while a process replaces the log with this number. */
export const nameLock = (number: number): string => `inboard-calls-${number}.lock`;
/** The file with the last lines of the log with this number, once they are in a file of their own. */
export const nameTail = (number: number): string => `inboard-calls-${number}.tail`;
export const nameLargeFact = (): string => `inboard-call-${randomUUID()}.json`;
export const nameUnfinished = (): string => `inboard-calls-${randomUUID()}.tmp`;

export const isLargeFact = (name: string): boolean => LARGE_FACT.test(name);

/** Whether a file or folder in the folder of a session belongs to its records. */
export function isCallRecordsName(name: string): boolean {
  return (
    name === LOG_NAME ||
    name === CLAIM_NAME ||
    OLDER_LOG.test(name) ||
    LARGE_FACT.test(name) ||
    UNFINISHED.test(name)
  );
}

/** Whether a file beside the log may have been left by a crash. */
export function isLeftover(name: string): boolean {
  return OLDER_LOG.test(name) || LARGE_FACT.test(name) || UNFINISHED.test(name);
}

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT } = constants;
// A link could lead to a file with another meaning, and opening a pipe would wait. Windows has neither flag.
const CAREFULLY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** The error codes when a link is opened, or a path that is no regular file. */
const NO_FILE = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR']);

/** The folder of one session's records. */
export class CallFiles {
  readonly folder: string;
  readonly log: string;
  readonly #users: HostUsers;

  constructor(folder: string, users: HostUsers = describeUsers()) {
    this.folder = folder;
    this.log = join(folder, LOG_NAME);
    this.#users = users;
  }

  /**
   * Opens the log for appending, and makes it where there is none. Throws an InboardError when that fails or the log is
   * not trusted.
   */
  openLog(): number {
    try {
      let descriptor: number;
      try {
        descriptor = disk.openSync(this.log, O_WRONLY | O_APPEND | O_CREAT | CAREFULLY, 0o600);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        disk.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
        descriptor = disk.openSync(this.log, O_WRONLY | O_APPEND | O_CREAT | CAREFULLY, 0o600);
      }
      try {
        this.#checkFolder();
        this.#checkOpened(descriptor);
        return descriptor;
      } catch (error) {
        disk.closeSync(descriptor);
        throw error;
      }
    } catch (error) {
      if (NO_FILE.has(codeOf(error))) throw this.#unsafe(`${this.log} is a link, or not a regular file`);
      throw this.failed(error);
    }
  }

  /**
   * Opens a file of the folder for reading. Undefined where there is none. Rejects with an InboardError when that fails
   * or the file is not trusted.
   */
  async openToRead(name: string): Promise<FileHandle | undefined> {
    const path = join(this.folder, name);
    let file: FileHandle;
    try {
      file = await disk.promises.open(path, O_RDONLY | CAREFULLY);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      if (NO_FILE.has(code)) throw this.#unsafe(`${path} is a link, or not a regular file`);
      throw this.failed(error);
    }
    try {
      this.#checkFolder();
      // The open file is examined, because the path could be made to lead to another one.
      const fault = this.#findFault(await file.stat());
      if (fault !== undefined) throw this.#unsafe(`${path} ${fault}`);
      return file;
    } catch (error) {
      await file.close();
      throw this.failed(error);
    }
  }

  /** The error to throw when the file system has refused something. */
  failed(error: unknown): InboardError {
    if (error instanceof InboardError) return error;
    const message = `What happens to calls cannot be recorded in ${this.folder}: ${messageOf(error)}`;
    return new InboardError('CALL_RECORDS_FAILED', message, { cause: error, retryable: true });
  }

  #checkOpened(descriptor: number): void {
    const stats = disk.fstatSync(descriptor);
    const fault = this.#findFault(stats);
    if (fault !== undefined) throw this.#unsafe(`${this.log} ${fault}`);
    // No other user needs to read the log. Not every file system has modes.
    if ((stats.mode & 0o077) !== 0 && this.#users.own !== undefined) {
      try {
        disk.fchmodSync(descriptor, 0o600);
      } catch {
        // The log is written although others can read it. The same is true of the transcript beside it.
      }
    }
  }

  // A folder that its group can write to is accepted, because the CLI creates such folders under some umasks. The members
  // of the group can then remove files and add their own. The files that they add are not trusted.
  #checkFolder(): void {
    const stats = disk.lstatSync(this.folder);
    if (!stats.isDirectory()) throw this.#unsafe(`${this.folder} is a link, or not a folder`);
    if (this.#users.own === undefined) return;
    if (stats.uid !== ROOT && !this.#isOwn(stats.uid))
      throw this.#unsafe(`${this.folder} belongs to the user ${stats.uid}`);
    if ((stats.mode & WRITABLE_BY_ALL) !== 0 && (stats.mode & STICKY) === 0)
      throw this.#unsafe(`${this.folder} can be written by every user (mode ${formatMode(stats.mode)})`);
  }

  #findFault(stats: Stats): string | undefined {
    if (!stats.isFile()) return 'is not a regular file';
    if (this.#users.own === undefined) return undefined;
    if (!this.#isOwn(stats.uid))
      return `belongs to the user ${stats.uid}, and not to ${this.#users.own}, the user of this process`;
    if ((stats.mode & (WRITABLE_BY_GROUP | WRITABLE_BY_ALL)) !== 0)
      return `can be written by other users (mode ${formatMode(stats.mode)})`;
    return undefined;
  }

  #isOwn(uid: number): boolean {
    return uid === this.#users.own && !this.#users.isAmbiguous;
  }

  #unsafe(what: string): InboardError {
    const message =
      `${what}, so that others could say what happened to calls: it is not used. If it is yours, correct its owner and mode ` +
      `(chmod go-w); if not, find out who put it there, and remove it.`;
    return new InboardError('CALL_RECORDS_UNSAFE', message);
  }
}
