// Which port a server gets, on a system whose ports are taken as the test says.
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen, originOf } from '../../src/server/listen.js';

function createServer(fault: (port: number) => string | undefined) {
  const tried: number[] = [];
  const events = new EventEmitter();
  const server = Object.assign(events, {
    address: () => ({ port: tried.at(-1) === 0 ? 50_000 : tried.at(-1) }),
    listen: (port: number, _host: string, done: () => void) => {
      tried.push(port);
      const code = fault(port);
      if (code === undefined) done();
      else events.emit('error', Object.assign(new Error(`listen ${code}`), { code }));
    },
  });
  return { server: server as unknown as Server, tried, events };
}

describe('the port', () => {
  it('is the first of a few that is free and not reserved', async () => {
    const faults: Record<number, string> = { 4700: 'EADDRINUSE', 4701: 'EACCES' };
    const { server, events } = createServer((port) => faults[port]);
    expect(await listen(server, '127.0.0.1', undefined)).toBe(4702);
    expect(events.listenerCount('error')).toBe(0);
  });

  it('is any free one where all of them are taken', async () => {
    const { server, tried } = createServer((port) => (port === 0 ? undefined : 'EADDRINUSE'));
    expect(await listen(server, '127.0.0.1', undefined)).toBe(50_000);
    expect([tried.length, tried[0], tried.at(-2)]).toEqual([21, 4700, 4719]);
  });

  it('is looked for no further where the address itself is wrong', async () => {
    const { server, tried } = createServer(() => 'EADDRNOTAVAIL');
    const refused = { code: 'INSPECTOR_NOT_LISTENING', cause: { code: 'EADDRNOTAVAIL' } };
    await expect(listen(server, '192.0.2.1', undefined)).rejects.toMatchObject(refused);
    expect(tried).toEqual([4700]);
  });

  it('is the given one or none, and the error says how to get another', async () => {
    const { server, tried } = createServer(() => 'EADDRINUSE');
    await expect(listen(server, '127.0.0.1', 80)).rejects.toThrow('Choose another port, or 0');
    await expect(listen(createServer(() => 'EACCES').server, '127.0.0.1', 80)).rejects.not.toThrow('Choose');
    expect(tried).toEqual([80]);
  });
});

describe('the address', () => {
  const withInterfaces = (interfaces: ReturnType<typeof os.networkInterfaces>): void => {
    const { networkInterfaces } = os;
    os.networkInterfaces = () => interfaces;
    syncBuiltinESMExports();
    onTestFinished(() => {
      os.networkInterfaces = networkInterfaces;
      syncBuiltinESMExports();
    });
  };
  const one = (address: string, internal: boolean, family: string) =>
    ({ address, internal, family }) as never;

  it('is that of the host', () => {
    expect(originOf('127.0.0.1', 4700)).toBe('http://127.0.0.1:4700');
    expect(originOf('::1', 4700)).toBe('http://[::1]:4700');
  });

  it.each(['0.0.0.0', '::'])('of a server for other machines (%s) leads here from them', (host) => {
    withInterfaces({
      lo: [one('127.0.0.1', true, 'IPv4')],
      down: undefined,
      eth: [one('fe80::1', false, 'IPv6'), one('192.0.2.7', false, 'IPv4')],
    });
    expect(originOf(host, 4700)).toBe('http://192.0.2.7:4700');
  });

  it('is that of loopback where there is no other', () => {
    withInterfaces({ lo: [one('127.0.0.1', true, 'IPv4')] });
    expect(originOf('0.0.0.0', 4700)).toBe('http://127.0.0.1:4700');
  });
});
