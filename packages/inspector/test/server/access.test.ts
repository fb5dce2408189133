// Who gets in: links that work once, secrets of one server, names and origins. Every refusal over real sockets.
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECRET_HEADER } from '../../src/model/entry.js';
import { Admission } from '../../src/server/admission.js';
import { readAllowedHost } from '../../src/server/request-access.js';
import { Served } from '../support/served.js';

let served: Served;

beforeEach(async () => {
  served = await Served.start();
  served.source.add('s1');
});
afterEach(() => served.close());

const pathOf = (link: string): string => link.slice(new URL(link).origin.length);
const secretOf = ({ body }: { body: string }): unknown =>
  (JSON.parse(body) as { result?: { secret?: unknown } }).result?.secret;

describe('a link', () => {
  it('gives a secret once, to a script alone: no answer sets a cookie', async () => {
    const link = served.server.createLink();
    // What stands behind the # is not sent.
    expect(pathOf(link)).toMatch(/^\/#key=[\w-]{43}$/);
    const first = await served.redeem(link);
    expect(first.status).toBe(200);
    expect(secretOf(first)).toMatch(/^[\w-]{43}$/);
    const again = await served.redeem(link);
    expect(again.status).toBe(401);
    expect(secretOf(again)).toBeUndefined();
    expect(again.body).toContain('npx inboard inspect --link');
    expect(again.body).not.toContain(pathOf(link).slice(6));
    for (const answer of [first, again, await served.ask({})])
      expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is left for another browser by one that was let in, used or not', async () => {
    await served.enter();
    const link = served.server.createLink();
    expect(secretOf(await served.redeem(link))).toBe(served.secret);
    expect(secretOf(await served.redeem('http://127.0.0.1/#key=made-up'))).toBe(served.secret);
    const { secret } = served;
    served.secret = '';
    const other = await served.redeem(link);
    expect(other.status).toBe(200);
    expect(secretOf(other)).not.toBe(secret);
  });

  it.each([
    ['HEAD', {}],
    ['GET', {}],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }],
    ['GET', { purpose: 'prefetch' }],
  ])('is not used up by a %s with %j', async (method, headers) => {
    const link = served.server.createLink();
    const { search, hash } = new URL(link);
    for (const path of ['/', `/?${hash.slice(1)}`, `/api/enter?${search}${hash.slice(1)}`])
      await served.ask({ method, path, headers });
    expect(await served.redeem(link)).toMatchObject({ status: 200 });
  });

  it('is good for nothing when it was made up', async () => {
    for (const key of ['x', 'A'.repeat(43), '<script>alert(1)</script>']) {
      const answer = await served.post('/api/enter', { key });
      expect(answer.status).toBe(401);
      expect(answer.body).not.toContain('script>');
    }
    for (const body of ['', 'x', '[]', '{}', '{"key":""}', '{"key":7}', '{"key":["a"]}'])
      expect(await served.post('/api/enter', body)).toMatchObject({ status: 400 });
  });

  it.each([
    [{ origin: 'http://evil.example' }, 'FOREIGN_ORIGIN'],
    [{ origin: 'http://127.0.0.1:1' }, 'FOREIGN_ORIGIN'],
    [{ host: 'evil.example' }, 'FOREIGN_HOST'],
    [{ 'sec-fetch-site': 'cross-site' }, 'FOREIGN_PAGE'],
    [{ 'sec-fetch-site': 'same-site' }, 'FOREIGN_PAGE'],
    [{ 'sec-fetch-site': 'none' }, 'FOREIGN_PAGE'],
    [{ 'x-inboard': '0' }, 'NO_MARK'],
    [{ 'content-type': 'text/plain' }, 'NOT_JSON'],
  ] as const)('is not taken from another page, nor used up by one: %j', async (headers, code) => {
    const link = served.server.createLink();
    const answer = await served.redeem(link, headers);
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code } });
    expect(await served.redeem(link)).toMatchObject({ status: 200 });
  });

  it('opens a page that is the same for everybody, from other sites too', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const before = await served.ask({ headers });
    expect(before.status).toBe(200);
    await served.enter();
    expect((await served.ask({})).body).toBe(before.body);
  });

  it('lasts ten minutes', () => {
    let now = 0;
    const admission = new Admission(() => now);
    const [early, late] = [admission.createKey(), admission.createKey()];
    now = 10 * 60 * 1000 - 1;
    expect(admission.redeem(early)).toBeDefined();
    now += 1;
    expect(admission.redeem(late)).toBeUndefined();
  });

  it('is kept with a bounded number of others, as are the browsers that were let in', () => {
    const admission = new Admission();
    const keys = Array.from({ length: 40 }, () => admission.createKey());
    expect(keys.filter((key) => admission.redeem(key) !== undefined)).toHaveLength(32);
    const secrets = Array.from({ length: 70 }, () => admission.redeem(admission.createKey()) as string);
    expect(secrets.filter((secret) => admission.isAdmitted(secret))).toHaveLength(64);
  });
});

describe('a request without a way in', () => {
  it.each(['/api/state', '/api/events?session=s1', '/api/line?session=s1&n=1', '/api/stream?session=s1'])(
    'gets nothing of %s',
    async (path) => {
      await served.enter();
      const { secret } = served;
      served.secret = '';
      const attempts: Record<string, string>[] = [
        {},
        { [SECRET_HEADER]: '' },
        { [SECRET_HEADER]: 'A'.repeat(43) },
        // Where a browser sends something of its own accord, there is no way in.
        { cookie: `${SECRET_HEADER}=${secret}; inboard-${served.server.port}=${secret}` },
        { authorization: `Bearer ${secret}` },
      ];
      for (const headers of attempts) {
        const answer = await served.ask({ path, headers });
        expect(answer.status).toBe(401);
        expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'NOT_ADMITTED' } });
      }
    },
  );

  it('does nothing', async () => {
    expect(await served.act({ action: 'interrupt', session: 's1' })).toMatchObject({ status: 401 });
    expect(await served.act({ action: 'create-link' })).toMatchObject({ status: 401 });
    expect(served.source.acts).toEqual([]);
  });

  it('is that with the secret of another server', async () => {
    const other = await (await Served.start()).enter();
    try {
      const headers = { [SECRET_HEADER]: other.secret };
      expect(await served.ask({ path: '/api/state', headers })).toMatchObject({ status: 401 });
      expect(await other.ask({ path: '/api/state' })).toMatchObject({ status: 200 });
    } finally {
      await other.close();
    }
  });
});

describe('a request of a browser that was let in', () => {
  beforeEach(() => served.enter());

  it.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'inspector.localhost',
    '0.0.0.0',
    '192.168.0.1',
    'user@localhost',
    'localhost/..',
    '[::2]',
  ])('is refused when it calls the server %s', async (host) => {
    for (const path of ['/', '/page.js', '/api/state', '/nothing']) {
      const answer = await served.ask({ path, headers: { host } });
      expect(answer).toMatchObject({ status: 403 });
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'FOREIGN_HOST' } });
    }
  });

  it.each(['127.0.0.1', 'localhost', 'LOCALHOST:1234', '[::1]:4700', '127.0.0.2:80'])(
    'is answered when it calls the server %s',
    async (host) => {
      expect(await served.ask({ path: '/api/state', headers: { host } })).toMatchObject({ status: 200 });
    },
  );

  it.each(['null', 'http://evil.example', 'https://127.0.0.1', 'http://127.0.0.1', 'http://127.0.0.1:1', ''])(
    'is refused with the origin %j',
    async (origin) => {
      expect(await served.ask({ path: '/api/state', headers: { origin } })).toMatchObject({ status: 403 });
      expect(await served.act({ action: 'interrupt', session: 's1' }, { origin })).toMatchObject({
        status: 403,
      });
      expect(served.source.acts).toEqual([]);
    },
  );

  it.each(['cross-site', 'same-site'])('is refused when the browser says that it is %s', async (site) => {
    const headers = { 'sec-fetch-site': site };
    for (const path of ['/api/state', '/api/stream', '/page.js', '/'])
      expect(await served.ask({ path, headers })).toMatchObject({ status: 403 });
    // Neither is the page shown in a frame.
    const framed = { ...headers, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect(await served.ask({ headers: framed })).toMatchObject({ status: 403 });
    expect(await served.act({ action: 'interrupt', session: 's1' }, headers)).toMatchObject({ status: 403 });
    expect(served.source.acts).toEqual([]);
  });

  it.each([
    ['origin', 'NO_ORIGIN', 403],
    ['x-inboard', 'NO_MARK', 403],
    ['content-type', 'NOT_JSON', 415],
  ])('cannot act without the header %s', async (name, code, status) => {
    const own: Record<string, string> = {
      origin: served.origin,
      'x-inboard': '1',
      'content-type': 'application/json',
    };
    delete own[name];
    const body = JSON.stringify({ action: 'interrupt', session: 's1' });
    const answer = await served.ask({ method: 'POST', path: '/api/act', headers: own, body });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
    expect(served.source.acts).toEqual([]);
  });

  it.each([
    ['/../../etc/passwd', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/page.js/../../package.json', 404],
    ['//evil.example/', 404],
    ['/api/state/', 404],
    ['/API/state', 404],
    ['/constructor', 404],
    ['http://evil.example/api/none', 404],
    ['*', 404],
  ])('finds nothing at %s', async (path, status) => {
    const answer = await served.ask({ path });
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('etc');
    expect(answer.body).not.toContain('evil');
  });

  it.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('is refused with the method %s', async (method) => {
    for (const [path, allow] of [
      ['/', 'GET'],
      ['/api/state', 'GET'],
      ['/api/act', 'POST'],
    ] as const) {
      const answer = await served.ask({ method, path });
      expect(answer).toMatchObject({ status: 405, headers: { allow } });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('every answer', () => {
  it('says that it is nothing but data, or this page', async () => {
    await served.enter();
    const paths = ['/', '/page.js', '/page.css', '/api/state', '/api/line?session=s1&n=1', '/nothing'];
    for (const path of paths) {
      const { headers } = await served.ask({ path });
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['cache-control']).toBe(path.startsWith('/page') ? 'no-cache' : 'no-store');
    }
  });

  it('has no script and no style within the page', async () => {
    await served.enter();
    const { body } = await served.ask({});
    expect(body).toContain('<script type="module" src="/page.js"></script>');
    expect(body).not.toMatch(/<script(?! type="module" src="\/page\.js"><\/script>)|<style|style=|\son\w+=/i);
  });
});

describe('a server for other machines', () => {
  it('is called by its addresses, and by the names that were allowed, which may stand behind TLS', async () => {
    const open = await Served.start({ host: '0.0.0.0', allowedHosts: ['Inspector.Example'] });
    try {
      await open.enter();
      for (const host of ['192.168.0.7:4700', '[fe80::1]:4700', 'inspector.example', 'localhost'])
        expect(await open.ask({ path: '/api/state', headers: { host } })).toMatchObject({ status: 200 });
      expect(await open.ask({ path: '/api/state', headers: { host: 'other.example' } })).toMatchObject({
        status: 403,
      });
      const headers = { host: 'inspector.example', origin: 'https://inspector.example' };
      const made = await open.act({ action: 'create-link' }, headers);
      const { result } = JSON.parse(made.body) as { result: { url: string } };
      expect(result.url).toMatch(/^https:\/\/inspector\.example\/#key=/);
    } finally {
      await open.close();
    }
  });

  it.each(['http://a.example', 'a.example:80', 'a.example/', '*.example', ''])(
    'does not take %j for a name',
    (name) => {
      expect(() => readAllowedHost(name)).toThrow(`${JSON.stringify(name)} cannot be allowed as a host`);
    },
  );
});

it('works on one request of a connection at a time, for strangers and for pages that were let in', async () => {
  await served.enter();
  const head = [
    'GET /api/events?session=s1 HTTP/1.1',
    'Host: localhost',
    `${SECRET_HEADER}: ${served.secret}`,
  ];
  const socket = connect(served.server.port, '127.0.0.1').on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write([...head, '', ''].join('\r\n').repeat(1000));
  await closed;
  expect((await served.ask({ path: '/api/events?session=s1' })).status).toBe(200);
  expect(served.source.reads.calls).toBe(2);
});
