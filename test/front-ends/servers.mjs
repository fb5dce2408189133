// How the recipe of each framework is run as a server of its own, and ended again.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPort } from '../../scripts/support/free-port.mjs';
import { listRuntimes } from '../matrix/runtimes.mjs';
import { waitUntil } from '../support/wait-until.js';

// Next compiles before it answers: ten seconds of a processor, and on a busy machine a minute and more.
const PATIENCE_MS = 150_000;
const nextProgram = fileURLToPath(new URL('../bundlers/node_modules/next/dist/bin/next', import.meta.url));
const onNode = (file) => ({ program: process.execPath, words: () => [file] });
const onRuntime = (title, file) => {
  const runtime = listRuntimes().find(({ name }) => name.startsWith(title));
  return { program: runtime.program, words: () => [...runtime.args, file], missing: runtime.missing };
};

/** Name, folder in the project, the program and its words. */
export const SERVERS = [
  {
    // The server for development: it starts in half the time that a build takes, and what a build makes of the package is
    // proved by scripts/run-bundlers.mjs. By webpack, since the other bundler follows no links out of the project, and Next
    // itself is one here.
    name: 'Next',
    folder: 'next',
    program: process.execPath,
    words: (port) => [nextProgram, 'dev', '--webpack', '--hostname', '127.0.0.1', '--port', port],
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  },
  { name: 'Hono', ...onNode('hono.mjs') },
  { name: 'Express', ...onNode('express.mjs') },
  { name: 'node:http', ...onNode('node.mjs') },
  { name: 'Bun', ...onRuntime('Bun', 'bun.mjs') },
  { name: 'Deno', ...onRuntime('Deno', 'deno.mjs') },
];

/** Starts a server in the project and waits until it answers; gives its address and how it is ended. */
export async function startServer(server, project, env, samePort) {
  const { name, program, words } = server;
  const port = samePort ?? String(await findPort());
  const child = spawn(program, words(port), {
    cwd: join(project, server.folder ?? ''),
    env: { ...env, ...server.env, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let isOver = false;
  void ended.then(() => (isOver = true));
  const close = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(timer);
    if (child.signalCode === 'SIGKILL') throw new Error(`${name} did not end when it was asked to`);
  };
  /** As a crash does it. */
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const api = `http://127.0.0.1:${port}/api/chat`;
  try {
    await untilItAnswers(`${api}/nobody/stream`, () => isOver);
  } catch (error) {
    await kill();
    throw new Error(`${name} did not start: ${error.message}\n${said}`, { cause: error });
  }
  return { api, port, close, kill, said: () => said };
}

async function untilItAnswers(address, isOver) {
  const isAnswered = async () => {
    if (isOver()) throw new Error('it ended');
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
      await response.body?.cancel();
      if (response.status !== 204) throw new Error(`an idle chat was answered with ${response.status}`);
      return true;
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED') throw error;
      return false;
    }
  };
  await waitUntil(isAnswered, PATIENCE_MS, `an answer from ${address}`);
}
