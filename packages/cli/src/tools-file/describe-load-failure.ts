// Describes why a module could not be loaded, with the place in the user's file. Stack frames of the runtime and of this
// package are left out, because the user cannot change anything there.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findOwnPackage } from './own-package.js';

/** Milliseconds that the runtime may take to find the place of a syntax error. */
const CHECK_LIMIT_MS = 10_000;

/** Why a file was not loaded, with the place in it. */
export function describeLoadFailure(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const hint =
    code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
      ? '\nThe runtime only strips types; "npm install --save-dev jiti" loads the rest of TypeScript too.'
      : '';
  return `${describeError(error, file)}${hint}`;
}

function describeError(error: Error, file: string): string {
  const shown = keepOwnFrames(error.stack ?? error.message);
  // The stack of a syntax error does not always contain the place.
  if (!(error instanceof SyntaxError) || hasPlace(shown)) return shown;
  const place = findSyntaxError(file);
  return place === undefined
    ? `${shown}\nThe error is not in this file itself, but in one that it imports.`
    : `${error.name}: ${error.message}\n${place}`;
}

function hasPlace(text: string): boolean {
  return /:\d+(?::\d+)?\)?$/m.test(text);
}

/** The place of a syntax error in a file, with its line. Undefined if the syntax is right, or if the runtime does not say. */
function findSyntaxError(file: string): string | undefined {
  const { status, stderr } = spawnSync(process.execPath, ['--check', file], {
    encoding: 'utf8',
    timeout: CHECK_LIMIT_MS,
    windowsHide: true,
  });
  if (status === 0 || typeof stderr !== 'string') return undefined;
  const lines = stderr.split('\n');
  const first = lines.findIndex((line) => line.includes(file) && hasPlace(line));
  if (first < 0) return undefined;
  // After the place come the line itself and a mark below it.
  const last = lines.findIndex((line, at) => at > first && /^\w*Error\b/.test(line));
  return lines
    .slice(first, last < 0 ? first + 3 : last)
    .join('\n')
    .trimEnd();
}

/** A stack without the frames of the runtime and of this package. */
function keepOwnFrames(stack: string): string {
  const folder = findOwnPackage()?.folder;
  const ours =
    folder === undefined
      ? []
      : ['dist', 'src'].flatMap((each) => [
          join(folder, each, '/'),
          pathToFileURL(join(folder, each, '/')).href,
        ]);
  const isForeign = (line: string): boolean =>
    /^\s+at .*\bnode:internal\//.test(line) ||
    (/^\s+at /.test(line) && ours.some((each) => line.includes(each)));
  return stack
    .split('\n')
    .filter((line) => !isForeign(line))
    .join('\n');
}
