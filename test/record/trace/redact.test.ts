import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, listSecretValues } from '../../../src/record/trace/recorder/redact.js';
import { isSecretField, mayHoldSecret } from '../../../src/record/trace/recorder/secret-patterns.js';

const redactor = createRedactor();
const word = 'Zx9'.repeat(8);

describe('secrets inside texts', () => {
  it.each([
    ['an API key', 'use sk-ant-api03-abcDEF123456_-x please', 'use [redacted] please'],
    ['a bearer', `Authorization: Bearer ${word}`, 'Authorization: Bearer [redacted]'],
    ['basic', 'curl -H "authorization: Basic dXNlcjpwYXNz"', 'curl -H "authorization: Basic [redacted]"'],
    ['a JWT', 'got eyJhbGciOi.eyJzdWIiOiIx.c2ln end', 'got [redacted] end'],
    ['an AWS id', 'AKIAABCDEFGHIJKLMNOP', '[redacted]'],
    ['an AWS secret', 'aws_secret_access_key = abc/def+123', 'aws_secret_access_key = [redacted]'],
    ['a GitHub token', `x ghp_${word} y`, 'x [redacted] y'],
    ['a Slack token', 'xoxb-1234567890-abc', '[redacted]'],
    ['a variable', 'export STRIPE_API_KEY=whatever && ls', 'export STRIPE_API_KEY=[redacted] && ls'],
    ['a password', 'password: hunter2', 'password: [redacted]'],
    ['JSON in a text', '{"user":"bob","password":"hun ter2"}', '{"user":"bob","password":"[redacted]"}'],
    ['an argument', 'tool --api-key abcdef --verbose', 'tool --api-key [redacted] --verbose'],
    ['a URL', 'postgres://bob:hunter2@db/x', 'postgres://bob:[redacted]@db/x'],
    [
      'a query string',
      'https://x.test/?access_token=abcdef&page=2',
      'https://x.test/?access_token=[redacted]&page=2',
    ],
    ['a cookie', 'Cookie: sid=abcdef; other=1', 'Cookie: [redacted]'],
    [
      'a private key',
      'a -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- b',
      'a [redacted] b',
    ],
    ['a private key cut off', 'a -----BEGIN PRIVATE KEY-----\nabc', 'a [redacted]'],
  ])('hides %s', (_, text, clean) => {
    expect(redactor.redactText(text)).toBe(clean);
    expect(redactor.isClean(text)).toBe(false);
    // What is clean stays as it is.
    expect(redactor.redactText(clean)).toBe(clean);
  });

  it.each([
    'How many apples do we have?',
    '{"input_tokens":12,"output_tokens":3}',
    'max_tokens=1000',
    '{"_meta":{"progressToken":7,"claudecode/toolUseId":"toolu_1"}}',
    'the author of the token ring',
    'https://example.test:8080/path?a=b',
    'press any key to go on',
  ])('leaves %j alone', (text) => {
    expect(redactor.redactText(text)).toBe(text);
  });
});

describe('secrets by their place', () => {
  it('hides fields that are named like secrets, however they are spelled', () => {
    for (const name of [
      'apiKey',
      'API_KEY',
      'x-api-key',
      'X-Api-Key',
      'ANTHROPIC_API_KEY',
      'clientSecret',
      'password',
      'db_password',
      'Authorization',
      'accessToken',
      'refresh_token',
      'GITHUB_TOKEN',
      'token',
      'AWS_SECRET_ACCESS_KEY',
      'Set-Cookie',
      'privateKey',
    ])
      expect({ name, secret: isSecretField(name) }).toEqual({ name, secret: true });
    for (const name of [
      'input_tokens',
      'max_tokens',
      'progressToken',
      'tokenSource',
      'keyboard',
      'key',
      'author',
      'session_id',
      'tool_use_id',
      'request_id',
      'secretary',
    ])
      expect({ name, secret: isSecretField(name) }).toEqual({ name, secret: false });
  });

  it('hides what is below such a field, but not the schema that describes one', () => {
    const frame = {
      credentials: { user: 'bob', pin: 1234, nested: ['x'] },
      inputSchema: { properties: { password: { type: 'string', description: 'The password' } } },
    };
    expect(redactor.redactValue(frame)).toEqual({
      credentials: { user: '[redacted]', pin: '[redacted]', nested: ['[redacted]'] },
      inputSchema: frame.inputSchema,
    });
  });

  it('hides every variable and every header of an MCP server', () => {
    const frame = {
      servers: {
        a: { command: 'node', env: { HARMLESS: 'value', N: 'x' } },
        b: { type: 'http', url: 'https://x.test', headers: { 'X-Anything': 'value' } },
      },
      table: { headers: ['name', 'age'] },
    };
    expect(redactor.redactValue(frame)).toEqual({
      servers: {
        a: { command: 'node', env: { HARMLESS: '[redacted]', N: '[redacted]' } },
        b: { type: 'http', url: 'https://x.test', headers: { 'X-Anything': '[redacted]' } },
      },
      table: { headers: ['name', 'age'] },
    });
  });

  it('gives back the same object when there was nothing to hide', () => {
    const frame = { type: 'assistant', message: { content: [{ type: 'text', text: 'Hello' }] } };
    expect(redactor.redactValue(frame)).toBe(frame);
  });
});

describe('what the caller adds', () => {
  it('hides more fields, forms and values', () => {
    const own = createRedactor({
      fields: ['iban', /^x_/],
      patterns: [/\d{4}-\d{4}/],
      values: ['Rumpelstilz"chen'],
    });
    expect(
      own.redactValue({
        IBAN: 'DE1',
        x_1: 'a',
        x_2: 'b',
        text: 'call 1234-5678 and 2345-6789',
        who: 'Rumpelstilz"chen!',
      }),
    ).toEqual({
      IBAN: '[redacted]',
      x_1: '[redacted]',
      x_2: '[redacted]',
      text: 'call [redacted] and [redacted]',
      who: '[redacted]!',
    });
    expect(own.isClean('{}')).toBe(false);
  });

  it('has the last word by a function, which fails closed', () => {
    const seen: string[] = [];
    const own = createRedactor({
      text: (text, path) => {
        seen.push(path.join('.'));
        if (text === 'bad') throw new Error('no');
        if (text === 'odd') return undefined as unknown as string;
        return text.toUpperCase();
      },
    });
    expect(own.redactValue({ a: ['x', 'bad'], b: { c: 'odd' } })).toEqual({
      a: ['X', '[redacted]'],
      b: { c: '[redacted]' },
    });
    expect(seen).toEqual(['a.0', 'a.1', 'b.c']);
  });

  it('can be turned off', () => {
    const off = createRedactor(false);
    expect(off.redactText('password=hunter2')).toBe('password=hunter2');
    expect(off.isClean('password=hunter2')).toBe(true);
  });

  it('knows the secrets of an environment by their names', () => {
    expect(
      listSecretValues({ MY_API_KEY: 'value-of-it', PATH: '/bin', PASSWORD: 'short', TOKEN: undefined }),
    ).toEqual(['value-of-it']);
    expect(
      listSecretValues({ PWD: '/home/me/project', OLDPWD: '/home/me/other', DB_PWD: 'value-of-it' }),
    ).toEqual(['value-of-it']);
  });
});

describe('what holds for any input', () => {
  it('never calls a text clean that it would change', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'sk-',
        'token',
        'key',
        '=',
        ':',
        ' ',
        '"',
        'eyJ',
        '.',
        'password',
        'Bearer ',
        '://',
        '@',
        'env',
        'AKIA',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        if (redactor.isClean(text)) expect(redactor.redactText(text)).toBe(text);
        const line = JSON.stringify({ text });
        if (redactor.isClean(line)) expect(redactor.redactValue({ text })).toEqual({ text });
      }),
    );
  });

  it('never lets a planted key through, wherever it stands', () => {
    const key = 'sk-ant-planted-0123456789';
    const planted = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string().map((around) => `${around} ${key} ${around}`),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('tree'), { maxKeys: 3 }),
      ),
    })).tree;
    fc.assert(
      fc.property(planted, (value) => {
        expect(JSON.stringify(redactor.redactValue({ value }))).not.toContain(key);
      }),
    );
  });

  it('does not take the square of a long text’s length', () => {
    // Each of these made one of the expressions start over at every character when it was unbounded; a
    // square would take hours, far beyond the limit of a test.
    for (const piece of ['a.', 'token-', 'a-', '://a:', 'key ', 'eyJ', '"', 'Bearer ']) {
      const text = piece.repeat(100_000);
      expect(redactor.redactText(text).length).toBeGreaterThan(0);
      expect(typeof mayHoldSecret(text)).toBe('boolean');
    }
  });
});
