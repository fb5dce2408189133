// Records what this version stores, for versions to come: test/fixtures/formats/<format>/v<n>. A version that is there already is
// left alone, because it is what was really written; a format whose version was raised gets a new folder. Run after `npm run build`:
//   node scripts/record-formats.mjs
import { existsSync, mkdtempSync, renameSync, rmSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FORMATS, writeFormat } from './support/formats/write-formats.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href);

const inboard = {
  ...(await load('entry/index.js')),
  testing: await load('entry/testing.js'),
  transcripts: join(root, 'test', 'fixtures', 'transcripts', '2.1.325'),
};

for (const name of Object.keys(FORMATS)) {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'));
  const version = await writeFormat(name, join(folder, 'written'), inboard);
  const target = join(root, 'test', 'fixtures', 'formats', name, `v${version}`);
  if (existsSync(target)) {
    console.log(`${name}: version ${version} is recorded already, and stays as it was written`);
  } else {
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(folder, 'written'), target);
    console.log(`${name}: version ${version} recorded`);
  }
  rmSync(folder, { recursive: true, force: true });
}
