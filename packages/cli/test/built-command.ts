// The command as users have it: built, installed in a project, started as a process.
import { spawn, type ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { buildDist } from '../../../test/package/built-package.js';
import { PROJECT_ROOT } from '../../../test/package/project.js';

/** What a command did. */
export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How a command is started. */
export interface RunOptions {
  input?: string;
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** A project with the command in it. The test that makes it removes it. */
export interface BuiltCommand {
  /** The project. Development dependencies are not found from it unless `link` puts them there. */
  folder: string;
  /** The command's file. */
  file: string;
  write(name: string, text: string): string;
  link(...packages: string[]): void;
  start(args: readonly string[], options?: RunOptions): ChildProcess;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Starts another program of the project. */
  startFile(file: string, options?: RunOptions): ChildProcess;
  /** Runs another program of the project. */
  runFile(file: string, options?: RunOptions): Promise<Ran>;
  remove(): void;
}

/** Puts the built package into a project outside of this one, so that nothing is found by accident. */
export async function buildCommand(place: string): Promise<BuiltCommand> {
  const folder = mkdtempSync(join(place, 'inboard-command-'));
  const home = join(folder, 'node_modules', 'inboard');
  mkdirSync(home, { recursive: true });
  copyFileSync(join(PROJECT_ROOT, 'package.json'), join(home, 'package.json'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const link = (...packages: string[]): void => {
    for (const name of packages) {
      const target = join(folder, 'node_modules', name);
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(join(PROJECT_ROOT, 'node_modules', name), target);
    }
  };
  try {
    cpSync(await buildDist(), join(home, 'dist'), { recursive: true });
    cpSync(join(PROJECT_ROOT, 'templates'), join(home, 'templates'), { recursive: true });
    link('@cfworker/json-schema');
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  } catch (error) {
    remove();
    throw error;
  }
  const file = join(home, 'dist', 'cli', 'main.js');
  const startFile = (program: string, args: readonly string[], { env = {}, cwd = folder }: RunOptions = {}) =>
    spawn(process.execPath, [program, ...args], { cwd, env: { PATH: process.env['PATH'], ...env } });
  const start: BuiltCommand['start'] = (args, options) => startFile(file, args, options);
  return {
    folder,
    file,
    remove,
    link,
    start,
    startFile: (program, options) => startFile(program, [], options),
    runFile: (program, options) => collect(startFile(program, [], options)),
    write(name, text) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      // In one step: a command that watches the file never finds it empty.
      writeFileSync(`${path}.part`, text);
      renameSync(`${path}.part`, path);
      return path;
    },
    run(args, options = {}) {
      const child = start(args, options);
      child.stdin?.on('error', () => {});
      child.stdin?.end(options.input ?? '');
      return collect(child);
    },
  };
}

/** Everything a process writes, and how it ends. */
export function collect(child: ChildProcess): Promise<Ran> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
