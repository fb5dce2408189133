// Chooses the file of a trace, and writes lines to it in batches.
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import type { LineSink } from './trace-sink.js';
import { TraceWriter } from './trace-writer.js';

/** Which file to write, and who is told when that fails. */
export interface FileSinkOptions {
  /** A file, or a folder that gets a file for each session. */
  path: string;
  /** Whether several sessions were given this path. */
  isShared: boolean;
  onFailed: (cause: unknown) => void;
}

interface ChosenFile {
  path: string;
  release: () => void;
}

/** The most bytes that may wait for a slow disk. If more are waiting, frames are left out. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

const filesInUse = new Set<string>();

/** A path that no session of this process is writing. With `isShared`, the path stays taken when its session ends. */
function chooseFile(given: string, isShared: boolean): ChosenFile {
  const path = isFolder(given) ? join(given, nameFile()) : given;
  const { dir, name, ext } = parse(resolve(path));
  let free = resolve(path);
  for (let count = 2; filesInUse.has(free); count += 1) free = join(dir, `${name}-${count}${ext}`);
  filesInUse.add(free);
  return {
    path: free,
    release: () => {
      if (!isShared) filesInUse.delete(free);
    },
  };
}

function isFolder(path: string): boolean {
  if (/[\\/]$/.test(path)) return true;
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function nameFile(): string {
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  return `inboard-${time}-${process.pid}-${randomBytes(3).toString('hex')}.jsonl`;
}

/** A trace file. It is chosen and opened at the first flush. */
export class FileSink implements LineSink {
  readonly #options: FileSinkOptions;
  #file: ChosenFile | undefined;
  #writer: TraceWriter | undefined;
  #batch = '';

  constructor(options: FileSinkOptions) {
    this.#options = options;
  }

  writeLine(line: string): void {
    this.#batch += `${line}\n`;
  }

  flush(isLast: boolean): void {
    this.#file ??= chooseFile(this.#options.path, this.#options.isShared);
    this.#writer ??= new TraceWriter(this.#file.path, this.#options.onFailed);
    const batch = this.#batch;
    this.#batch = '';
    if (batch !== '') this.#writer.write(batch);
    if (isLast) this.#writer.flush();
  }

  isBehind(): boolean {
    return (this.#writer?.pendingBytes ?? 0) + this.#batch.length > MAX_PENDING_BYTES;
  }

  close(): void {
    this.#file?.release();
    this.#writer?.close();
  }
}
