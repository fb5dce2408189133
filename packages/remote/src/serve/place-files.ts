// Puts the files of a start where the CLI here finds them: arguments in one private folder, a session to resume in another
// that is its config folder. Both are removed with the CLI; those of a killed process are swept by the next.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RemoteError } from '@inboard/core/errors.js';
import { copyUserConfig } from '@inboard/core/record/history/store/copy-user-config.js';
import { findProjectKey } from '@inboard/core/record/history/store/stored-entries.js';
import type { Environment } from '@inboard/core/wire/process/operating-system.js';
import { createOwnedFolder, removeOwnedFolder } from '@inboard/core/wire/process/owned-folder.js';
import { placeholderOf, type SentFile, type Start } from '../wire/messages.js';

/** Files that are in place. */
export interface PlacedStart {
  args: string[];
  /** What the environment must have in addition. */
  env: Record<string, string>;
  remove: () => void;
}

/** The start, the bytes of its files, and for whom. */
export interface PlaceInput {
  start: Start;
  bytes: Readable;
  env: Environment;
  cwd: string;
  maxFileBytes: number;
}

const MOST_FILES = 10_000;

/** Rejects where a file cannot be written or did not come whole; then nothing is left. */
export async function placeFiles({ start, bytes, env, cwd, maxFileBytes }: PlaceInput): Promise<PlacedStart> {
  const { args, files } = start;
  checkSizes(files, maxFileBytes);
  const folders: string[] = [];
  const makeFolder = (kind: 'launch' | 'resume'): string => {
    const folder = createOwnedFolder(kind);
    folders.push(folder);
    return folder;
  };
  const remove = (): void => folders.forEach(removeOwnedFolder);
  try {
    const isResuming = files.some(({ kind }) => kind === 'session');
    const launch = files.some(({ kind }) => kind === 'argument') ? makeFolder('launch') : '';
    const configDir = isResuming ? join(makeFolder('resume'), 'config') : '';
    const project = isResuming ? join(configDir, 'projects', await findProjectKey(cwd)) : '';
    const paths = files.map(({ kind, path }, index) =>
      kind === 'argument' ? join(launch, `${index}-${path.replaceAll('/', '-')}`) : join(project, path),
    );
    await writeFiles(files, paths, bytes);
    if (isResuming) await copyUserConfig(configDir, { env, cwd });
    const placed = new Map(paths.map((path, index) => [placeholderOf(index), path]));
    return {
      args: args.map((word) => placed.get(word) ?? word),
      env: isResuming ? { CLAUDE_CONFIG_DIR: configDir } : {},
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function checkSizes(files: readonly SentFile[], maxFileBytes: number): void {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length <= MOST_FILES && total <= maxFileBytes) return;
  throw new RemoteError(
    'REMOTE_START_FAILED',
    `${files.length} files with ${total} bytes are too much; this host takes at most ${MOST_FILES} files and ${maxFileBytes} bytes ("maxFileBytes")`,
  );
}

async function writeFiles(
  files: readonly SentFile[],
  paths: readonly string[],
  bytes: Readable,
): Promise<void> {
  const source = new ByteSource(bytes);
  for (const [index, { size }] of files.entries()) {
    const path = paths[index] ?? '';
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Never over a file that is there: two of one name would be one of them.
    const file = await open(path, 'wx', 0o600);
    try {
      for (let left = size; left > 0;) {
        const piece = await source.read(left);
        await file.appendFile(piece);
        left -= piece.length;
      }
    } finally {
      await file.close();
    }
  }
}

/** Bytes of a stream, as many as wanted. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** At least one byte, at most `most`. */
  async read(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true)
        throw new RemoteError('REMOTE_PROTOCOL', 'Fewer bytes of files arrived than were announced');
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }
}
