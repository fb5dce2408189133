// The transport suite on what we ship and on a transport of one's own, and on transports that break its rules.
import { spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { describeTransport, transportCases, type TransportPeer } from '@inboard/inboard/testing.js';
import { createLineSplitter } from '@inboard/core/wire/protocol/line-splitter.js';
import { createMemoryTransport } from '@inboard/core/wire/transport/memory-transport.js';
import { createProcessTransport } from '@inboard/core/wire/transport/process-transport.js';
import type {
  TerminateOptions,
  Transport,
  TransportReceiver,
} from '@inboard/core/wire/transport/transport.js';

function createEcho({ manner }: TransportPeer): Transport {
  const { transport, peer } = createMemoryTransport({
    leavesAtEndOfInput: manner === 'obedient',
    ignoresTerm: manner === 'stubborn',
  });
  peer.onLine((line) => peer.send(line));
  if (manner !== 'obedient') peer.send('ready');
  return transport;
}

const createProcess = ({ args }: TransportPeer): Transport =>
  createProcessTransport({ command: process.execPath, args, env: process.env });

/** A transport as a user would write one: a socket, behind which a small server runs the peer. */
class SocketTransport implements Transport, AsyncDisposable {
  readonly pid = undefined;
  readonly #args: readonly string[];
  readonly #early: string[] = [];
  #child: ChildProcess | undefined;
  #socket: Socket | undefined;
  #receiver: TransportReceiver | undefined;
  #over: Promise<void> | undefined;
  #isEnded = false;
  #isOver = false;
  #isKilled = false;
  #tellOver: () => void = () => {};

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  open(receiver: TransportReceiver): void {
    this.#receiver = receiver;
    if (this.#isKilled) {
      queueMicrotask(() => this.#finish(null, null));
      return;
    }
    const server = createServer({ allowHalfOpen: true }, (remote) => {
      server.close();
      const child = spawn(process.execPath, this.#args, { stdio: ['pipe', 'pipe', 'ignore'] });
      this.#child = child;
      remote.pipe(child.stdin);
      child.stdout.pipe(remote, { end: false });
      // The exit is told in band: the socket ends when everything the peer wrote has been passed on.
      child.once('close', (code, signal) => remote.end(() => this.#finishAfter(code, signal)));
      remote.on('error', () => {});
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = connect({
        port: (server.address() as AddressInfo).port,
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      this.#socket = socket;
      const splitter = createLineSplitter({ onLine: (line) => receiver.line(line), onOversized: () => {} });
      socket.on('data', (chunk) => splitter.push(chunk));
      socket.on('end', () => splitter.end());
      socket.on('error', () => {});
      for (const line of this.#early.splice(0)) socket.write(`${line}\n`);
      if (this.#isEnded) socket.end();
    });
  }

  write(line: string): boolean {
    if (this.#isEnded || this.#isOver || this.#isKilled) return true;
    if (this.#socket) return this.#socket.write(`${line}\n`);
    this.#early.push(line);
    return true;
  }

  async drained(): Promise<void> {
    const socket = this.#socket;
    if (!socket?.writableNeedDrain || this.#isOver) return;
    await new Promise<void>((resolve) => {
      socket.once('drain', resolve);
      socket.once('close', resolve);
    });
  }

  endInput(): void {
    this.#isEnded = true;
    this.#socket?.end();
  }

  terminate({ graceMs = 2000, killMs = 5000 }: TerminateOptions = {}): Promise<void> {
    this.#over ??= new Promise((resolve) => {
      this.#tellOver = resolve;
    });
    if (!this.#receiver) {
      this.#isKilled = true;
      return Promise.resolve();
    }
    if (this.#isOver) this.#tellOver();
    this.endInput();
    const term = setTimeout(() => this.#child?.kill('SIGTERM'), graceMs);
    const kill = setTimeout(() => this.#child?.kill('SIGKILL'), graceMs + killMs);
    void this.#over.then(() => {
      clearTimeout(term);
      clearTimeout(kill);
    });
    return this.#over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill('SIGKILL');
    this.#socket?.destroy();
    await Promise.resolve();
  }

  #finishAfter(code: number | null, signal: string | null): void {
    const socket = this.#socket;
    if (!socket || socket.readableEnded) this.#finish(code, signal);
    else socket.once('end', () => this.#finish(code, signal));
  }

  #finish(exitCode: number | null, signal: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket?.destroy();
    this.#receiver?.closed({ exitCode, signal, stderrTail: '' });
    this.#tellOver();
  }
}

describeTransport('memory', createEcho, { describe, it });
describeTransport('process', createProcess, { describe, it });
describeTransport('socket', ({ args }) => new SocketTransport(args), { describe, it });

/** The memory transport with one method replaced. */
function spoil(change: (transport: Transport) => Partial<Transport>): (peer: TransportPeer) => Transport {
  return (peer) => {
    const sound = createEcho(peer);
    return {
      pid: undefined,
      open: (receiver) => sound.open(receiver),
      write: (line) => sound.write(line),
      drained: () => sound.drained(),
      endInput: () => sound.endInput(),
      terminate: (options) => sound.terminate(options),
      ...change(sound),
    };
  };
}

function spoilReceiver(
  change: (receiver: TransportReceiver) => Partial<TransportReceiver>,
): ReturnType<typeof spoil> {
  return spoil((sound) => ({
    open: (receiver) =>
      sound.open({
        line: (text) => receiver.line(text),
        fault: (error) => receiver.fault(error),
        closed: (end) => receiver.closed(end),
        ...change(receiver),
      }),
  }));
}

describe('the suite finds a transport that', () => {
  it.each<[string, ReturnType<typeof spoil>, RegExp]>([
    [
      'swaps lines',
      () => {
        let kept: string | undefined;
        return spoilReceiver((receiver) => ({
          line(text) {
            if (text !== '5') receiver.line(text);
            else kept = text;
            if (text === '6' && kept !== undefined) receiver.line(kept);
          },
        }))({ manner: 'obedient', args: [] });
      },
      /whole and in order/,
    ],
    [
      'changes a line',
      spoilReceiver((receiver) => ({ line: (text) => receiver.line(text.replace('\ufeff', '')) })),
      /every character/,
    ],
    [
      'closes twice',
      spoilReceiver((receiver) => ({
        closed(end) {
          receiver.closed(end);
          receiver.closed(end);
        },
      })),
      /exactly once/,
    ],
    [
      'delivers while write runs',
      spoil((sound) => {
        let receiver: TransportReceiver | undefined;
        return {
          open(given) {
            receiver = given;
            sound.open({ line: () => {}, fault: () => {}, closed: (end) => given.closed(end) });
          },
          write(line) {
            receiver?.line(line);
            return true;
          },
        };
      }),
      /nothing while open or write/,
    ],
    [
      'writes on after the end of the input',
      spoil((sound) => ({
        endInput() {
          sound.write('more');
          sound.endInput();
        },
      })),
      /drops what is written later/,
    ],
  ])('%s', async (_what, createTransport, name) => {
    const found = transportCases(createTransport).find((each) => name.test(each.name));
    await expect(found?.run()).rejects.toMatchObject({ name: 'AssertionError' });
  });
});
