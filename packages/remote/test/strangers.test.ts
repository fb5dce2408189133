// Clients that connect and say nothing do not keep out clients with a token, with TLS and without, and are reported by address.
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectCli } from '../src/home/connect-cli.js';
import type { ConnectCliOptions } from '../src/home/connect-options.js';
import { serveCli, type CliServer } from '../src/serve/serve-cli.js';
import type { ServeCliOptions } from '../src/serve/serve-options.js';
import type { RemoteServerEvent } from '../src/serve/server-event.js';
import { Strangers } from '../src/serve/strangers.js';
import type { Transport } from '@inboard/core/wire/transport/transport.js';
import { createAuthority, type Certificate } from '../../../test/support/certificates.js';
import { waitUntil } from '../../../test/support/wait-until.js';

const TOKEN = 'a-token-for-this-test';

let folder: string;
let events: RemoteServerEvent[];
let server: CliServer;
const sockets: Socket[] = [];

const DROPPED = 'too many links from this address have not shown who they are, and it was the oldest of them';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strangers-test-'));
  events = [];
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(options: Partial<ServeCliOptions> = {}): Promise<number> {
  const log = events;
  server = await serveCli({
    listen: {},
    token: TOKEN,
    cli: process.execPath,
    maxSessions: 2,
    onEvent: (event) => log.push(event),
    ...options,
  });
  return 'port' in server.address ? server.address.port : 0;
}

/** Connects, and says no more than this. */
async function stare(place: { port: number } | { path: string }, bytes = ''): Promise<Socket> {
  const socket = connect(place);
  sockets.push(socket);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  if (bytes !== '') socket.write(bytes);
  return socket;
}

async function reach(options: ConnectCliOptions): Promise<Transport> {
  const { transport } = connectCli({ token: TOKEN, ...options });
  return await transport({ args: ['--version'], env: {}, cwd: '.' });
}

const reasons = (): string[] => events.map((event) => ('reason' in event ? event.reason : event.type));

describe('sockets that never say anything', () => {
  // The beginning of a greeting that never ends, too.
  it.each([
    ['at all', ''],
    ['beyond the beginning of a greeting', '\0\0'],
  ])('%s keep nobody with a token out', async (_, bytes) => {
    const port = await serve();
    for (let count = 0; count < 220; count += 1) await stare({ port }, bytes);
    await (await reach({ port })).terminate();
    await waitUntil(() => events.length >= 220 - 34);
    expect(new Set(reasons())).toEqual(new Set([DROPPED]));
    expect(events[0]?.peer).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it.each(['port', 'path'] as const)(
    'keep nobody out in the middle of a TLS handshake, at a %s',
    async (way) => {
      const authority = createAuthority(folder);
      const tls = authority.sign('host');
      const path = join(folder, 'socket');
      const port = await serve({ listen: way === 'port' ? { tls } : { path, tls } });
      const place = way === 'port' ? { port } : { path };
      for (let count = 0; count < 220; count += 1) await stare(place);
      const { ca } = authority;
      await (
        await reach({ ...place, tls: { ca, ...(way === 'path' && { servername: 'host' }) } })
      ).terminate();
      expect(events.length).toBeGreaterThanOrEqual(220 - 34);
      // Not that their handshake failed, which is because they were dropped.
      expect(new Set(reasons())).toEqual(new Set([DROPPED]));
    },
  );

  it('do not keep a server from closing in the middle of a handshake', async () => {
    const port = await serve({ listen: { tls: createAuthority(folder).sign('host') } });
    await stare({ port });
    await server.close();
    await waitUntil(() => events.length > 0);
    expect(reasons()).toEqual([
      'the TLS handshake was not finished, or its certificate is not accepted here',
    ]);
  });
});

describe('a TLS client that fails', () => {
  let trusted: ReturnType<typeof createAuthority>;
  let own: Certificate;
  beforeEach(() => {
    trusted = createAuthority(folder);
    own = trusted.sign('host');
  });

  it('is told of by its address, with what was wrong', async () => {
    const port = await serve({ listen: { tls: own } });
    await stare({ port }, 'GET / HTTP/1.1\r\n\r\n');
    await waitUntil(() => events.length > 0);
    expect(events).toMatchObject([
      {
        type: 'refused',
        peer: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
        reason: expect.stringMatching(
          /^the TLS handshake failed: http request \(ERR_SSL_HTTP_REQUEST\)$/,
        ) as string,
      },
    ]);
  });

  it('is told of where its certificate is of another authority', async () => {
    const listen = { tls: { ...own, ca: trusted.ca } };
    const port = await serve({ listen, clientCertificates: true, token: undefined });
    const foreignFolder = mkdtempSync(join(folder, 'foreign-'));
    const foreign = createAuthority(foreignFolder).sign('client');
    await expect(reach({ port, tls: { ca: trusted.ca, ...foreign } })).rejects.toMatchObject({
      phase: 'launch',
    });
    await waitUntil(() => events.length > 0);
    expect(events).toMatchObject([
      {
        type: 'refused',
        peer: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
        reason: expect.stringContaining('certificate is not accepted') as string,
      },
    ]);
    await (await reach({ port, tls: { ca: trusted.ca, ...trusted.sign('client') } })).terminate();
  });
});

describe('Strangers', () => {
  const arrive = (address: string): Socket => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress: address,
      remotePort: 1,
      destroy: () => void socket.emit('close'),
    });
    return socket as unknown as Socket;
  };

  it('drops the oldest of the address that has most, not those of others', async () => {
    await serve();
    const strangers = new Strangers({ most: 4, mostOfOne: 3 });
    const few = strangers.meet(arrive('10.0.0.1'));
    const many = ['10.0.0.2', '10.0.0.2', '10.0.0.2', '10.0.0.2'].map((address) =>
      strangers.meet(arrive(address)),
    );
    expect(many.map(({ reason }) => reason === undefined)).toEqual([false, true, true, true]);
    const other = strangers.meet(arrive('10.0.0.3'));
    expect(many.map(({ reason }) => reason === undefined)).toEqual([false, false, true, true]);
    expect([few.reason, other.reason]).toEqual([undefined, undefined]);
    expect(strangers.list()).toHaveLength(4);
  });

  it('forgets who is known or has left', async () => {
    await serve();
    const strangers = new Strangers({ most: 1, mostOfOne: 1 });
    const known = strangers.meet(arrive('10.0.0.1'));
    strangers.know(known);
    const left = strangers.meet(arrive('10.0.0.1'));
    left.socket.emit('close');
    const last = strangers.meet(arrive('10.0.0.1'));
    expect([known, left, last].map(({ reason }) => reason)).toEqual([undefined, undefined, undefined]);
    expect(strangers.list()).toEqual([last]);
  });

  it('has room again for whom it has forgotten', async () => {
    await serve();
    const strangers = new Strangers({ most: 2, mostOfOne: 2 });
    for (let times = 0; times < 3; times += 1) strangers.know(strangers.meet(arrive('10.0.0.1')));
    const kept = ['10.0.0.1', '10.0.0.2'].map((address) => strangers.meet(arrive(address)));
    expect(kept.map(({ reason }) => reason)).toEqual([undefined, undefined]);
    strangers.meet(arrive('10.0.0.3'));
    expect(kept.filter(({ reason }) => reason?.includes('too many links here'))).toHaveLength(1);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::1', '::2', true],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
  ])('counts %s and %s as one: %s', async (first, second, isOne) => {
    await serve();
    const strangers = new Strangers({ most: 9, mostOfOne: 1 });
    const [oldest] = [first, second].map((address) => strangers.meet(arrive(address)));
    expect(oldest?.reason !== undefined).toBe(isOne);
  });
});
