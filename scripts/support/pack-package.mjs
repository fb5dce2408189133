// The package as it is published: what npm would pack of the root, with a manifest that has nothing of the checkout in it. Packed as it
// is built: another build is not this file's to make.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leaveOutPictures } from './packed-pictures.mjs';
import { addressFields, PUBLICATION } from './release/publication.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What only a checkout needs. An installed package has no workspaces to link and nothing to build. */
const OF_THE_CHECKOUT = ['workspaces', 'scripts', 'devDependencies', 'allowScripts'];

/** The manifest of the published package. */
export function publishedManifest(manifest) {
  const published = Object.entries(manifest).filter(([name]) => !OF_THE_CHECKOUT.includes(name));
  return { ...Object.fromEntries(published), ...addressFields(PUBLICATION) };
}

/** Puts the files that are published into a folder, in place of what is there. */
function stagePackage(folder) {
  if (!existsSync(join(root, 'dist', 'entry', 'index.js')))
    throw new Error('There is no build to pack. Run "npm run build" first.');
  rmSync(folder, { recursive: true, force: true });
  const packed = new Set(listPublished());
  for (const path of packed) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    if (path.endsWith('.md'))
      writeFileSync(place, leaveOutPictures(path, readFileSync(join(root, path), 'utf8'), packed));
    else copyFileSync(join(root, path), place);
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
}

/**
 * Packs the package into a folder; the path of the tarball. Where the variable INBOARD_TARBALL names one that was packed before, that is
 * copied: one run of CI packs once.
 */
export function packPackage(target) {
  const given = process.env.INBOARD_TARBALL;
  if (given) {
    if (!existsSync(given))
      throw new Error(
        `INBOARD_TARBALL names "${given}", which is not there. Unset it, and the package is packed as it is built.`,
      );
    const copy = join(target, basename(given));
    cpSync(given, copy);
    return copy;
  }
  const stage = mkdtempSync(join(tmpdir(), 'inboard-stage-'));
  try {
    stagePackage(stage);
    npm(['pack', stage, '--pack-destination', target, '--silent', '--ignore-scripts'], target);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  const tarball = readdirSync(target).find((name) => name.startsWith('inboard-') && name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball.');
  return join(target, tarball);
}

function listPublished() {
  const printed = JSON.parse(npm(['pack', root, '--dry-run', '--json', '--ignore-scripts'], root));
  // A list, or in newer versions of npm an object by name.
  const [packed] = Object.values(printed);
  return packed.files.map(({ path }) => path);
}

function npm(words, cwd) {
  return execFileSync('npm', [...words, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm is a batch file there, which only a shell starts.
    shell: process.platform === 'win32',
  });
}
