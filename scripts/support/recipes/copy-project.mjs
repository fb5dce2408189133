// A copy of the project in which recipes are played: its own sources, and the packages that are installed for the original.
import { spawnSync } from 'node:child_process';
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
import { applyEdit } from './apply-step.mjs';

/** Copies the files that git knows, or those that exist and are not ignored. The caller removes the copy. */
export function copyProject(root, paths) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-recipes-'));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  linkPackages(root, folder);
  return new ProjectCopy(folder);
}

// The project's own packages are links by a relative path, and lead into the copy once they are in it.
function linkPackages(root, folder) {
  const installed = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(installed).filter((entry) => !/^\.(?:cache|vite)/.test(entry))) {
    if (name === '@inboard')
      cpSync(join(installed, name), join(folder, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else symlinkSync(join(installed, name), join(folder, 'node_modules', name));
  }
}

class ProjectCopy {
  #folder;
  /** By path, the text before the first step touched it; undefined where the file was not there. */
  #originals = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  read(path) {
    const place = join(this.#folder, path);
    return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
  }

  /** Remembers a file as it is, for `restore`. */
  keep(path) {
    if (!this.#originals.has(path)) this.#originals.set(path, this.read(path));
  }

  write(path, text) {
    this.keep(path);
    writeFileSync(join(this.#folder, path), text);
  }

  /** Carries out a step; a script that has written its files once can be replaced by what it wrote. */
  apply(step, written = new Map()) {
    for (const edit of step.edits ?? []) this.write(edit.file, applyEdit(this.read(edit.file), edit));
    if (step.script === undefined) return;
    for (const path of step.writes) this.write(path, written.get(path) ?? this.read(path));
    if (step.writes.every((path) => written.has(path))) return;
    const { passed, output } = this.run([step.script]);
    if (!passed) throw new Error(`${step.script} failed in the copy:\n${output}`);
  }

  /** Takes all steps back. */
  restore() {
    for (const [path, text] of this.#originals) {
      if (text === undefined) rmSync(join(this.#folder, path), { force: true });
      else writeFileSync(join(this.#folder, path), text);
    }
    this.#originals.clear();
  }

  /** Runs tests, and the compiler where it is among them. */
  check(tests) {
    const files = tests.filter((name) => name !== 'compiler');
    const projects = ['unit', 'apart', 'built'].flatMap((name) => ['--project', name]);
    const runs = [
      ...(files.length > 0
        ? [['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...projects, ...files]]
        : []),
      ...(files.length < tests.length ? [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']] : []),
    ];
    const results = runs.map((words) => this.run(words));
    return {
      passed: results.every(({ passed }) => passed),
      output: results.map(({ output }) => output).join('\n'),
    };
  }

  run([script, ...words]) {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [script, ...words], {
      cwd: this.#folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, NO_COLOR: '1', INBOARD_TEST_REPORT: undefined },
    });
    if (error) throw error;
    return { passed: status === 0, output: stdout + stderr };
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
