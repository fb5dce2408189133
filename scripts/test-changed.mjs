// Runs the unit tests that a change can reach: of the working tree and the branch against main, or of the files that are named.
//   npm run test:changed                         what differs from main, or origin/main where there is no main
//   npm run test:changed -- packages/ui/src/x.ts these files instead
//   --base <commit>  compare with another commit than main     --list  say which tests, and run none
//   --built          the tests that build the package, too     --without <test>  all but this one; repeatable
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chooseTests, readBuiltTests } from './support/reach/choose-tests.mjs';
import { findReached } from './support/reach/file-reach.mjs';
import { isCommit, listChanged, readTree } from './support/reach/read-tree.mjs';

/** What every test depends on, without an import. */
const FOR_ALL = [
  'vitest.config.ts',
  'package-lock.json',
  'test/support/restore-worker.ts',
  'test/support/fix-seed.ts',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: {
    base: { type: 'string' },
    list: { type: 'boolean' },
    built: { type: 'boolean' },
    without: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});

function fail(message) {
  console.error(message);
  process.exit(2);
}

function readNamed() {
  return positionals.map((name) => {
    if (!existsSync(resolve(name))) fail(`There is no file ${name}. Name files from ${process.cwd()}.`);
    return relative(root, resolve(name)).split(sep).join('/');
  });
}

function readChanged(base) {
  try {
    return listChanged(root, base);
  } catch (error) {
    return fail(
      `What differs from "${base}" cannot be read: ${error.stderr?.trim() || error.message}\nName another commit with --base, or the files.`,
    );
  }
}

const tree = readTree(root);
// A clone of a branch has no branch `main` of its own.
const base = values.base ?? (isCommit(root, 'main') ? 'main' : 'origin/main');
const changed = positionals.length > 0 ? readNamed() : readChanged(base);
const isTest = (path) =>
  /^(?:packages|test)\/.*\.test\.ts$/.test(path) &&
  existsSync(join(root, path)) &&
  !values.without.includes(path);
const reached = changed.some((path) => FOR_ALL.includes(path))
  ? [...tree.files.keys()]
  : [...findReached({ ...tree, changed })];
const built = readBuiltTests(readFileSync(join(root, 'vitest.config.ts'), 'utf8'));
const choose = (paths) => chooseTests({ reached: paths.filter(isTest), built, isBuiltRun: values.built });
const { tests, hints } = choose(reached);

console.log(
  `${changed.length} changed files reach ${tests.length} of ${choose([...tree.files.keys()]).tests.length} unit test files.`,
);
for (const hint of hints) console.log(hint);
if (values.list) console.log(tests.join('\n'));
else if (tests.length > 0) {
  const projects = ['unit', 'apart', ...(values.built ? ['built'] : [])].flatMap((name) => [
    '--project',
    name,
  ]);
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--passWithNoTests',
      ...projects,
      ...tests.map((path) => join(root, path)),
    ],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
