// Appends lines to the log of one session, from this process. Others may append at the same time, and one that has the claim may put
// a shorter log in its place.
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import type { CallFiles } from './call-files.js';
import { codeOf } from './call-files.js';

/** After this time without a line the descriptor is closed: a process may have thousands of sessions. */
const IDLE_MS = 30_000;
/** Each time the log was exchanged or removed while the line was written. */
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

  /** Writes a line, given without its end. When it returns, the line outlives this process. Throws an InboardError. */
  append(line: string): void {
    // What a process left that was killed within a line is ended first. Looking whether there is such a line would be no help: it may
    // be torn just after. So there is an empty line before each.
    const bytes = Buffer.from(`\n${line}\n`);
    try {
      for (let tries = 0; ; tries += 1) {
        const descriptor = this.#open();
        // In one write, which the system puts at the end as a whole. Where the disk is full, part of it may be there, and the next line
        // ends that.
        if (disk.writeSync(descriptor, bytes) === bytes.length && this.#isCurrent()) break;
        if (tries === MAX_TRIES) throw new Error(`A line could not be written in ${MAX_TRIES} tries`);
      }
    } catch (error) {
      this.close();
      throw this.#files.failed(error);
    }
  }

  /** Makes the log where there is none, and its folder. Throws an InboardError where it cannot be made, or is not trusted. */
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
   * Whether what was written stands in the log that has the name now. Where another process has put a new one there, it has read the old
   * one to its end after that; so a line is lost only if it came later, and is written again. One that is there twice counts once.
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
