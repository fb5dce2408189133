// Checks every lockfile of the project: exact versions, integrity, no dependency by git or address, known install scripts
// and licences only, and no runtime dependency beyond the ones decided on. Reads files alone, and needs no network.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSupplyChainFaults, isUnpublished } from './support/supply-chain.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const lockfiles = execFileSync('git', ['ls-files', '*package-lock.json', '*npm-shrinkwrap.json'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(root, path)));

let faults = 0;
for (const path of lockfiles) {
  const lock = read(path);
  const found = findSupplyChainFaults({ manifest: read(join(dirname(path), 'package.json')), lock });
  const unhashed = Object.values(lock.packages).filter(isUnpublished).length;
  const note = unhashed === 0 ? '' : `, ${unhashed} without integrity, for other systems`;
  console.log(`${path}: ${Object.keys(lock.packages).length - 1} packages, ${found.length} faults${note}`);
  for (const fault of found) console.log(`  ${fault}`);
  faults += found.length;
}
const runtime = Object.keys(read('package.json').dependencies ?? {});
if (runtime.length > 1) {
  console.log(`package.json: more than one runtime dependency: ${runtime.join(', ')}`);
  faults += 1;
}
if (lockfiles.length === 0) throw new Error('No lockfile was found: this check looked at nothing.');
process.exitCode = faults === 0 ? 0 : 1;
