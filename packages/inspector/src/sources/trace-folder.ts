// A folder of traces as a source of sessions: each trace in it whose name ends with `.jsonl`.
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { TraceError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { RecordedSource, type FoundFile } from './recorded-source.js';
import type { TraceSourceOptions } from './trace-file.js';

/**
 * Opens a folder of traces. Files that are added later become sessions too. The caller closes it. Throws a TraceError for
 * a folder that cannot be read.
 */
export async function openTraceFolder(
  folder: string,
  options: TraceSourceOptions = {},
): Promise<RecordedSource> {
  const { tools, pollMs, cwd = process.cwd() } = options;
  const path = resolve(cwd, folder);
  const listFiles = async (): Promise<FoundFile[]> => {
    const names = await readdir(path);
    return names
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => ({ name, path: join(path, name), shownPath: join(folder, name) }));
  };
  try {
    return await RecordedSource.open({ title: basename(path), listFiles, tools, pollMs });
  } catch (cause) {
    const message = `The folder ${folder} cannot be read: ${messageOf(cause)}`;
    throw new TraceError('TRACE_UNREADABLE', message, { cause, file: folder });
  }
}
