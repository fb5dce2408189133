// The fake CLI as a program. It is a small Node script that passes its pipes over a local socket to the test process.
// There the script is played as it is in memory. Only this user can access the folder and the socket.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAKE_CLI_FOLDER } from '@inboard/core/wire/process/find/executable-path.js';
import { createLineSplitter } from '@inboard/core/wire/protocol/line-splitter.js';
import type { FakeLaunch, FakePipes, FakeProgram } from './fake-pipes.js';
import { RELAY_PROGRAM } from './relay-program.js';

/** A program and the server behind it. */
export interface FakeExecutable {
  readonly path: string;
  /** Ends running programs and removes the files. */
  close(): Promise<void>;
}

type StartProgram = (launch: FakeLaunch, pipes: FakePipes) => FakeProgram;

/**
 * Writes the program and listens for it. Calls `start` each time the program is run. With `isByHand`, SIGTERM kills the
 * program at once.
 */
export async function createExecutable(
  { version, isByHand }: { readonly version: string; readonly isByHand: boolean },
  start: StartProgram,
): Promise<FakeExecutable> {
  const isWindows = process.platform === 'win32';
  const folder = mkdtempSync(join(findTemporaryFolder(), FAKE_CLI_FOLDER));
  const address = isWindows ? `\\\\.\\pipe\\${folder.replaceAll(/[^\w]/g, '-')}` : join(folder, 's');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveProcess(socket, version, start);
  });
  try {
    await listen(server, address);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const path = join(folder, isWindows ? 'claude.cjs' : 'claude');
  const facts = JSON.stringify({ address, version, isByHand });
  writeFileSync(path, `#!${interpreter()}\nconst FACTS = ${facts};\n${RELAY_PROGRAM}`, { mode: 0o755 });
  chmodSync(path, 0o755);
  // The program is CommonJS, even if a package.json above its folder says otherwise.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  // A fake that the test does not close must not keep the test process alive.
  server.unref();
  return {
    path,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The path of a socket may have only about a hundred characters. Some temporary folders have longer paths.
function findTemporaryFolder(): string {
  const isTooLong = process.platform !== 'win32' && Buffer.byteLength(tmpdir()) > 75;
  return isTooLong ? '/tmp' : tmpdir();
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

// The runtime that runs the test, so that the PATH of the program does not matter. A path that is long or has spaces
// cannot stand in a shebang line.
function interpreter(): string {
  if (!/^\S{1,120}$/.test(process.execPath)) return '/usr/bin/env node';
  // Deno would ask for permission to reach the socket.
  return 'deno' in process.versions ? `${process.execPath} -A` : process.execPath;
}

/** Connects a started program with a run. Each line on the socket is a letter for its kind, followed by its bytes in base64. */
function serveProcess(socket: Socket, version: string, start: StartProgram): void {
  let program: FakeProgram | undefined;
  let isReading = true;
  const send = (kind: string, payload: string | Buffer = ''): void => {
    if (!socket.destroyed) socket.write(`${kind}${Buffer.from(payload).toString('base64')}\n`);
  };
  const pipes: FakePipes = {
    write: (bytes) => send('o', bytes),
    stderr: (text) => send('r', text),
    end: (how) => send('x', JSON.stringify(how)),
    closeInput: () => send('c'),
    closeOutput: () => send('d'),
    setReading(value) {
      isReading = value;
      send(value ? 'u' : 'p');
    },
    ignoreTerm: () => send('t'),
  };
  const input = createLineSplitter({ onLine: (line) => program?.line(line), onOversized: () => {} });
  const take = (line: string): void => {
    const bytes = Buffer.from(line.slice(1), 'base64');
    if (line.startsWith('h')) {
      program = start({ ...(JSON.parse(bytes.toString()) as Omit<FakeLaunch, 'version'>), version }, pipes);
      if (isReading) send('u');
    } else if (line.startsWith('i')) input.push(bytes);
    else if (line.startsWith('e')) {
      input.end();
      program?.inputEnded();
    }
  };
  const frames = createLineSplitter({ onLine: take, onOversized: () => {} });
  socket.on('data', (chunk) => frames.push(chunk));
  // A killed program loses its connection, which is not an error of the test.
  socket.on('error', () => {});
  socket.on('close', () => program?.gone());
}
