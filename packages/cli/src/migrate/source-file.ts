// Reads a file as bytes and as text, and writes it back. The encoding is chosen so that every unchanged byte stays the same.
import { randomBytes } from 'node:crypto';
import { chmod, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { moveOver } from '@inboard/core/util/move-over.js';
import { CommandError } from '../terminal/usage-error.js';

/** A file that was read. */
export interface SourceFile {
  path: string;
  text: string;
  encoding: 'utf8' | 'latin1';
  bytes: Buffer;
}

/** A change of a text. `start` is a position in UTF-16 units. */
export interface Change {
  start: number;
  from: string;
  to: string;
}

/** Reads a file. Throws a CommandError if it is UTF-16. */
export async function readSourceFile(path: string): Promise<SourceFile> {
  const bytes = await readFile(path);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new CommandError('UNREADABLE', 'It is UTF-16. Save it as UTF-8.');
  }
  const text = bytes.toString('utf8');
  // Bytes that are not UTF-8 would be lost. As Latin-1, each byte is one character, and code is ASCII in both encodings.
  if (Buffer.from(text, 'utf8').equals(bytes)) return { path, text, encoding: 'utf8', bytes };
  return { path, text: bytes.toString('latin1'), encoding: 'latin1', bytes };
}

/** The text with all changes made. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  let done = '';
  let at = 0;
  for (const { start, from, to } of changes.toSorted((left, right) => left.start - right.start)) {
    done += text.slice(at, start) + to;
    at = start + from.length;
  }
  return done + text.slice(at);
}

/** Replaces a file, completely or not at all. Throws if the file has changed since it was read. */
export async function writeSourceFile({ path, bytes, encoding }: SourceFile, text: string): Promise<void> {
  // A link stays a link; the file it leads to is replaced.
  const target = await realpath(path);
  if (!(await readFile(target)).equals(bytes)) {
    throw new CommandError('FILE_CHANGED', 'It changed while it was being read. Run the command again.');
  }
  const { mode } = await stat(target);
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, Buffer.from(text, encoding), { flag: 'wx' });
    await chmod(draft, mode & 0o7777);
    await moveOver(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
