// Writes and reads one file of an approval. A file is first written under another name, so that no reader sees half of
// it. It is checked when it is read.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { StoredFormatError } from '../../../errors.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { isRecord, parseRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import { randomUUID } from '../../../util/random-uuid.js';
import { disk } from '../../../util/system/disk.js';
import { warnOnce } from '../../../util/warn-once.js';
import { isAnswer } from './approval-result.js';
import type { FileOwners, FolderState } from './file-owners.js';

const FORMAT = 'inboard-approval';
/**
 * The version of the format. Add 1 when readers of the previous version would misread a file. Files without a version are
 * older, and are read in the same way.
 */
const VERSION = 1;

/** The ending of a file that is being written. Old files with this ending are removed. */
export const UNFINISHED = '.tmp';

/** The contents of a file. Only `usable` counts. A `newer` file was written by a newer package, and is left alone. */
export type StoredFile =
  | { state: 'absent' }
  | { state: 'usable'; value: Record<string, unknown> }
  | { state: 'newer'; error: StoredFormatError }
  /** The file is damaged, or its owner is not trusted. */
  | { state: 'unusable'; fault: string };

/** The file to read, and what it has to contain. */
export interface ExpectedFile extends FolderState {
  path: string;
  kind: 'question' | 'answer';
  /** Whether the file belongs to the question with this id. */
  isItsFile: (id: string) => boolean;
  owners: FileOwners;
}

// Links are not followed, because they could lead to any file. Opening does not block, because a pipe would make it wait.
// Windows has neither flag.
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Codes for a path that is not a file, or that this user may not open. Other failures may be temporary, and are
 * thrown.
 */
const NO_FILE = new Set(['ELOOP', 'EMLINK', 'EACCES', 'EPERM', 'ENXIO', 'EISDIR']);

/** Reads a file. Emits a process warning for a file that does not count, once for each file and reason. */
export async function readStored(expected: ExpectedFile): Promise<StoredFile> {
  const found = await examine(expected);
  const { path } = expected;
  if (found.state === 'unusable')
    warnOnce(`The approvals file ${path} is ignored: it ${found.fault}.`, 'APPROVAL_FILE_IGNORED');
  if (found.state === 'newer')
    warnOnce(`The file is ignored: ${found.error.message}`, 'APPROVAL_FILE_IGNORED');
  return found;
}

async function examine(expected: ExpectedFile): Promise<StoredFile> {
  let file: FileHandle;
  try {
    file = await disk.promises.open(expected.path, READ_ONLY);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { state: 'absent' };
    if (!NO_FILE.has(code)) throw error;
    const fault = code === 'ELOOP' || code === 'EMLINK' ? 'is a symbolic link' : `cannot be read (${code})`;
    return { state: 'unusable', fault };
  }
  try {
    // The checks use the open file, because the path may lead to another file by now.
    const stats = await file.stat();
    if (!stats.isFile()) return { state: 'unusable', fault: 'is not a regular file' };
    const fault = expected.owners.findFault(stats);
    if (fault !== undefined) return { state: 'unusable', fault };
    return judge(expected, parseRecord(await file.readFile('utf8')));
  } finally {
    await file.close();
  }
}

function judge(expected: ExpectedFile, stored: Record<string, unknown> | undefined): StoredFile {
  const damaged: StoredFile = { state: 'unusable', fault: `is damaged (there is no ${expected.kind} in it)` };
  if (stored === undefined) return damaged;
  const { format, version, ...value } = stored;
  if (format === FORMAT && typeof version === 'number' && version > VERSION)
    return { state: 'newer', error: createFormatError(expected.path, version) };
  const read = format === FORMAT ? value : stored;
  return expected.kind === 'question' ? judgeQuestion(expected, read) : judgeAnswer(expected, read);
}

function judgeQuestion({ isItsFile }: ExpectedFile, value: Record<string, unknown>): StoredFile {
  if (typeof value['id'] !== 'string' || !isRecord(value['input']))
    return { state: 'unusable', fault: 'is damaged (there is no question in it)' };
  if (!isItsFile(value['id']))
    return { state: 'unusable', fault: `has the question ${value['id']}, which belongs into another file` };
  return { state: 'usable', value };
}

function judgeAnswer(
  { isItsFile, othersCanWrite }: ExpectedFile,
  stored: Record<string, unknown>,
): StoredFile {
  const { id: named, ...value } = stored;
  if (!isAnswer(value['result']) || typeof value['answeredAt'] !== 'number')
    return { state: 'unusable', fault: 'is damaged (there is no answer in it)' };
  if (named === undefined && othersCanWrite) {
    const fault = 'does not say which question it answers, and other users can rename files in its folder';
    return { state: 'unusable', fault };
  }
  if (named !== undefined && !(typeof named === 'string' && isItsFile(named)))
    return { state: 'unusable', fault: `answers another question, ${messageOf(named)}` };
  return { state: 'usable', value };
}

function createFormatError(file: string, version: number): StoredFormatError {
  const message =
    `${file} has version ${version} of the format ${FORMAT}, but this package only reads up to version ` +
    `${VERSION}. A newer Inboard wrote it: update the package in every program that uses the folder.`;
  return new StoredFormatError({ format: FORMAT, version, supported: VERSION, file }, message);
}

/** Writes a value to disk under a name that no reader looks for. Leaves no file if that fails. */
export async function writeUnfinished(folder: string, value: object, owners: FileOwners): Promise<string> {
  const path = join(folder, `${randomUUID()}${UNFINISHED}`);
  const file = await disk.promises.open(path, 'wx', 0o600);
  try {
    try {
      owners.checkWritten(folder, await file.stat());
      // The trusted users read the file as members of its group. Unlike `open`, `chmod` is not limited by the umask.
      if (owners.isShared) await file.chmod(0o640);
      await file.writeFile(stringifyDeep({ format: FORMAT, version: VERSION, ...value }) as string);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await removeQuietly(path);
    throw error;
  }
  return path;
}

/** Removes a file that is no longer needed. If that fails, a later sweep by any process removes it. */
export async function removeQuietly(path: string): Promise<void> {
  await disk.promises.rm(path, { force: true }).catch(() => {});
}
