// Explains why a temporary folder could not be created or written to: which folder it is, what is wrong with it, and what
// to do.
import { tmpdir } from 'node:os';
import { LaunchError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';

const VARIABLE = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';
const ELSEWHERE = `point ${VARIABLE} to a folder that this process may write to`;

/** What is wrong with the folder, and what helps, by the system's error code. */
const REASONS: Readonly<Record<string, { what: string; help: string; retryable?: boolean }>> = {
  ENOENT: { what: 'the folder does not exist', help: `Create it, or ${ELSEWHERE}` },
  ENOTDIR: { what: 'it is not a folder', help: `Use a folder: ${ELSEWHERE}` },
  EACCES: { what: 'this process may not write there', help: `Change its permissions, or ${ELSEWHERE}` },
  EPERM: { what: 'this process may not write there', help: `Change its permissions, or ${ELSEWHERE}` },
  EROFS: { what: 'the file system is read-only', help: `Mount it writable, or ${ELSEWHERE}` },
  ENOSPC: { what: 'no space is left', help: `Free some, or ${ELSEWHERE}`, retryable: true },
  EDQUOT: { what: 'the quota is used up', help: `Free some space, or ${ELSEWHERE}`, retryable: true },
  EMFILE: {
    what: 'this process has too many files open',
    help: 'Close some, or raise the limit (ulimit -n)',
    retryable: true,
  },
  ENFILE: { what: 'the system has too many files open', help: 'Close some', retryable: true },
  ENAMETOOLONG: { what: 'its path is too long', help: `Use a shorter one: ${ELSEWHERE}` },
};

/** The error for a failure of the file system in a temporary folder. Any other error is returned unchanged. */
export function explainFolderFailure(error: unknown, purpose: string): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (!(error instanceof Error) || typeof code !== 'string' || syscall === undefined) return error;
  const reason = REASONS[code];
  const { what, help } = reason ?? { what: messageOf(error), help: `Check the folder, or ${ELSEWHERE}` };
  return new LaunchError(
    'TEMPORARY_FOLDER_UNUSABLE',
    `Cannot write ${purpose} to the temporary folder ${tmpdir()}: ${what} (${code}). ${help}.`,
    { cause: error, retryable: reason?.retryable ?? false },
  );
}
