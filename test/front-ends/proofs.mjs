// What is proved, one row each: `run` throws when it is not so.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { driveChat, writeScript } from './drive-chat.mjs';
import { driveCrash, writeCrashScript } from './drive-crash.mjs';
import { drivePage } from './drive-page.mjs';
import { driveTemplate } from './drive-template.mjs';
import { loadTesting, serveOffline } from './offline.mjs';
import { SERVERS } from './servers.mjs';

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const run = promisify(execFile);

/** Name, why it cannot be run here, and the proof. */
export const PROOFS = [
  // The longest first: two run at a time.
  { name: 'useChat in a browser', run: ({ project, place }) => drivePage(project, place) },
  { name: 'the template chat', run: ({ project, place }) => driveTemplate(project, place) },
  ...SERVERS.map((server) => ({
    name: server.name,
    missing: server.missing,
    run: ({ project, place }) => serve(server, project, place),
  })),
  { name: 'a crash while a person is asked', run: ({ project, place }) => crash(project, place) },
  { name: 'types', run: ({ project }) => compile(project) },
  { name: 'reader', run: ({ project }) => read(project) },
];

async function compile(project) {
  await run(process.execPath, [compiler, '-p', join(project, 'types'), '--pretty', 'false'], {
    cwd: project,
  });
}

async function read(project) {
  const words = ['--test', '--test-reporter=spec', join('reader', 'read-answers.mjs')];
  await run(process.execPath, words, { cwd: project, env: { PATH: process.env.PATH }, timeout: 60_000 });
}

/** The conversation with one server, on the real CLI. */
async function serve(server, project, place) {
  const { script, gates } = writeScript(await loadTesting(project));
  await serveOffline({ project, place, server, script }, ({ api }) => driveChat(api, gates));
}

/** The crash of one server, where the next one goes on. */
async function crash(project, place) {
  const script = writeCrashScript(await loadTesting(project));
  const server = SERVERS.find(({ name }) => name === 'Hono');
  await serveOffline({ project, place, server, script }, driveCrash);
}
