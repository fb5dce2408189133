import { describe, expect, it } from 'vitest';
import {
  isJsonType,
  isOwnHostName,
  isOwnOrigin,
  isSameSecret,
  toWebHeaders,
} from '../../src/util/loopback-http.js';

describe('isOwnHostName()', () => {
  it.each([
    ['localhost', [], true],
    ['127.0.0.1', [], true],
    ['[::1]', [], true],
    ['app.example', ['app.example'], true],
    ['app.example', ['APP.Example'], true],
    ['app.example', [], false],
    ['sub.app.example', ['app.example'], false],
    ['localhost.app.example', [], false],
  ])('for %j with %j in the list: %j', (name, listed, expected) => {
    expect(isOwnHostName(name, listed)).toBe(expected);
  });
});

describe('isOwnOrigin()', () => {
  it.each([
    ['http://app.example', 'app.example', true],
    ['HTTP://App.Example:8080', 'app.example:8080', true],
    ['http://app.example', 'APP.example', true],
    ['https://app.example', 'app.example', false],
    ['http://app.example', 'app.example:8080', false],
    ['http://app.example:8080', 'app.example', false],
    ['http://app.example.evil', 'app.example', false],
    ['http://evil/app.example', 'app.example', false],
    ['null', 'app.example', false],
    ['', '', false],
  ])('for %j asked as %j: %j', (origin, host, expected) => {
    expect(isOwnOrigin(origin, host, ['http'])).toBe(expected);
  });

  it('takes only the schemes it is given', () => {
    expect(isOwnOrigin('https://app.example', 'app.example', ['http', 'https'])).toBe(true);
    expect(isOwnOrigin('ftp://app.example', 'app.example', ['http', 'https'])).toBe(false);
  });
});

describe('isJsonType()', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;a=b',
  ])('takes %j', (type) => expect(isJsonType(type)).toBe(true));

  it.each([undefined, null, '', 'text/plain', 'application/json-patch', 'text/plain; application/json'])(
    'does not take %j',
    (type) => expect(isJsonType(type)).toBe(false),
  );
});

describe('isSameSecret()', () => {
  it('compares secrets of any length', () => {
    expect(isSameSecret('secret', 'secret')).toBe(true);
    for (const other of ['', 'Secret', 'secret ', 'secrets', 'x'.repeat(10_000)])
      expect(isSameSecret(other, 'secret')).toBe(false);
  });
});

describe('toWebHeaders()', () => {
  it('keeps what comes more than once, and leaves out what HTTP/2 has besides', () => {
    const headers = toWebHeaders({ ':path': '/', 'x-a': ['1', '2'], host: 'localhost', accept: undefined });
    expect([...headers]).toEqual([
      ['host', 'localhost'],
      ['x-a', '1, 2'],
    ]);
  });
});
