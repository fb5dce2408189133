// The package as an earlier commit makes it: taken from the history, built with the tools that are installed, and kept for the
// next run. Workers of that package then run beside those of this one.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRandom } from './random.mjs';

/** Earlier packages by what is special about them: each version of the tables that a release could have left behind. */
export const EARLIER = {
  'tables-1': 'c35fee48db927ffb339d02047a4ef0223f6c1047',
  'tables-4': '43da2fb779fd3504c2f4b5b4037adc4a9935b1cc',
};

/** The name of one of them, chosen by a seed: the same for everything that is tried with this seed, so that one build does for all. */
export const pickEarlier = (seed) => createRandom(seed).pick(Object.keys(EARLIER));

/**
 * Gives the entry points of the package of a commit, or of a name in EARLIER, and what it calls differently. Throws if the history
 * does not reach back so far.
 */
export function buildEarlierPackage(name, root) {
  const commit = EARLIER[name] ?? name;
  const { stdout, status } = git(root, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`]);
  if (status !== 0)
    throw new Error(
      `The history of this clone has no commit ${commit}. A shallow clone needs git fetch --unshallow.`,
    );
  const hash = stdout.trim();
  // Not below node_modules: earlier builds take paths with that name for those of other packages.
  const folder = join(
    tmpdir(),
    `inboard-earlier-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`,
    hash,
  );
  if (!existsSync(folder)) {
    // Under another name until it is whole: a build that was stopped is not taken for one.
    const unfinished = `${folder}.${process.pid}`;
    takeOut(hash, root, unfinished);
    run('npm', ['run', 'build', '--silent'], unfinished);
    renameSync(unfinished, folder);
  }
  const names = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
  const says = (file, word) =>
    names
      .filter((name) => name.endsWith(`/${file}.d.ts`))
      .some((name) => readFileSync(join(folder, 'dist', name), 'utf8').includes(word));
  const entry = existsSync(join(folder, 'dist', 'entry')) ? 'entry' : 'doors';
  return {
    commit: hash.slice(0, 8),
    entryPoints: pathToFileURL(join(folder, 'dist', entry)).href,
    // What has another name today.
    suspendOption: says('work-options', 'suspendAfterMs') ? 'suspendAfterMs' : 'holdApprovalMs',
    onRepeat: says('repeat-policy', "'recorded'") ? 'recorded' : 'remembered',
  };
}

function git(cwd, args) {
  return spawnSync('git', args, { cwd, encoding: 'utf8' });
}

function takeOut(hash, root, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', hash, folder], root);
  // Its packages find each other, and the tools of this checkout.
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@inboard' && name !== '.cache')
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  const packages = join(folder, 'packages');
  if (!existsSync(packages)) return;
  mkdirSync(join(modules, '@inboard'));
  for (const name of readdirSync(packages))
    symlinkSync(join(packages, name), join(modules, '@inboard', name));
}

function run(command, args, cwd) {
  const { status, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed in ${cwd}: ${stderr.slice(-2000)}`);
}
