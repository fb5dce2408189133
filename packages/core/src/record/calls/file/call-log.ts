// Appends the lines of this process to the log of one session. Other processes may append at the same time, and the
// process that has the claim may replace the log by a shorter one.
import { codeOf } from '../../../util/message-of.js';
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import type { CallFiles } from './call-files.js';

/** The descriptor is closed after this time without a line, because a process may have thousands of sessions. */
const IDLE_MS = 30_000;
/** How often a line is written again when it was not written whole, or the log was replaced or removed meanwhile. */
const MAX_TRIES = 20;

export class CallLog {
  readonly #files: CallFiles;
  #descriptor: number | undefined;
  #inode = 0;
  #device = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastUse = 0;

  constructor(files: CallFiles) {
    this.#files = files;
  }

  /**
   * Writes a line, given without its line feed. When this returns, the line outlives this process. Throws an
   * InboardError if that fails.
   */
  append(line: string): void {
    // A process that was killed may have left a line without its end. The line feed in front ends such a line. Looking
    // for one first would not help, because another process may be killed just after the look.
    const bytes = Buffer.from(`\n${line}\n`);
    try {
      for (let tries = 0; ; tries += 1) {
        const descriptor = this.#open();
        // The system appends a single write as a whole. On a full disk it may write only a part, which the line feed of
        // the next line ends.
        if (disk.writeSync(descriptor, bytes) === bytes.length && this.#isCurrent()) break;
        if (tries === MAX_TRIES) throw new Error(`A line could not be written in ${MAX_TRIES} tries`);
      }
    } catch (error) {
      this.close();
      throw this.#files.failed(error);
    }
  }

  /**
   * Makes the log and its folder where they do not exist. Throws an InboardError when that fails or the log is not
   * trusted.
   */
  prepare(): void {
    this.#open();
  }

  close(): void {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) disk.closeSync(descriptor);
  }

  #open(): number {
    this.#lastUse = clock.performance.now();
    if (this.#descriptor !== undefined) return this.#descriptor;
    const descriptor = this.#files.openLog();
    const { ino, dev } = disk.fstatSync(descriptor);
    this.#inode = ino;
    this.#device = dev;
    this.#descriptor = descriptor;
    this.#closeLater(IDLE_MS);
    return descriptor;
  }

  /**
   * Whether the line was written to the file that is the log now. A process that replaces the log reads the old file to
   * its end afterwards, so only a later line would be lost. Such a line is written again. A line that was written twice
   * counts once.
   */
  #isCurrent(): boolean {
    let current: { ino: number; dev: number } | undefined;
    try {
      current = disk.statSync(this.#files.log);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    }
    if (current?.ino === this.#inode && current.dev === this.#device) return true;
    this.close();
    return false;
  }

  #closeLater(ms: number): void {
    this.#timer = clock.setTimeout(() => {
      const left = IDLE_MS - (clock.performance.now() - this.#lastUse);
      if (left > 0) this.#closeLater(left);
      else this.close();
    }, ms);
    this.#timer.unref();
  }
}
