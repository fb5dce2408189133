// Makes the server listen on the given port, or on the first free one of a few, so that a bookmark usually keeps working.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { InspectorError } from '@inboard/core/errors.js';
import { bareHost, urlHost } from '@inboard/core/util/loopback.js';
import { messageOf } from '@inboard/core/util/message-of.js';

/** The first port that is tried if none is given. */
const FIRST_PORT = 4700;
const TRIED_PORTS = 20;

/** Listens and gives the port. Throws an InspectorError if that fails. */
export async function listen(server: Server, host: string, port: number | undefined): Promise<number> {
  if (port !== undefined) return listenOn(server, host, port);
  for (let next = FIRST_PORT; next < FIRST_PORT + TRIED_PORTS; next += 1) {
    try {
      return await listenOn(server, host, next);
    } catch (error) {
      const { cause } = error as { cause?: NodeJS.ErrnoException };
      // EACCES: some systems reserve ports.
      if (cause?.code !== 'EADDRINUSE' && cause?.code !== 'EACCES') throw error;
    }
  }
  return listenOn(server, host, 0);
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      const hint = cause.code === 'EADDRINUSE' ? ' Choose another port, or 0 for a free one.' : '';
      reject(
        new InspectorError(
          'INSPECTOR_NOT_LISTENING',
          `The inspector cannot listen on ${host}, port ${port}: ${messageOf(cause)}.${hint}`,
          { cause },
        ),
      );
    };
    server.once('error', fail);
    server.listen(port, bareHost(host), () => {
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** The address of the server, without a slash at its end. */
export function originOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  return `http://${urlHost(isAny ? findOwnAddress() : host)}:${port}`;
}

// A server that is bound to all addresses is meant for other machines, which need an address that leads here.
function findOwnAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}
