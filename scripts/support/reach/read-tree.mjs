// The files of the project as git knows them, and those that differ from another commit.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from './file-reach.mjs';

/** Every file that is there and not ignored: the text of those with code, and the paths of the others. */
export function readTree(root) {
  const paths = git(root, ['ls-files', '--cached', '--others', '--exclude-standard']).filter((path) =>
    existsSync(join(root, path)),
  );
  return {
    files: new Map(paths.filter(isCode).map((path) => [path, readFileSync(join(root, path), 'utf8')])),
    others: paths.filter((path) => !isCode(path)),
  };
}

/** What the working tree and the branch have changed since they left `base`; removed files are among it. */
export function listChanged(root, base) {
  const [start] = git(root, ['merge-base', 'HEAD', base]);
  return [
    ...new Set([
      ...git(root, ['diff', '--name-only', '--no-renames', start]),
      ...git(root, ['ls-files', '--others', '--exclude-standard']),
    ]),
  ];
}

/** Whether a name stands for a commit in this checkout. */
export function isCommit(root, name) {
  try {
    return git(root, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]).length > 0;
  } catch {
    return false;
  }
}

function git(root, words) {
  const output = execFileSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return output.split('\n').filter((line) => line !== '');
}
