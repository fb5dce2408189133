// Reads a stack trace of the published package and prints it with places in src. The maps are not published: check out
// the version the trace is from and build it first, which makes the same files.
//   node scripts/locate-stack.mjs < trace.txt
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PLACE = /(?:file:\/\/)?[^\s()]*[\\/]dist[\\/]([^\s()]+\.js):(\d+):(\d+)/g;

/** The same place in src, or as it was where this build has no such file. */
function locate(place, file, line, column) {
  const map = join(root, 'dist', `${file}.map`);
  if (!existsSync(map)) return `${place} (not in this build)`;
  const { originalSource, originalLine, originalColumn } = new SourceMap(
    JSON.parse(readFileSync(map, 'utf8')),
  ).findEntry(line - 1, column - 1);
  if (originalSource === undefined) return place;
  const source = relative(root, resolve(dirname(map), originalSource));
  return `${source}:${originalLine + 1}:${originalColumn + 1}`;
}

const trace = readFileSync(0, 'utf8');
process.stdout.write(
  trace.replaceAll(PLACE, (place, file, line, column) => locate(place, file, Number(line), Number(column))),
);
