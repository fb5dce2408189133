// Reads the log of one session with everything that belongs to it: facts in files of their own, and lines that were
// appended to the earlier log by a process that did not know yet of the new one.
import type { FileHandle } from 'node:fs/promises';
import { StoredFormatError } from '../../../errors.js';
import { parseRecord } from '../../../util/guards.js';
import { disk } from '../../../util/system/disk.js';
import { nextRound } from '../../../util/timers.js';
import { describeSelf } from '../../../wire/process/owned-folder.js';
import { warnOnce } from '../../../util/warn-once.js';
import type { CallFact } from '../../../wire/protocol/config/call-records.js';
import { isFact } from '../plain-fact.js';
import type { CallFiles } from './call-files.js';
import { LOG_NAME, nameOlderLog, nameTail } from './call-files.js';
import { CALLS_FORMAT, CALLS_VERSION, decodeLine, type ReadLine } from './call-lines.js';

/** One line of the log that counts. */
export interface LogEntry {
  readonly id: string;
  /** The line as it is written. */
  readonly text: string;
  readonly fact: CallFact;
  /** The name of the file with the fact, beside the log; undefined when the fact is in the line. */
  readonly file: string | undefined;
}

/** A log, as it was at one moment. */
export interface ReadLog {
  readonly entries: readonly LogEntry[];
  /** The number of bytes of its complete lines. */
  readonly size: number;
  readonly inode: number;
  /** How often the log was made shorter. */
  readonly number: number;
  /** The index of the entry from which on every line could be read. Lines that a crash tore do not matter. */
  readonly wholeFrom: number;
  /** Whether `entries` has everything that is in the log. Lines that a crash tore do not matter. */
  readonly isWhole: boolean;
}

/** How often to read again, because another process replaced the log in the meantime. */
const MAX_TRIES = 20;
/** How many characters are parsed before other work gets its turn. Parsing a megabyte takes some milliseconds. */
const TURN_CHARACTERS = 1024 * 1024;

/** Reads the log; undefined when there is none. Rejects with an InboardError if it cannot be read or is not trusted. */
export async function readCallLog(files: CallFiles): Promise<ReadLog | undefined> {
  for (let tries = 1; ; tries += 1) {
    const file = await files.openToRead(LOG_NAME);
    if (file === undefined) return undefined;
    try {
      const { ino } = await file.stat();
      const log = await readOpened(files, file, ino);
      if (tries === MAX_TRIES || (await inodeOf(files.log)) === ino) return log;
    } catch (error) {
      throw files.failed(error);
    } finally {
      await file.close();
    }
  }
}

/**
 * The facts of a log that can be relied on. A `covers` fact says that a call without facts did not begin. It is left out
 * if a later line could not be read, or may not have reached the disk, because the call may have begun in that line.
 */
export async function readFacts(files: CallFiles): Promise<CallFact[]> {
  const log = await readCallLog(files);
  if (log === undefined) return [];
  const facts = log.entries.map(({ fact }) => fact);
  return facts.filter(
    (fact, index) => fact.type !== 'covers' || (index >= log.wholeFrom && !isFromBefore(fact.owner)),
  );
}

/**
 * Whether the owner ran on another machine, or on this one before it was restarted. The last lines that it wrote may be
 * lost.
 */
function isFromBefore(owner: string | undefined): boolean {
  const boot = owner === undefined ? undefined : parseRecord(owner)?.['boot'];
  const now = describeSelf().boot;
  return typeof boot === 'string' && boot !== '' && now !== '' && boot !== now;
}

async function inodeOf(path: string): Promise<number | undefined> {
  return await disk.promises.stat(path).then(
    ({ ino }) => ino,
    () => undefined,
  );
}

async function readOpened(files: CallFiles, file: FileHandle, inode: number): Promise<ReadLog> {
  const own = await readLines(file, 0);
  const reader = new EntryReader(files);
  const first = own.lines[0] === undefined ? undefined : decodeLine(own.lines[0]);
  const header = first?.kind === 'compacted' ? first : undefined;
  const lines = header ? own.lines.slice(1) : own.lines;
  const kept = header?.kept ?? 0;
  await reader.read(lines.slice(0, kept));
  if (header) {
    const tail = await readTail(files, header.number - 1, header.from);
    if (tail === undefined) reader.miss('the end of the log before it is gone');
    else await reader.read(tail);
  }
  await reader.read(lines.slice(kept));
  const { entries, wholeFrom, isWhole } = reader;
  return { entries, wholeFrom, isWhole, size: own.size, inode, number: header?.number ?? 0 };
}

/** The lines that the earlier log got while this one was made from it; undefined when they are gone. */
async function readTail(
  files: CallFiles,
  number: number,
  from: number,
): Promise<readonly string[] | undefined> {
  for (const [name, start] of [
    [nameTail(number), 0],
    [nameOlderLog(number), from],
    // The tail may have been made in between.
    [nameTail(number), 0],
  ] as const) {
    const file = await files.openToRead(name);
    if (file === undefined) continue;
    try {
      return (await readLines(file, start)).lines;
    } finally {
      await file.close();
    }
  }
  return undefined;
}

/**
 * The complete lines from a position on, without empty ones. A process may still be writing what comes after the last
 * line feed.
 */
export async function readLines(
  file: FileHandle,
  from: number,
): Promise<{ lines: readonly string[]; size: number }> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.max(size - from, 0));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const end = bytes.lastIndexOf(0x0a, length - 1) + 1;
  const text = length === 0 ? '' : bytes.toString('utf8', 0, end);
  return { lines: text.split('\n').filter((line) => line !== ''), size: length === 0 ? 0 : end };
}

class EntryReader {
  readonly entries: LogEntry[] = [];
  wholeFrom = 0;
  isWhole = true;
  readonly #files: CallFiles;
  readonly #ids = new Set<string>();
  #sinceTurn = 0;

  constructor(files: CallFiles) {
    this.#files = files;
  }

  async read(lines: readonly string[]): Promise<void> {
    for (const text of lines) {
      this.#sinceTurn += text.length;
      if (this.#sinceTurn > TURN_CHARACTERS) {
        this.#sinceTurn = 0;
        await nextRound();
      }
      await this.#take(text, decodeLine(text));
    }
  }

  /** Notes that something is missing, and warns of it once. */
  miss(what: string): void {
    this.wholeFrom = this.entries.length;
    this.isWhole = false;
    warnOnce(
      `Some of what is recorded of calls in ${this.#files.log} is ignored: ${what}.`,
      'CALL_RECORDS_IGNORED',
    );
  }

  async #take(text: string, line: ReadLine): Promise<void> {
    if (line.kind === 'newer') {
      const { message } = createFormatError(this.#files.log, line.version);
      this.miss(message);
    }
    if (line.kind === 'damaged') this.miss('a line of it is damaged');
    if (line.kind === 'unknown') this.isWhole = false;
    if ((line.kind !== 'fact' && line.kind !== 'large') || this.#ids.has(line.id)) return;
    const fact = line.kind === 'fact' ? line.fact : await this.#readLarge(line);
    if (fact === undefined) return;
    this.#ids.add(line.id);
    this.entries.push({ id: line.id, text, fact, file: line.kind === 'large' ? line.file : undefined });
  }

  async #readLarge({
    file: name,
    type,
    callKey,
  }: ReadLine & { kind: 'large' }): Promise<CallFact | undefined> {
    const file = await this.#files.openToRead(name);
    try {
      const read: unknown = file && parseRecord(await file.readFile('utf8'));
      // The file was written before its line, so it must be there. A file with the fact of another call does not count.
      const isIts =
        isFact(read) && read.type === type && ('callKey' in read ? read.callKey : undefined) === callKey;
      if (isIts) return read;
    } finally {
      await file?.close();
    }
    this.miss(`${name} is gone or damaged`);
    return undefined;
  }
}

function createFormatError(file: string, version: number): StoredFormatError {
  const message =
    `it has lines of version ${version} of the format ${CALLS_FORMAT}, but this package only reads up to version ` +
    `${CALLS_VERSION}. A newer Inboard wrote them: update the package in every program that opens the session`;
  return new StoredFormatError({ format: CALLS_FORMAT, version, supported: CALLS_VERSION, file }, message);
}
