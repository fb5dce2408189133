// One trace file as a source of sessions.
import { basename, resolve } from 'node:path';
import { RecordedSource, type ToolCaller } from './recorded-source.js';
import { TraceFileSession } from './trace-file-session.js';

/** Further options of a source of recordings. */
export interface TraceSourceOptions {
  /** Calls the present versions of tools; without it, tools cannot be called. */
  tools?: ToolCaller | undefined;
  /** The folder for relative paths. Default: the working directory. */
  cwd?: string | undefined;
  /** How long to wait before the files are checked again, in milliseconds. Default 1000. */
  pollMs?: number | undefined;
}

/** Opens a trace file, which may still be written. The caller closes it. Throws a TraceError for a file that is not a trace. */
export async function openTraceFile(file: string, options: TraceSourceOptions = {}): Promise<RecordedSource> {
  const { tools, pollMs, cwd = process.cwd() } = options;
  const path = resolve(cwd, file);
  const name = basename(path);
  // Throws the reason if the file is not a trace. A source would only leave the file out.
  await TraceFileSession.open(name, path, file);
  const listFiles = async (): Promise<{ name: string; path: string; shownPath: string }[]> => [
    { name, path, shownPath: file },
  ];
  return RecordedSource.open({ title: name, listFiles, tools, pollMs });
}
