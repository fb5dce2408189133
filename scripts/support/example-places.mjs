// Where copies of the examples are installed: each with the packed project in place of the link to this checkout.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackage } from './pack-package.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = join(root, 'examples');
const PACKED = 'inboard.tgz';
// What belongs to an installation, and not to the example.
const INSTALLED = new Set(['node_modules', 'package.json', 'package-lock.json', PACKED, '.installed']);
// What an example makes when it runs.
const MADE = new Set(['node_modules', 'data']);

/** The folder that holds the copies, by name. */
export const EXAMPLES_PLACE = join(root, 'node_modules', '.cache', 'inboard-examples');

/** The names of all examples that are packages of their own. */
export function listExamples() {
  return readdirSync(examples).filter((name) => existsSync(join(examples, name, 'package.json')));
}

/** Packs the project as it would be published; the content of the tarball. */
export function packProject() {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-pack-'));
  try {
    return readFileSync(packPackage(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies an example and installs it with the packed project, unless that was done with the same files before. */
export function installExample(name, tarball) {
  const source = join(examples, name);
  const place = join(EXAMPLES_PLACE, name);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8'));
  const mark = join(place, '.installed');
  const { scripts: _, ...needed } = manifest;
  const wanted = createHash('sha256')
    .update(JSON.stringify([needed, lock]))
    .update(tarball)
    .digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, PACKED), tarball);
  manifest.dependencies.inboard = `file:${PACKED}`;
  // Everything else stays as it is locked.
  lock.packages[''].dependencies.inboard = `file:${PACKED}`;
  delete lock.packages['../..'];
  delete lock.packages['node_modules/inboard'];
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify(lock, null, 2));
  runNpm(['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], place);
  linkClis(place);
  refreshExample(name);
  writeFileSync(mark, wanted);
}

/** Copies the example's own files once more; gives its place. */
export function refreshExample(name) {
  const place = join(EXAMPLES_PLACE, name);
  for (const entry of readdirSync(place))
    if (!INSTALLED.has(entry)) rmSync(join(place, entry), { recursive: true, force: true });
  for (const entry of readdirSync(join(examples, name))) {
    if (INSTALLED.has(entry) || MADE.has(entry)) continue;
    cpSync(join(examples, name, entry), join(place, entry), { recursive: true });
  }
  copyScripts(name, place);
  return place;
}

// The commands of an example may change without what it needs.
function copyScripts(name, place) {
  const { scripts } = JSON.parse(readFileSync(join(examples, name, 'package.json'), 'utf8'));
  const path = join(place, 'package.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), scripts }, null, 2));
}

// They are found as a user's would be; copies would be hundreds of megabytes each.
function linkClis(place) {
  const scope = '@anthropic-ai';
  const names = [
    ...readdirSync(join(root, 'node_modules', scope))
      .filter((name) => /^claude-code(?:-|$)/.test(name))
      .map((name) => `${scope}/${name}`),
    ...readdirSync(join(root, 'node_modules')).filter((name) => name.startsWith('claude-code-')),
  ];
  for (const name of names) {
    const target = join(place, 'node_modules', name);
    if (existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), target, 'junction');
  }
}

function runNpm(words, cwd) {
  execFileSync('npm', words, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    // npm is a batch file there, which only a shell starts.
    shell: process.platform === 'win32',
  });
}
