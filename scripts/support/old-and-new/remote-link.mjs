// A CLI on another host, where client and server are of different packages: a program that stands for the CLI gets lines and a private
// file, and answers. What passes on the line is kept, so that each side can be played to other versions later.
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const TOKEN = 'a-token-for-two-versions';

/** Says what is in the file that it is given, answers each line in capitals, and ends with 3 behind the last one. */
const PROGRAM = `const fs = require('node:fs');
process.stdout.write('file: ' + fs.readFileSync(process.argv[1], 'utf8') + '\\n');
process.stdin.on('data', (text) => process.stdout.write(String(text).toUpperCase()));
process.stdin.on('end', () => process.exitCode = 3);`;

/** What everybody must see, whichever versions meet. */
export const REMOTE_MEANING = { lines: ['file: private', 'ONE', 'TWO'], exitCode: 3, signal: null };

/** The request that the client makes, as a transport is given it. */
export function remoteRequest(folder) {
  const file = join(folder, 'private.txt');
  writeFileSync(file, 'private', { mode: 0o600 });
  return { args: ['-e', PROGRAM, file], files: [file], env: {}, cwd: '.' };
}

/** Runs one CLI from `home` on a server of `there`; gives what came back and the bytes of both sides. */
export async function exchangeOverLink({ home, there, folder }) {
  const server = await there.remote.serveCli({
    listen: {},
    token: TOKEN,
    cli: process.execPath,
    cwd: folder,
  });
  const tap = await openTap(server.address.port);
  try {
    const { transport } = home.remote.connectCli({ port: tap.port, token: TOKEN });
    const meaning = await runToEnd(await transport(remoteRequest(folder)));
    return { meaning, client: tap.client(), server: tap.server() };
  } finally {
    await tap.close();
    await server.close();
  }
}

/** A wrong token, and none: what the client is told, by name. */
export async function tryRefusal({ home, there, folder }) {
  const server = await there.remote.serveCli({
    listen: {},
    token: TOKEN,
    cli: process.execPath,
    cwd: folder,
  });
  try {
    const { transport } = home.remote.connectCli({
      port: server.address.port,
      token: 'another-token-of-16',
    });
    return await transport(remoteRequest(folder)).then(
      () => 'let in',
      ({ code, retryable }) => ({ code, retryable }),
    );
  } finally {
    await server.close();
  }
}

/** Writes two lines through a transport, ends its input, and gives what it answered. */
export function runToEnd(transport) {
  const lines = [];
  return new Promise((resolve) => {
    transport.open({
      line: (text) => lines.push(text),
      fault: (error) => lines.push(`fault: ${error.message}`),
      closed: ({ exitCode, signal }) => resolve({ lines, exitCode, signal }),
    });
    transport.write('one');
    transport.write('two');
    transport.endInput();
  });
}

/** Passes bytes on and keeps a copy. */
async function openTap(port) {
  const bytes = { client: [], server: [] };
  const sockets = new Set();
  const tap = createServer((incoming) => {
    const outgoing = connect(port, '127.0.0.1');
    for (const [from, to, kept] of [
      [incoming, outgoing, bytes.client],
      [outgoing, incoming, bytes.server],
    ]) {
      sockets.add(from);
      from.on('data', (chunk) => kept.push(chunk)).on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise((resolve) => {
    tap.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: tap.address().port,
    client: () => Buffer.concat(bytes.client),
    server: () => Buffer.concat(bytes.server),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => {
        tap.close(resolve);
      });
    },
  };
}
