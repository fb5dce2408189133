// Writes the files of a start to the places where the CLI of this host finds them. Files for arguments go into one private
// folder. A session to resume goes into another, which becomes the config folder of the CLI. Both are removed with the CLI. If
// this process is killed, a later process removes them.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { RemoteError } from '@inboard/core/errors.js';
import { copyUserConfig } from '@inboard/core/record/history/store/copy-user-config.js';
import { findProjectKey } from '@inboard/core/record/history/store/stored-entries.js';
import type { Environment } from '@inboard/core/wire/process/operating-system.js';
import { createOwnedFolder, removeOwnedFolder } from '@inboard/core/wire/process/owned-folder.js';
import { placeholderOf, type SentFile, type Start } from '../wire/messages.js';

/** The result of placing the files of a start. */
export interface PlacedStart {
  args: string[];
  /** Variables to add to the environment of the CLI. */
  env: Record<string, string>;
  remove: () => void;
}

/** A start, the bytes of its files, and where its CLI runs. */
export interface PlaceInput {
  start: Start;
  bytes: Readable;
  env: Environment;
  cwd: string;
  maxFileBytes: number;
}

const MOST_FILES = 10_000;

/** Places the files of a start. If a file cannot be written or did not arrive whole, rejects and leaves no file behind. */
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
    // Never overwrites a file. Otherwise two files of the same name would become one.
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

/** Reads a stream of bytes in pieces of limited length. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Reads at least one byte, and at most `most`. */
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
