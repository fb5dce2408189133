// Replaces a long log by a shorter one, under the claim. Another process may append to the long log in the meantime.
// Such late lines are kept beside the new log: first in the old log, which gets a second name, then in a file with only
// the end of the old log. The first line of the new log says where in the old log they begin.
import { join } from 'node:path';
import { clock } from '../../../util/system/clock.js';
import { moveOver } from '../../../util/move-over.js';
import { disk } from '../../../util/system/disk.js';
import type { CallClaim, CallFact } from '../../../wire/protocol/config/call-records.js';
import { compactFacts } from '../compact-facts.js';
import { codeOf } from '../../../util/message-of.js';
import {
  isLeftover,
  nameLock,
  nameOlderLog,
  nameTail,
  nameUnfinished,
  type CallFiles,
} from './call-files.js';
import { encodeCompacted } from './call-lines.js';
import { readCallLog, readLines, type ReadLog } from './read-call-log.js';

/**
 * The log is read as a whole when a session is opened. This size is enough for some ten thousand calls, or for some
 * hundred calls with long results.
 */
const MAX_LOG_BYTES = 8 * 1024 * 1024;
/** A file this old that nothing refers to was left by a killed process. The next process that compacts removes it. */
const LEFTOVER_MS = 24 * 60 * 60 * 1000;

/** How a log of calls is made shorter. */
export interface CompactCallRecordsOptions {
  /** The claim of these records, which the caller holds. */
  readonly claim: CallClaim;
  /** Whether the transcript has the result of a call. */
  readonly isDelivered: (callKey: string) => boolean;
  /** The size in bytes from which the log is made shorter. Default 8 MB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Makes the log shorter if it is long and has facts that can go. Resolves with whether the log was made shorter. Rejects
 * with an InboardError.
 */
export async function compactCallLog(
  files: CallFiles,
  { claim, isDelivered, maxBytes = MAX_LOG_BYTES }: CompactCallRecordsOptions,
): Promise<boolean> {
  const size = await disk.promises.stat(files.log).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size <= maxBytes || !(await claim.renew())) return false;
  try {
    const read = await readCallLog(files);
    // A log is left alone if some of its lines cannot be read here. The shorter log would not have them, and a newer
    // version may know what they say.
    if (!read?.isWhole) return false;
    const facts = read.entries.map(({ fact }) => fact);
    const kept = new Set<CallFact>(compactFacts(facts, isDelivered));
    return kept.size < facts.length && (await exchange(files, { claim, read, kept }));
  } catch (error) {
    throw files.failed(error);
  }
}

interface Exchange {
  readonly claim: CallClaim;
  readonly read: ReadLog;
  readonly kept: ReadonlySet<CallFact>;
}

async function exchange(files: CallFiles, { claim, read, kept }: Exchange): Promise<boolean> {
  const pathOf = (name: string): string => join(files.folder, name);
  const { number, size, entries } = read;
  const older = pathOf(nameOlderLog(number));
  const lock = pathOf(nameLock(number));
  const unfinished = pathOf(nameUnfinished());
  await sweep(files, { number, entries });
  if (!(await createLock(lock))) return false;
  let isExchanged = false;
  try {
    if ((await disk.promises.stat(files.log)).ino !== read.inode || !(await linkLog(files, older)))
      return false;
    const lines = entries.filter(({ fact }) => kept.has(fact)).map(({ text }) => text);
    const header = encodeCompacted({ number: number + 1, from: size, kept: lines.length });
    await writeWhole(unfinished, `${[header, ...lines].join('\n')}\n`);
    isExchanged = (await claim.renew()) && (await replaceLog(files, unfinished));
    // From now on every process that appends to the old log notices that the log was replaced, and writes its line again.
    // So the end of the old log can be read.
    if (isExchanged) await keepTail(files, number, size);
  } finally {
    // If the end of the old log could not be saved, the old log stays, and its end is read from there.
    if (!isExchanged) await removeAll([older, unfinished]);
    await removeAll([lock]);
  }
  const dropped = entries.flatMap(({ fact, file }) => (file !== undefined && !kept.has(fact) ? [file] : []));
  if (isExchanged)
    await removeAll([older, ...[nameOlderLog(number - 1), nameTail(number - 1), ...dropped].map(pathOf)]);
  return isExchanged;
}

/**
 * Creates a file named after the log that was read. Only one process can create it, so a process that slept and lost
 * its claim cannot replace the log of another. The lock of a killed process is removed after a day.
 */
async function createLock(path: string): Promise<boolean> {
  try {
    await disk.promises.writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Gives the log a second name. Removes a file that a crash left under that name. False where no hard links can be made. */
async function linkLog(files: CallFiles, path: string): Promise<boolean> {
  await disk.promises.rm(path, { force: true });
  try {
    await disk.promises.link(files.log, path);
    return true;
  } catch {
    // The log is not made shorter, which only costs space.
    return false;
  }
}

async function replaceLog(files: CallFiles, path: string): Promise<boolean> {
  try {
    await moveOver(path, files.log);
    return true;
  } catch (error) {
    // Windows does not replace a file that another process has open.
    if (['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))) return false;
    throw error;
  }
}

async function keepTail(files: CallFiles, number: number, from: number): Promise<void> {
  const old = await files.openToRead(nameOlderLog(number));
  if (old === undefined) return;
  try {
    const { lines } = await readLines(old, from);
    const unfinished = join(files.folder, nameUnfinished());
    await writeWhole(unfinished, lines.map((line) => `${line}\n`).join(''));
    await moveOver(unfinished, join(files.folder, nameTail(number)));
  } finally {
    await old.close();
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await disk.promises.writeFile(path, text, { flag: 'wx', mode: 0o600 });
  const file = await disk.promises.open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes files that crashes have left. */
async function sweep(
  files: CallFiles,
  { number, entries }: Pick<ReadLog, 'number' | 'entries'>,
): Promise<void> {
  const needed = new Set([nameOlderLog(number - 1), nameTail(number - 1)]);
  for (const { file } of entries) if (file !== undefined) needed.add(file);
  for (const name of await disk.promises.readdir(files.folder)) {
    if (!isLeftover(name) || needed.has(name)) continue;
    const path = join(files.folder, name);
    const found = await disk.promises.stat(path).catch(() => undefined);
    if (found && clock.Date.now() - found.mtimeMs > LEFTOVER_MS) await removeAll([path]);
  }
}

// A file that cannot be removed now is swept later.
async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await disk.promises.rm(path, { force: true }).catch(() => {});
}
