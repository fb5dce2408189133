// One function decides what this machine is; nothing else in the sources has a notion of its own.
import { describe, expect, it } from 'vitest';
import { bareHost, isLoopback, urlHost } from '../../src/util/loopback.js';
import { readSourceFiles } from '../../../../test/package/project.js';

describe('isLoopback()', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    'LocalHost',
    '127.0.0.1',
    '127.8.4.2',
    '127.255.255.255',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '[0:0:0:0:0:0:0:1]',
    '::ffff:127.0.0.1',
    '::FFFF:7f00:1',
  ])('knows %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '',
    '0.0.0.0',
    '::',
    '[::]',
    '10.0.0.1',
    '128.0.0.1',
    '127.0.0.999',
    '127.0.0',
    '127.1',
    '127.0.0.1.example.com',
    '127.0.0.1 ',
    '[127.0.0.1]',
    '[localhost]',
    '[::1',
    '::1]',
    '[[::1]]',
    '::ffff:10.0.0.1',
    'fe80::1',
    '::2',
    'localhost.',
    'localhost.example.com',
    'mylocalhost',
    'a.localhost',
  ])('does not take %j for it', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('bareHost() and urlHost()', () => {
  it.each([
    ['[::1]', '::1', '[::1]'],
    ['::1', '::1', '[::1]'],
    ['[fe80::1%eth0]', 'fe80::1%eth0', '[fe80::1%eth0]'],
    ['example.com', 'example.com', 'example.com'],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
    ['[example.com]', '[example.com]', '[example.com]'],
  ])('takes %s apart and puts it together', (host, bare, inUrl) => {
    expect([bareHost(host), urlHost(bareHost(host)), urlHost(host)]).toEqual([bare, inUrl, inUrl]);
  });
});

it('is the only notion of this machine in the sources', () => {
  const files = [...readSourceFiles()];
  const ownNotion =
    /[!=]== ?['"](?:localhost|\[?::1\]?)['"]|\/[^/\n]*(?:\b127|localhost)[^/\n]*\/i?\.test|startsWith\(['"]127|function isLoop[bB]ack/;
  const found = files.flatMap(([path, text]) => (ownNotion.test(text) ? [path] : []));
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual(['packages/core/src/util/loopback.ts']);
});
