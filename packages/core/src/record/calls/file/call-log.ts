// Appends lines to the log of one session, from this process. Other processes may append at the same time, and the one
// that has the claim may replace the log by a shorter one.
import { codeOf } from '../../../util/message-of.js';
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import type { CallFiles } from './call-files.js';

/** The descriptor is closed after this time without a line, because a process may have thousands of sessions. */
const IDLE_MS = 30_000;
/** How often a line is written again, because the log was replaced or removed in the meantime. */
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
   * InboardError.
   */
  append(line: string): void {
    // The line feed in front ends what a process left that was killed within a line. Looking for such a line first
    // would not help, because it may be torn just after.
    const bytes = Buffer.from(`\n${line}\n`);
    try {
      for (let tries = 0; ; tries += 1) {
        const descriptor = this.#open();
        // One write, which the system appends as a whole. On a full disk only a part may be written, and the next line
        // ends it.
        if (disk.writeSync(descriptor, bytes) === bytes.length && this.#isCurrent()) break;
        if (tries === MAX_TRIES) throw new Error(`A line could not be written in ${MAX_TRIES} tries`);
      }
    } catch (error) {
      this.close();
      throw this.#files.failed(error);
    }
  }

  /**
   * Makes the log and its folder where there is none. Throws an InboardError where that fails, or the log is not
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
   * Whether the line is in the log that has the name now. A process that replaces the log reads the old one to its end
   * after that. So a line is lost only if it came later, and is then written again. A line that is there twice counts
   * once.
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
