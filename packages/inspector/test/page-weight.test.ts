// What a browser loads before the page shows anything.
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readPageAssets } from '../src/server/page-assets.js';
import { buildPageOnce } from './support/built-page.js';

// It was 63,000 before the page kept what it reads of a program: that code cannot come later, because a program that is killed
// does not announce it; 63,500 before the header and the timeline took from one place which calls and questions are open; 64,500
// before turns, waits and the longest of each share were measured as the whole session is; and 64,700 before what the inspector asks
// and what messages say of calls were read in files of their own.
const MOST_BYTES = 64_800;

/** The files that are loaded with a file, itself among them. */
function listLoaded(
  served: ReadonlyMap<string, Buffer>,
  name: string,
  found = new Set<string>(),
): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const code = gunzipSync(served.get(name) as Buffer).toString();
  // Those of `import()` come later; they have a bracket.
  for (const [, path = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g))
    listLoaded(served, path, found);
  return found;
}

it('is at most 64.8 kB of script, compressed, for what is looked at first', async () => {
  const { served } = readPageAssets(await buildPageOnce());
  const first = [...listLoaded(served, 'page.js')];
  const bytes = first.reduce((sum, name) => sum + (served.get(name)?.length ?? 0), 0);
  // The views that one turns to are not among them.
  expect([...served.keys()].filter((name) => !first.includes(name)).length).toBeGreaterThan(5);
  expect(bytes, `${first.join(', ')} are ${bytes} bytes`).toBeLessThanOrEqual(MOST_BYTES);
});
