// Opens the duplex to another host: over TCP, TLS, a local socket, the input and output of a program, or a stream that the
// caller makes. Leaves the greeting to `greet`.
import { spawn } from 'node:child_process';
import { connect as connectPlain, type Socket } from 'node:net';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { RemoteError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { RemoteSite } from './connect-options.js';
import { explainTlsFailure } from './explain-tls.js';

/** A duplex, and the last output of the program behind it. */
export interface Dialled {
  duplex: Duplex;
  /**
   * Returns the last output of the program on stderr, which often has the reason for a failure. Empty if the link is not a
   * program.
   */
  words: () => string;
}

const KEPT_WORDS = 2000;

/** Opens the duplex. Rejects with a RemoteError. An open duplex does not prove that the other side answers. */
export async function dial(site: RemoteSite): Promise<Dialled> {
  const { link, command } = site;
  if (command) return dialProgram(site, command);
  const duplex = link ? await openGiven(site, link) : await openSocket(site);
  return { duplex, words: () => '' };
}

async function openGiven({ name }: RemoteSite, link: () => Duplex | Promise<Duplex>): Promise<Duplex> {
  let duplex: Duplex;
  try {
    duplex = await link();
  } catch (cause) {
    throw unreachable(name, cause);
  }
  const given = duplex as Partial<Record<'write' | 'on' | 'destroy', unknown>> | undefined;
  if ([given?.write, given?.on, given?.destroy].every((part) => typeof part === 'function')) return duplex;
  throw new RemoteError(
    'REMOTE_PROTOCOL',
    'The function "link" of connectCli() must return a Node duplex stream. A WebSocket becomes one with createWebSocketStream() of ws.',
  );
}

function openSocket(site: RemoteSite): Promise<Socket> {
  const { host, port, path, tls, name, connectTimeoutMs } = site;
  const place = path === undefined ? { host, port: port as number } : { path };
  return new Promise((resolve, reject) => {
    const secure = typeof tls === 'object' ? tls : {};
    // Node treats an undefined servername as an empty one, so the property is left out.
    const { servername = /^[\d.]+$|:/.test(host) ? '' : host, ...certificates } = secure;
    const socket = tls
      ? openTls({ ...place, ...certificates, ...(servername && { servername }) })
      : connectPlain(place);
    const timer = setTimeout(() => {
      socket.destroy(new Error(`no answer within ${connectTimeoutMs} ms`));
    }, connectTimeoutMs);
    const onError = (cause: Error): void => {
      clearTimeout(timer);
      reject(explainTlsFailure(name, cause) ?? unreachable(name, cause));
    };
    socket.once('error', onError);
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.setNoDelay(true);
      socket.off('error', onError);
      // Errors are ignored until the link listens for them.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

function openTls(options: ConnectionOptions): Socket {
  try {
    return connectTls(options);
  } catch (cause) {
    throw new RemoteError(
      'REMOTE_NOT_SECURE',
      `The certificates of connectCli() cannot be used: ${messageOf(cause)}. "tls" takes "ca", "cert" and "key" as PEM text, the key that of the certificate.`,
      { phase: 'launch', cause },
    );
  }
}

function dialProgram({ name }: RemoteSite, [program = '', ...args]: readonly string[]): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    let words = '';
    child.once('error', (cause) => reject(unreachable(name, cause)));
    child.once('spawn', () => {
      child.stderr.on('data', (chunk: Buffer) => {
        words = (words + chunk.toString('utf8')).slice(-KEPT_WORDS);
      });
      const duplex = joinPipes(child.stdout, child.stdin);
      // The program is killed, because it may not end when its input ends.
      duplex.once('close', () => child.kill());
      duplex.on('error', () => {});
      resolve({ duplex, words: () => words.trim() });
    });
  });
}

function unreachable(name: string, cause: unknown): RemoteError {
  return new RemoteError('REMOTE_LINK_LOST', `Could not connect to ${name}: ${messageOf(cause)}`, {
    phase: 'launch',
    retryable: true,
    cause,
  });
}

/**
 * Joins the output and the input of a program to one duplex. A program that no longer reads may have written a last message
 * that is still unread. So only the end of its output counts as its end.
 */
export function joinPipes(output: Readable, input: Writable): Duplex {
  const duplex = new Duplex({
    read: () => void output.resume(),
    write: (chunk: Buffer, _, done) => void input.write(chunk, () => done()),
    final: (done) => void input.end(() => done()),
    destroy: (error, done) => {
      output.destroy();
      input.destroy();
      done(error);
    },
  });
  input.on('error', () => {});
  output.on('data', (chunk: Buffer) => {
    if (!duplex.push(chunk)) output.pause();
  });
  output.once('end', () => duplex.push(null));
  output.on('error', (error) => duplex.destroy(error));
  return duplex;
}
