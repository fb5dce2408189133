// Where the second and every further CLI of one session is recorded: beside the first, whose file it would replace.
import { statSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { TraceOption } from '../../record/trace/recorder/trace-option.js';

/** The option for the given start of a session, from 1. A folder has a file for each anyway, and a sink takes all. */
export function numberTrace(option: TraceOption, start: number): TraceOption {
  if (start === 1) return option;
  if (typeof option === 'string') return numberFile(option, start);
  return 'write' in option ? option : { ...option, file: numberFile(option.file, start) };
}

function numberFile(path: string, start: number): string {
  if (isFolder(path)) return path;
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}-${start}${ext}`);
}

function isFolder(path: string): boolean {
  return /[\\/]$/.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
