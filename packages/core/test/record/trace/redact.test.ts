import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeTraceFrame } from '../../../src/record/trace/recorder/encode-event.js';
import { createRedactor } from '../../../src/record/trace/recorder/redact.js';
import { listSecretValues } from '../../../src/record/trace/recorder/secret-variables.js';
import { isSecretField } from '../../../src/record/trace/recorder/secret-names.js';
import { mayHoldSecret } from '../../../src/record/trace/recorder/secret-patterns.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

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
    ['a URL in capitals', 'HTTPS://BOB:HUNTER2@DB/X', 'HTTPS://BOB:[redacted]@DB/X'],
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
    ['cookies beside a hidden part', 'Cookie: a=sk-ant-api03-abcDEF123; sid=plain', 'Cookie: [redacted]'],
    ['cookies with quotes', 'Cookie: a="x y"; sid=plain\nAccept: *', 'Cookie: [redacted]\nAccept: *'],
    ['cookies in quotes', `-H 'Cookie: a="x"; b=y' https://x`, `-H 'Cookie: [redacted]' https://x`],
    ['cookies in double quotes', `-H "Cookie: a=b; c=d" https://x`, `-H "Cookie: [redacted]" https://x`],
    ['cookies in JSON', '{\\"set-cookie\\": \\"a=bcd; x\\"}', '{\\"set-cookie\\": \\"[redacted]\\"}'],
    ['PGPASSWORD', 'PGPASSWORD=hunter2 psql', 'PGPASSWORD=[redacted] psql'],
    ['DB_PASS', 'export DB_PASS="hun ter2"', 'export DB_PASS="[redacted]"'],
    ['a random key', `SIGNING_KEY=${word}`, 'SIGNING_KEY=[redacted]'],
    ['a random key in JSON', `{"encryptionKey":"${word}"}`, '{"encryptionKey":"[redacted]"}'],
    ['a short argument', 'x --token Y --password=Z', 'x --token [redacted] --password=[redacted]'],
    ['a quoted argument', `x --token 'a b' -password "c d"`, `x --token '[redacted]' -password "[redacted]"`],
    [
      'a PGP block',
      'a -----BEGIN PGP PRIVATE KEY BLOCK-----\n\nabc\n-----END PGP PRIVATE KEY BLOCK----- b',
      'a [redacted] b',
    ],
    [
      'digest authorization',
      'Authorization: Digest username="bob", realm="x y", response="66f"\nAccept: *',
      'Authorization: Digest [redacted]\nAccept: *',
    ],
    [
      'digest authorization in JSON',
      'got {"authorization":"Digest username=\\"bob\\", response=\\"66f\\"","x":1}',
      'got {"authorization":"Digest [redacted]","x":1}',
    ],
    [
      'an AWS signature',
      'Authorization: AWS4-HMAC-SHA256 Credential=AKIAB/2013/s3, SignedHeaders=host;range, Signature=fe5f80',
      'Authorization: AWS4-HMAC-SHA256 [redacted]',
    ],
    ['an unknown scheme', 'Authorization: Custom abc123\nX: y', 'Authorization: [redacted]\nX: y'],
    ['a connection string', 'Server=x;Pwd=hun ter2;Encrypt=true', 'Server=x;Pwd=[redacted];Encrypt=true'],
    ['a connection string’s beginning', 'Pwd=hunter2;Server=x', 'Pwd=[redacted];Server=x'],
    ['a JWT behind a word', 'x-eyJhbGciOi.eyJzdWIiOiIx.c2ln', 'x-[redacted]'],
    ['the shortest JWT', 'eyJabcd.abcd.x', '[redacted]'],
    ['a JWT among dots', 'a.b.eyJhbGciOi.eyJzdWIiOiIx.c2ln.com', 'a.b.[redacted].com'],
    ['an argument on the next line', 'x --token \\\n  hunter2', 'x --token \\\n  [redacted]'],
    ['a listed argument', `run(['--token', 'hunter2'])`, `run(['--token', '[redacted]'])`],
    [
      'a variable in YAML',
      '- name: DB_PASSWORD\n  value: hunter2\n',
      '- name: DB_PASSWORD\n  value: [redacted]\n',
    ],
    [
      'a quoted variable in YAML',
      '- name: "API_TOKEN"\n  value: "a b"',
      '- name: "API_TOKEN"\n  value: "[redacted]"',
    ],
    ['an XML element', '<db><password>hun ter2</password></db>', '<db><password>[redacted]</password></db>'],
    ['an XML element of one quote', '<password>"</password>', '<password>"[redacted]</password>'],
    [
      'a netrc file',
      'machine x\n login bob\n password hunter2\n',
      'machine x\n login bob\n password [redacted]\n',
    ],
    ['a password of mysql', 'mysql -u root -phunter2 shop', 'mysql -u root -p[redacted] shop'],
    ['one in quotes', `mysqldump -uroot -p'hun ter2' shop`, `mysqldump -uroot -p'[redacted]' shop`],
    [
      'one behind a path',
      '/usr/bin/mariadb-admin -h db -ph1 ping',
      '/usr/bin/mariadb-admin -h db -p[redacted] ping',
    ],
    [
      'one in a list',
      `exec("mysql", "-u", "root", "-phunter2")`,
      `exec("mysql", "-u", "root", "-p[redacted]")`,
    ],
    [
      'a login of Docker',
      '{"auths":{"ghcr.io":{"auth":"dXNlcjpodW50ZXIy"}}}',
      '{"auths":{"ghcr.io":{"auth":"[redacted]"}}}',
    ],
    [
      'a login of Docker in a text',
      'cat: "auths": { "x": { "auth": "dXNlcjpodW50ZXIy" } }',
      'cat: "auths": { "x": { "auth": "[redacted]" } }',
    ],
    ['a login of npm', '//registry.test/:_auth=dXNlcjpodW50ZXIy', '//registry.test/:_auth=[redacted]'],
    ['a code that works once', 'npm publish --otp=123456 --tag x', 'npm publish --otp=[redacted] --tag x'],
    ['one behind a space', 'npm publish --otp 123456', 'npm publish --otp [redacted]'],
    ['one in JSON', 'sent {"otp":"123456","x":1}', 'sent {"otp":"[redacted]","x":1}'],
    ['one in a form', 'totp=123456&next=1', 'totp=[redacted]&next=1'],
    [
      'a signed address of Azure',
      'https://a.blob.core.windows.net/c/f?sv=2024-01-01&sig=aB3%2Bx%2Fz9%3D&se=2026-01-01',
      'https://a.blob.core.windows.net/c/f?sv=2024-01-01&sig=[redacted]&se=2026-01-01',
    ],
    [
      'one whose signature is first',
      'curl "https://a.test/f?sig=aB3%2Bx%2Fz9%3D&sp=r"',
      'curl "https://a.test/f?sig=[redacted]&sp=r"',
    ],
    ['sshpass', 'sshpass -p hunter2 ssh x', 'sshpass -p [redacted] ssh x'],
    ['a user of curl', 'curl -u bob:hunter2 https://x', 'curl -u bob:[redacted] https://x'],
    ['a long user of curl', `curl --user 'bob:hunter2' x`, `curl --user 'bob:[redacted]' x`],
    ['a cookie of curl', 'curl -b "sid=plain" https://x', 'curl -b "[redacted]" https://x'],
    ['a service token', `x hf_${word} y hvs.${word}`, 'x [redacted] y [redacted]'],
    [
      'a webhook',
      'https://hooks.slack.com/services/T0/B0/abc',
      'https://hooks.slack.com/services/[redacted]',
    ],
    ['what a quote begins', 'password="hunter2', 'password="[redacted]'],
    ['what a quote in JSON begins', '{\\"password\\":\\"hunter2', '{\\"password\\":\\"[redacted]'],
    ['a password named like a folder', `PWD='hunter2' x`, `PWD='[redacted]' x`],
    ['a random key in quotes', `SIGNING_KEY='${word}' x`, `SIGNING_KEY='[redacted]' x`],
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
    'PWD=/home/me/project OLDPWD=/tmp',
    `PWD="/home/me" OLDPWD='/tmp'`,
    '{\\"pwd\\":\\"/home/me\\"}',
    'PWD=$(pwd) make',
    'the risk-assessment of a task-management board',
    'PRIMARY_KEY=id, FOREIGN_KEY: users_id_2024_11_15',
    'cache_key=d41d8cd98f00b204e9800998ecf8427e',
    'SSL_KEY=/etc/ssl/private/server.pem',
    'tool --token --verbose',
    'mysshpass -p 8080',
    'docker run -p 3306:3306 mysql',
    'mkdir -p /var/lib/mysql',
    'mysql -p shop',
    'find / -name mysql -print',
    'mysql --port=3307 --protocol=tcp',
    'auth: required, "auth": "oauth2"',
    'the author=Ann, auth=basic',
    'footprint=12345, photopia: yes',
    'sig=main, design=modern',
    'if (token == null) return',
    'all tests pass: true',
    'eyJhbGciOi.short',
    'eyJabc.abcdef.ghi',
    'eyJabcdef.abc.ghi',
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
      'PGPASSWORD',
      'DB_PASS',
      'db.pass',
      'smtpPassword',
      'DB_PWD',
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
      'bypass',
      'compass',
      'PRIMARY_KEY',
      'SIGNING_KEY',
    ])
      expect({ name, secret: isSecretField(name) }).toEqual({ name, secret: false });
  });

  it('lets the value decide where a name says too little', () => {
    const hash = 'd41d8cd98f00b204e9800998ecf8427e';
    const given = {
      SIGNING_KEY: hash,
      encryptionKey: word,
      'session-key': 'AbC+dEf/123456789+Xy==',
      PRIMARY_KEY: 'id',
      primaryKey: hash,
      cache_key: hash,
      S3_KEY: 'uploads/2024/11/holiday-photo.jpg',
      SORT_KEY: hash,
      SIGNING_KEY_ID: hash,
      keyboard: hash,
      SOME_KEY: 'left-arrow-or-right-arrow',
      key: hash,
      PWD: '/home/me',
      pwd: 'hunter2',
      OLDPWD: 'C:\\Users\\me',
    };
    // A folder begins like one.
    for (const value of ['hun/ter2', 'hun~ter2', 'x:hunter2', '..hunter2', 'hunter2..'])
      expect([value, isSecretField('pwd', value)]).toEqual([value, true]);
    expect(redactor.redactValue(given)).toEqual({
      ...given,
      SIGNING_KEY: '[redacted]',
      encryptionKey: '[redacted]',
      'session-key': '[redacted]',
      pwd: '[redacted]',
    });
  });

  it('takes a value for random from a certain length and oddness on', () => {
    const isRandom = (value: string): boolean => isSecretField('SIGNING_KEY', value);
    // 16 characters, and one less.
    expect([isRandom('a1b2c3d4e5f6g7h8'), isRandom('a1b2c3d4e5f6g7h')]).toEqual([true, false]);
    // Ten of them in a part that is no word, and nine.
    expect([isRandom('a1b2c3d4e5-words'), isRandom('a1b2c3d4e-wordss')]).toEqual([true, false]);
    // All of those that keys are written in, and one that is not.
    expect([isRandom('a1b2c3d4e5+/=._~-'), isRandom('a1b2c3d4e5 f6g7h8')]).toEqual([true, false]);
    expect([isRandom('v2/2024/cameraPhotos/IMG/1234'), isRandom('12345/12345/12345')]).toEqual([false, true]);
    expect(isSecretField('SIGNING_KEY', 1_234_567_890_123_456)).toBe(false);
  });

  it('hides what stands beside its name in a list of pairs, however deep', () => {
    const pairs = [
      ['X-Api-Key', 'plain'],
      ['Accept', '*'],
    ];
    const clean = [
      ['X-Api-Key', '[redacted]'],
      ['Accept', '*'],
    ];
    expect(redactor.redactValue(pairs)).toEqual(clean);
    expect(redactor.redactValue({ a: { b: { pairs } } })).toEqual({ a: { b: { pairs: clean } } });
    // Two words that are no pair in a list, and a list that is no pair.
    const others = {
      '2nd': ['token', 'plain'],
      words: ['token', 'plain'],
      three: [['token', 'plain', 'words']],
    };
    expect(redactor.redactValue(others)).toBe(others);
  });

  it('hides the argument after a flag, and the value beside its name', () => {
    const frame = {
      args: ['login', '--token', 'X', '--verbose', '-password', '-dash', '--secret', '--json', '-p', '80'],
      mixed: [{ a: '--token' }, '--token', { b: 'c' }],
      // A list is no flag, though it becomes the same text.
      listed: [['--token'], 'plain', 'plain'],
      env: [{ name: 'ANY', value: 'x' }],
      variables: [
        { name: 'API_KEY', value: 'x' },
        { Key: 'DbPassword', Value: ['y', 7] },
        { ParameterKey: 'Token', ParameterValue: 'z', label: 'Token' },
        { key: 'SIGNING_KEY', value: word },
        { name: 'color', value: 'red' },
      ],
    };
    expect(redactor.redactValue(frame)).toEqual({
      args: [
        'login',
        '--token',
        '[redacted]',
        '--verbose',
        '-password',
        '[redacted]',
        '--secret',
        '--json',
        '-p',
        '80',
      ],
      mixed: frame.mixed,
      listed: frame.listed,
      env: [{ name: '[redacted]', value: '[redacted]' }],
      variables: [
        { name: 'API_KEY', value: '[redacted]' },
        { Key: 'DbPassword', Value: ['[redacted]', '[redacted]'] },
        { ParameterKey: 'Token', ParameterValue: '[redacted]', label: 'Token' },
        { key: 'SIGNING_KEY', value: '[redacted]' },
        { name: 'color', value: 'red' },
      ],
    });
  });

  it('hides by the place in JSON that is a text, too, and keeps its form', () => {
    const given = {
      env: { FOO: 'plain-1' },
      mcp: { headers: { 'x-foo': 'plain-2' } },
      list: [{ name: 'DB_PASSWORD', value: 'plain-3' }],
      argv: ['tool', '--token', 'plain-4'],
      dbPass: 'plain-5',
      password: { nested: ['plain-6'] },
      passwords: ['plain-7'],
      cookies: [{ name: 'sid', value: 'plain-8' }],
      entries: [['X-Api-Key', 'plain-9']],
      'set-cookie': ['plain-10'],
      count: 7,
      note: 'stays',
    };
    const clean = JSON.parse(JSON.stringify(given).replaceAll(/plain-\d+/g, '[redacted]')) as object;
    const sealed = { ...clean, cookies: [{ name: '[redacted]', value: '[redacted]' }] };
    const compact = JSON.stringify(given);
    for (const indent of [0, 2, 4]) {
      const text = JSON.stringify(given, undefined, indent);
      expect(redactor.redactText(` ${text}\n`)).toBe(` ${JSON.stringify(sealed, undefined, indent)}\n`);
      expect(redactor.redactValue({ content: [{ type: 'text', text }] })).toEqual({
        content: [{ type: 'text', text: JSON.stringify(sealed, undefined, indent) }],
      });
    }
    expect(redactor.redactText(`one\n${compact}\n${compact}`)).not.toMatch(/plain-\d/);
    expect(redactor.redactText(JSON.stringify({ out: JSON.stringify({ out: compact }) }))).not.toMatch(
      /plain-\d/,
    );
    // A text that holds such places is looked at, also within a line.
    for (const part of [{ env: { FOO: 'x' } }, { headers: { FOO: 'x' } }]) {
      expect(redactor.isClean(JSON.stringify({ text: JSON.stringify(part) }))).toBe(false);
    }
    const harmless = '{ "name": "apples",  "required": ["token", "name"], "password": "" }';
    expect(redactor.redactText(harmless)).toBe(harmless);
    const deep = `${'['.repeat(50_000)}{"env":{"A":"plain-1"}}${']'.repeat(50_000)}`;
    expect(redactor.redactText(deep)).toBe(deep.replace('plain-1', '[redacted]'));
  });

  it('hides secrets that are names, and keeps every field', () => {
    const [one, other] = ['sk-ant-api03-abcDEF123456', 'sk-ant-api03-abcDEF123457'];
    const hidden = redactor.redactValue({ first: 1, [one]: 2, [other]: { [one]: 3 }, '[redacted] 2': 4 });
    expect(Object.entries(hidden)).toEqual([
      ['first', 1],
      ['[redacted]', 2],
      ['[redacted] 3', { '[redacted]': 3 }],
      ['[redacted] 2', 4],
    ]);
    // One that is called so already comes first.
    expect(Object.keys(redactor.redactValue({ '[redacted] 2': 1, [one]: 2, [other]: 3 }))).toEqual([
      '[redacted] 2',
      '[redacted]',
      '[redacted] 3',
    ]);
    // Also where no value changes.
    expect(redactor.redactValue({ first: 1, [one]: 2 })).toEqual({ first: 1, '[redacted]': 2 });
    expect(createRedactor({ values: ['Rumpelstilz'] }).redactValue({ Rumpelstilz: { a: 1 } })).toEqual({
      '[redacted]': { a: 1 },
    });
  });

  it('hides what is below such a field, but not the schema that describes one', () => {
    const frame = {
      credentials: { user: 'bob', pin: 1234, nested: ['x'] },
      inputSchema: {
        properties: {
          password: { type: 'string', description: 'The password' },
          token: { anyOf: [{ type: 'string' }, { type: 'null' }], default: 'hunter2', examples: ['hunter2'] },
        },
      },
      user: { properties: { password: 'hunter2', secret: { value: 'hunter2', type: 'secure' } } },
    };
    expect(redactor.redactValue(frame)).toEqual({
      credentials: { user: '[redacted]', pin: '[redacted]', nested: ['[redacted]'] },
      inputSchema: {
        properties: {
          password: frame.inputSchema.properties.password,
          token: {
            anyOf: frame.inputSchema.properties.token.anyOf,
            default: '[redacted]',
            examples: ['[redacted]'],
          },
        },
      },
      user: { properties: { password: '[redacted]', secret: { value: '[redacted]', type: '[redacted]' } } },
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
    // Also in JSON that is a text, as most results of tools are.
    const named = createRedactor({ fields: ['iban'] });
    expect(named.redactValue({ text: '{"iban":"DE1","n":1}' })).toEqual({
      text: '{"iban":"[redacted]","n":1}',
    });
    expect(named.redactText('{"iban":"DE1"}')).toBe('{"iban":"[redacted]"}');
    // An expression of the caller may have the flag already, and others.
    const flagged = createRedactor({ patterns: [/plum/gi, /pear/i] });
    expect(flagged.redactText('Plum plum Pear pear')).toBe(Array(4).fill('[redacted]').join(' '));
  });

  it('hides a value also as base64 spells it, if that is long enough to be no word', () => {
    const inBase64 = Buffer.from('correct horse, and more').toString('base64');
    const own = createRedactor({ values: ['correct horse', 'abcd'] });
    expect(own.redactText(`x ${inBase64} y`)).toBe(`x [redacted]${inBase64.slice(16)} y`);
    expect(own.redactText('YWJj abcd')).toBe('YWJj [redacted]');
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

  it('are found within addresses, headers and the key of Bedrock', () => {
    const env = {
      HTTPS_PROXY: 'http://ann:p%40ssw0rd-1@proxy.test:3128',
      ANTHROPIC_BASE_URL: 'https://gateway.test/path@1',
      BROKEN_PROXY: 'http://ann:100%25-%zz-or-so@proxy.test',
      ANTHROPIC_CUSTOM_HEADERS:
        'X-Team: engineering\nX-Api-Key: value-of-it\nX-Gateway-Auth: gate: way\nOther: Bearer token-of-it\nnonsense',
      AWS_BEARER_TOKEN_BEDROCK: 'bedrock-of-it',
    };
    expect(listSecretValues(env)).toEqual([
      'p%40ssw0rd-1',
      'p@ssw0rd-1',
      '100%25-%zz-or-so',
      'value-of-it',
      'gate: way',
      'token-of-it',
      'bedrock-of-it',
    ]);
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

  it('hides every planted secret, wherever it stands, and changes nothing else', () => {
    fc.assert(
      fc.property(plantedTree, ({ given, hidden, secrets }) => {
        expect(redactor.redactValue({ given })).toEqual({ given: hidden });
        const line = JSON.stringify({ given });
        expect(redactor.isClean(line)).toBe(secrets.length === 0);
        const { line: recorded } = encodeTraceFrame(
          { t: 0, dir: 'in', line },
          { redactor, maxFrameBytes: 1e6 },
        );
        for (const secret of secrets) expect(recorded).not.toContain(secret);
        expect(JSON.parse(recorded)).toEqual({ type: 'frame', t: 0, dir: 'in', frame: { given: hidden } });
      }),
      propertyOptions(100),
    );
  });

  it('does not take the square of a long text’s length', () => {
    // Each of these made one of the expressions start over at every character when it was unbounded; a
    // square would take hours, far beyond the limit of a test.
    for (const piece of ['a.', 'token-', '://a:', 'key ', 'eyJ-', '"', 'Bearer ', 'cookie:"']) {
      const text = piece.repeat(50_000);
      expect(redactor.redactText(text).length).toBeGreaterThan(0);
      expect(typeof mayHoldSecret(text)).toBe('boolean');
    }
  });

  it('looks at so much of a line, and says how much it hid beyond that', () => {
    const short = createRedactor({ maxCharacters: 100, values: ['known-value'] });
    const text = `password=hunter2 ${'x'.repeat(60)} ${'y'.repeat(60)}`;
    expect(short.redactText(text)).toBe(`password=[redacted] ${'x'.repeat(60)} [redacted: 60 characters]`);
    // What cannot hold a secret costs next to nothing, and does not count.
    expect(short.redactText('z'.repeat(500))).toBe('z'.repeat(500));
    expect(short.redactValue({ a: 'pass '.repeat(20), b: 'token abc', c: 'plain' })).toEqual({
      a: 'pass '.repeat(20),
      b: '[redacted: 9 characters]',
      c: 'plain',
    });
    // No value that is known is cut in half.
    const cut = short.redactText(`${'!'.repeat(94)} known-value and the pass`);
    expect(cut).toBe(`${'!'.repeat(94)} [redacted: 24 characters]`);
    expect(createRedactor().redactText(`key ${'a '.repeat(3_000_000)}`)).toMatch(
      / \[redacted: 18\d{5} characters\]$/,
    );
  });
});

/** A value, what it must become, and the secrets that were put in it. */
interface Planted {
  given: unknown;
  hidden: unknown;
  secrets: string[];
}

const LETTERS = Array.from('ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789');
const secretText = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 16, maxLength: 24 })
  .map((letters) => `a1B2c3D4e5F6${letters.join('')}`);
const harmlessText = fc
  .array(fc.constantFrom('apple', 'plum', '12', '/home/me', 'grüße', '"', '\\', '\n', '{}', 'max_tokens'), {
    maxLength: 5,
  })
  .map((words) => words.join(' '));
const harmlessName = fc.constantFrom(
  'text',
  'content',
  'a b',
  'input',
  'progressToken',
  'count',
  '0',
  '__proto__',
);

/** Every place inside a text, as `$` before and after. */
const TEXTS: readonly string[] = [
  'sk-$',
  'Bearer $',
  'Basic $',
  'ghp_$',
  'glpat-$',
  'xoxb-$',
  'https://me:$@host/x',
  'eyJ$.$.$',
  'API_KEY=$',
  'PGPASSWORD=$',
  'DB_PASS=$',
  'DB_PW: $',
  'MY_PWD=$',
  'SIGNING_KEY=$',
  'clientSecret: "$"',
  '{"password":"$"}',
  '{\\"password\\":\\"$ $\\"}',
  'tool --token $ -v',
  "tool --pass='$ $'",
  'tool -password $',
  'Cookie: sid=$; b=sk-$; c=$',
  "-H 'Set-Cookie: a=$' x",
  'Authorization: Digest username="$", response="$"',
  'Authorization: AWS4-HMAC-SHA256 Credential=$/x, Signature=$',
  'Authorization: Other $',
  'x;Pwd=$ $;y',
  '-----BEGIN PGP PRIVATE KEY BLOCK-----\n$\n-----END PGP PRIVATE KEY BLOCK-----',
  '-----BEGIN RSA PRIVATE KEY-----\n$\n-----END RSA PRIVATE KEY-----',
  'x;password = $;',
];

/** Every place in a frame; `h` is what stands in the place of the secret. */
const PLACES: readonly ((s: string) => unknown)[] = [
  (s) => ({ password: s, plain: 1 }),
  (s) => ({ 'X-Api-Key': [s, { deep: s }] }),
  (s) => ({ DB_PASS: s }),
  (s) => ({ signingKey: s }),
  (s) => ({ env: { ANY: s } }),
  (s) => ({ headers: { Any: s } }),
  (s) => ({ name: 'API_KEY', value: s }),
  (s) => ({ Key: 'DB_PASS', Value: s }),
  (s) => ({ properties: { password: s } }),
  (s) => ({ properties: { token: { type: 'string', default: s } } }),
  (s) => ['run', '--token', s, 'now'],
  (s) => [`--password=${s}`],
];

const plantedTree: fc.Arbitrary<Planted> = fc.letrec<{ tree: Planted }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    harmlessText.map((text) => ({ given: text, hidden: text, secrets: [] })),
    fc.tuple(fc.constantFrom(...TEXTS), secretText, harmlessText).map(([form, secret, around]) => {
      const planted = form.replaceAll('$', () => secret);
      const given = `${around} ${planted}`;
      return { given, hidden: `${around} ${redactor.redactText(planted)}`, secrets: [secret] };
    }),
    fc.tuple(fc.constantFrom(...PLACES), secretText).map(([place, secret]) => ({
      given: place(secret),
      hidden: place('[redacted]'),
      secrets: [secret],
    })),
    secretText.map((secret) => ({
      given: { [`sk-${secret}`]: 1 },
      hidden: { '[redacted]': 1 },
      secrets: [secret],
    })),
    fc.array(tie('tree'), { maxLength: 3 }).map((parts) => join(parts, (pick) => parts.map(pick))),
    fc
      .uniqueArray(fc.tuple(harmlessName, tie('tree')), { maxLength: 3, selector: ([name]) => name })
      .map((fields) =>
        join(
          fields.map(([, part]) => part),
          (pick) => Object.fromEntries(fields.map(([name, part]) => [name, pick(part)])),
        ),
      ),
  ),
})).tree;

function join(parts: readonly Planted[], build: (pick: (part: Planted) => unknown) => unknown): Planted {
  return {
    given: build(({ given }) => given),
    hidden: build(({ hidden }) => hidden),
    secrets: parts.flatMap(({ secrets }) => secrets),
  };
}

describe('what a closer look needs', () => {
  it('is not what most lines have: addresses, counts of tokens, tokens of progress', () => {
    for (const line of [
      'https://example.test/a',
      'me@example.test',
      '{"input_tokens":12,"max_tokens":3}',
      '{"progressToken":7}',
    ])
      expect([line, redactor.isClean(line)]).toEqual([line, true]);
    expect(redactor.isClean('https://me@example.test')).toBe(false);
    expect(redactor.isClean('a token')).toBe(false);
  });

  it('makes every line doubtful: a function, a pattern or a field of the caller', () => {
    const plain = '{"a":"nothing to see"}';
    expect(createRedactor({}).isClean(plain)).toBe(true);
    expect(createRedactor({ text: (text) => text }).isClean(plain)).toBe(false);
    expect(createRedactor({ patterns: [/see/] }).isClean(plain)).toBe(false);
    expect(createRedactor({ fields: ['a'] }).isClean(plain)).toBe(false);
    expect(createRedactor({ values: ['other value'] }).isClean(plain)).toBe(true);
    expect(createRedactor({ values: ['nothing to see'] }).isClean(plain)).toBe(false);
  });
});

describe('where a long text is cut', () => {
  const value = 'correct horse battery';

  it.each([0, 7, 60])('no part of a known value stays, with %i characters before it', (before) => {
    const text = `${'. '.repeat(before).slice(0, before)}${value} ${'. '.repeat(300)}`;
    for (let limit = before + 1; limit < before + value.length + 3; limit += 1) {
      const clean = createRedactor({ values: [value], maxCharacters: limit }).redactText(text);
      expect(clean).not.toContain('co');
      expect(clean).not.toContain('horse');
      // What is behind the cut is counted, not kept.
      expect(clean.length).toBeLessThan(limit + 150);
    }
  });

  it('a word without end is cut all the same', () => {
    const clean = createRedactor({ patterns: [/zzz/], maxCharacters: 6000 }).redactText('ab'.repeat(6000));
    expect(clean.startsWith('ab'.repeat(3000))).toBe(true);
    expect(clean.startsWith('ab'.repeat(3001))).toBe(false);
  });
});

it('leaves what a schema says of a secret, and hides what it gives as one', () => {
  const words =
    'type title description format pattern $ref $comment contentEncoding items properties anyOf oneOf allOf not ' +
    'additionalProperties required enum minLength maxLength minItems maxItems minimum maximum multipleOf';
  for (const word of words.split(' ')) {
    const schema = { properties: { password: { type: 'string', [word]: 'string' } } };
    expect(redactor.redactValue(schema), word).toEqual(schema);
  }
  for (const type of ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']) {
    const schema = { properties: { password: { type } } };
    expect(redactor.redactValue(schema), type).toEqual(schema);
  }
  for (const word of ['default', 'const', 'examples', 'other'])
    expect(redactor.redactValue({ properties: { password: { type: 'string', [word]: 'hunter2' } } })).toEqual(
      { properties: { password: { type: 'string', [word]: '[redacted]' } } },
    );
});

// Built in parts, so that no scanner takes this file for a leak.
it.each([
  ...['sk_', 'rk_', 'pk_', 'whsec_'].map((start) => `${start}live_${word}`.replace('whsec_live_', 'whsec_')),
  ...['AKIA', 'ASIA', 'AGPA', 'AROA', 'AIDA'].map((start) => `${start}ABCDEFGHIJKLMNOP`),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-'].map((start) => `${start}${word}`),
  `xoxb-${word}`,
  `AIza${word}${word}`,
  `npm_${word}${word}`,
  ...['hf_', 'dop_v1_', 'hvs.', 'xapp-'].map((start) => `${start}${word}`),
  `AGE-SECRET-KEY-1${word.toUpperCase()}`,
])('hides %s also where nothing else on the line is suspicious', (key) => {
  expect(redactor.isClean(`{"a":"x ${key} y"}`)).toBe(false);
  expect(redactor.redactText(`x ${key} y`)).toBe('x [redacted] y');
  // Within a word it is a part of that.
  expect(redactor.redactText(`x${key} y`)).toBe(`x${key} y`);
});

it.each(['Bearer', 'BEARER', 'bearer', 'Basic', 'BASIC'])('hides what follows %s', (scheme) => {
  expect(redactor.isClean(`${scheme} ${word}`)).toBe(false);
  expect(redactor.redactText(`${scheme} ${word}`)).toBe(`${scheme} [redacted]`);
});
