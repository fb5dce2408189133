// A copy of the project in which recipes are played: its own sources, and the packages that are installed for the original.
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { applyEdit } from './apply-step.mjs';

/** Copies what git knows, or what is there and not ignored. The caller removes the copy. */
export function copyProject(root, paths) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-recipes-'));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  linkPackages(root, folder);
  commitAll(folder);
  return new ProjectCopy(folder);
}

// The project's own packages are links by a relative path, and lead into the copy once they are in it.
function linkPackages(root, folder) {
  const installed = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules', '.cache'), { recursive: true });
  for (const name of readdirSync(installed).filter((entry) => !/^\.(?:cache|vite)/.test(entry))) {
    if (name === '@inboard')
      cpSync(join(installed, name), join(folder, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else symlinkSync(join(installed, name), join(folder, 'node_modules', name));
  }
}

// Tests read the list of files from git, and so does the script that finds what a change reaches: what differs from this commit.
function commitAll(folder) {
  const settings = {
    'user.name': 'recipes',
    'user.email': 'recipes@example.com',
    'commit.gpgSign': 'false',
    'core.hooksPath': '/dev/null',
    'core.autocrlf': 'false',
  };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all', '--force', '.', ':!node_modules'],
    ['commit', '--quiet', '--message', 'The project before the recipes'],
  ])
    execFileSync('git', [...given, ...words], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Tests whether the steps fit a project in which they were not carried out. */
const FOR_UNPLAYED = 'test/package/recipes.test.ts';

class ProjectCopy {
  #folder;
  /** By path, the text before the first step touched it; undefined where the file was not there. */
  #originals = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  /** Another copy in the same state. The caller removes it, too. */
  duplicate() {
    const folder = mkdtempSync(join(tmpdir(), 'inboard-recipes-'));
    cpSync(this.#folder, folder, { recursive: true, verbatimSymlinks: true });
    const other = new ProjectCopy(folder);
    other.#originals = new Map(this.#originals);
    return other;
  }

  read(path) {
    const place = join(this.#folder, path);
    return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
  }

  /** Remembers a file as it is, for `restore`. */
  keep(path) {
    if (!this.#originals.has(path)) this.#originals.set(path, this.read(path));
  }

  /** Writes a file, or removes it where the text is undefined. */
  write(path, text) {
    this.keep(path);
    this.#put(path, text);
  }

  /** Carries out edits, such as those of a step. */
  edit(edits = []) {
    for (const edit of edits) {
      const text = applyEdit(this.read(edit.file), edit);
      if (edit.moveTo !== undefined) this.write(edit.file, undefined);
      this.write(edit.moveTo ?? edit.file, text);
    }
  }

  /** Takes all steps back. */
  restore() {
    for (const [path, text] of this.#originals) this.#put(path, text);
    this.#originals.clear();
  }

  #put(path, text) {
    const place = join(this.#folder, path);
    if (text !== undefined) {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, text);
      return;
    }
    rmSync(place, { force: true });
    // Tests take a folder for a version, also an empty one.
    for (
      let parent = dirname(place);
      existsSync(parent) && readdirSync(parent).length === 0;
      parent = dirname(parent)
    )
      rmdirSync(parent);
  }

  /** Runs tests, and the compiler where it is among them. `hasRun` says whether each came to a verdict. */
  async check(tests, workers) {
    const files = tests.filter((name) => name !== 'compiler');
    const projects = ['unit', 'apart', 'built', 'docs'].flatMap((name) => ['--project', name]);
    const runs = [
      ...(files.length > 0
        ? [['node_modules/vitest/vitest.mjs', 'run', `--maxWorkers=${workers}`, ...projects, ...files]]
        : []),
      // The second time it looks only at what changed.
      ...(files.length < tests.length
        ? [
            [
              'node_modules/typescript/bin/tsc',
              '-p',
              'tsconfig.json',
              '--incremental',
              '--tsBuildInfoFile',
              'node_modules/.cache/recipes.tsbuildinfo',
            ],
          ]
        : []),
    ];
    const results = await Promise.all(runs.map((words) => this.run(words)));
    const passed = results.every((result) => result.passed);
    const output = results.map((result) => result.output).join('\n');
    return { passed, output, hasRun: hasRun(tests, passed, output) };
  }

  /** Runs every test that the steps reach, those that build the package too. */
  async checkReached() {
    const words = ['--base', 'HEAD', '--built', '--without', FOR_UNPLAYED];
    const { passed, output } = await this.run(['scripts/test-changed.mjs', ...words]);
    return { passed, output, hasRun: /^ *Tests .*\d+ passed/m.test(output) };
  }

  /** Runs a script of the copy, or of its packages. */
  run([script, ...words]) {
    const options = {
      cwd: this.#folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, NO_COLOR: '1', INBOARD_TEST_REPORT: undefined },
    };
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [script, ...words], options, (error, stdout, stderr) => {
        // A number says how the script ended; anything else, that it could not be run.
        if (error && typeof error.code !== 'number') reject(error);
        else resolve({ passed: error === null, output: stdout + stderr });
      });
    });
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A test that no project includes, or a compiler that does not start, fails without having looked at anything. */
function hasRun(tests, passed, output) {
  if (output.includes('No test files found')) return false;
  return tests.every((name) =>
    name === 'compiler' ? passed || / error TS\d+: /.test(output) : output.includes(name),
  );
}
