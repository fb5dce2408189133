// One trace file as a source of sessions.
import { basename, resolve } from 'node:path';
import { RecordedSource, type ToolCaller } from './recorded-source.js';
import { TraceFileSession } from './trace-file-session.js';

/** What a source of recordings may be given besides. */
export interface TraceSourceOptions {
  /** Calls tools as they are now; without it they cannot be called. */
  tools?: ToolCaller | undefined;
  /** Where relative paths begin. Default: the working directory. */
  cwd?: string | undefined;
  /** How long to wait before files are looked at again, in milliseconds. Default 1000. */
  pollMs?: number | undefined;
}

/** A trace file, also one that is still written. Whoever opens it closes it. Throws a TraceError for a file that is no trace. */
export async function openTraceFile(file: string, options: TraceSourceOptions = {}): Promise<RecordedSource> {
  const { tools, pollMs, cwd = process.cwd() } = options;
  const path = resolve(cwd, file);
  const name = basename(path);
  // Says what is wrong with it, where a source would leave it out.
  await TraceFileSession.open(name, path, file);
  const listFiles = async (): Promise<{ name: string; path: string; shownPath: string }[]> => [
    { name, path, shownPath: file },
  ];
  return RecordedSource.open({ title: name, listFiles, tools, pollMs });
}
