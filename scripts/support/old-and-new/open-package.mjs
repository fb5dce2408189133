// A package as it is published, installed in a folder of its own: what is exchanged between versions is written and read by what users
// have, not by a build.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildEarlierPackage } from '../cluster-chaos/earlier-package.mjs';
import { packPackage } from '../pack-package.mjs';

/** The packed package of a commit, or of a name in EARLIER, with its entry points. It is kept for the next run, as its build is. */
export async function openEarlierPackage(name, root) {
  const { commit, entryPoints, suspendOption, onRepeat } = buildEarlierPackage(name, root);
  const built = dirname(dirname(fileURLToPath(entryPoints)));
  const packed = join(built, 'packed');
  if (!existsSync(packed)) {
    // Under another name until it is whole.
    const unfinished = `${packed}.${process.pid}`;
    mkdirSync(unfinished);
    execFileSync('npm', ['pack', built, '--pack-destination', unfinished, '--silent', '--ignore-scripts'], {
      cwd: built,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const tarball = readdirSync(unfinished).find((file) => file.endsWith('.tgz'));
    unpack(join(unfinished, tarball), unfinished, join(built, 'node_modules'));
    renameSync(unfinished, packed);
  }
  const folder = join(packed, 'node_modules', 'inboard', 'dist', basename(fileURLToPath(entryPoints)));
  return { commit, suspendOption, onRepeat, ...(await loadEntryPoints(folder, root)) };
}

/** The packed package of this checkout, which must have been built. `close` removes it. */
export async function openThisPackage(root) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-this-'));
  unpack(packPackage(folder), folder, join(root, 'node_modules'));
  const entry = join(folder, 'node_modules', 'inboard', 'dist', 'entry');
  return {
    commit: 'this version',
    suspendOption: 'suspendAfterMs',
    onRepeat: 'recorded',
    close: () => rmSync(folder, { recursive: true, force: true }),
    ...(await loadEntryPoints(entry, root)),
  };
}

function unpack(tarball, folder, modules) {
  const installed = join(folder, 'node_modules');
  mkdirSync(join(installed, 'inboard'), { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', join(installed, 'inboard'), '--strip-components=1']);
  for (const name of readdirSync(modules)) {
    if (!['@inboard', '.cache', '.bin', 'inboard'].includes(name))
      symlinkSync(join(modules, name), join(installed, name));
  }
}

async function loadEntryPoints(folder, root) {
  const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href);
  return {
    ...(await load('index')),
    testing: await load('testing'),
    trace: await load('trace'),
    remote: await load('remote'),
    cluster: await load('cluster'),
    postgres: await load('cluster-postgres'),
    transcripts: join(root, 'test', 'fixtures', 'transcripts', '2.1.325'),
  };
}
