// What is proved, one row each: `run` throws when it is not so.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const run = promisify(execFile);

/** Name, why it cannot be run here, and the proof. */
export const PROOFS = [
  { name: 'types', run: ({ project }) => compile(project) },
  { name: 'reader', run: ({ project }) => read(project) },
];

async function compile(project) {
  await run(process.execPath, [compiler, '-p', join(project, 'types'), '--pretty', 'false'], {
    cwd: project,
  });
}

async function read(project) {
  const words = ['--test', '--test-reporter=spec', join('reader', 'reader.test.mjs')];
  await run(process.execPath, words, { cwd: project, env: { PATH: process.env.PATH }, timeout: 60_000 });
}
