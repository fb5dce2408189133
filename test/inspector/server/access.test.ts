// Who gets in: links that work once, cookies of one server, names and origins. Every refusal over real sockets.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Admission } from '../../../src/inspector/server/admission.js';
import { readAllowedHost } from '../../../src/inspector/server/request-access.js';
import { Served } from '../support/served.js';

let served: Served;

beforeEach(async () => {
  served = await Served.start();
  served.source.add('s1');
});
afterEach(() => served.close());

const pathOf = (link: string): string => link.slice(new URL(link).origin.length);

describe('a link', () => {
  it('works once, takes the key out of the address, and sets a cookie that no script and no other site gets', async () => {
    const path = pathOf(served.server.createLink());
    const first = await served.ask({ path });
    expect(first).toMatchObject({ status: 303, body: '' });
    expect(first.headers.location).toBe('/');
    const name = `inboard-${served.server.port}`;
    const pattern = new RegExp(`^${name}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`);
    expect(first.headers['set-cookie']).toEqual([expect.stringMatching(pattern)]);
    const again = await served.ask({ path });
    expect(again.status).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.body).toContain('npx inboard inspect --link');
    expect(again.body).not.toContain(path.slice(6));
  });

  it('takes a browser that was let in to the page, used or not', async () => {
    await served.enter();
    const path = pathOf(served.server.createLink());
    expect(await served.ask({ path })).toMatchObject({ status: 303, headers: { location: '/' } });
    expect((await served.ask({ path })).headers['set-cookie']).toBeUndefined();
    expect(await served.ask({ path: '/' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['HEAD', {}],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }],
    ['GET', { purpose: 'prefetch' }],
  ])('is not used up by a %s with %j', async (method, headers) => {
    const path = pathOf(served.server.createLink());
    expect((await served.ask({ method, path, headers })).headers['set-cookie']).toBeUndefined();
    expect(await served.ask({ path })).toMatchObject({ status: 303 });
  });

  it('is good for nothing when it was made up', async () => {
    for (const key of ['', 'x', 'A'.repeat(43), encodeURIComponent('<script>alert(1)</script>')]) {
      const answer = await served.ask({ path: `/?key=${key}` });
      expect(answer.status).toBe(401);
      expect(answer.body).not.toContain('script>');
    }
  });

  it('asks a browser again that came from another site, which keeps its cookie back', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const path = pathOf(served.server.createLink());
    expect(await served.ask({ path, headers })).toMatchObject({ status: 303 });
    const { status, body } = await served.ask({ headers });
    expect(status).toBe(200);
    expect(body).toContain('<meta http-equiv="refresh" content="0;url=/">');
    expect(body).not.toContain('page.js');
    expect(await served.ask({ headers: { ...headers, 'sec-fetch-site': 'same-origin' } })).toMatchObject({
      status: 401,
    });
  });

  it('lasts ten minutes', () => {
    let now = 0;
    const admission = new Admission(1, () => now);
    const [early, late] = [admission.createKey(), admission.createKey()];
    now = 10 * 60 * 1000 - 1;
    expect(admission.redeem(early)).toBeDefined();
    now += 1;
    expect(admission.redeem(late)).toBeUndefined();
  });

  it('is kept with a bounded number of others, as are the browsers that were let in', () => {
    const admission = new Admission(1);
    const keys = Array.from({ length: 40 }, () => admission.createKey());
    expect(keys.filter((key) => admission.redeem(key) !== undefined)).toHaveLength(32);
    const cookies = Array.from({ length: 70 }, () => admission.redeem(admission.createKey()) as string);
    expect(cookies.filter((cookie) => admission.isAdmitted(cookie.split(';')[0]))).toHaveLength(64);
  });
});

describe('a request without a way in', () => {
  it.each(['/api/state', '/api/events?session=s1', '/api/line?session=s1&n=1', '/api/stream?session=s1'])(
    'gets nothing of %s',
    async (path) => {
      for (const cookie of [
        '',
        `inboard-${served.server.port}=`,
        `inboard-${served.server.port}=${'A'.repeat(43)}`,
      ]) {
        const answer = await served.ask({ path, headers: { cookie } });
        expect(answer.status).toBe(401);
        expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'NO_COOKIE' } });
      }
    },
  );

  it('does nothing', async () => {
    expect(await served.act({ action: 'interrupt', session: 's1' })).toMatchObject({ status: 401 });
    expect(await served.act({ action: 'create-link' })).toMatchObject({ status: 401 });
    expect(served.source.acts).toEqual([]);
  });

  it('is that with the cookie of another server', async () => {
    const other = await Served.start();
    try {
      await other.enter();
      const value = other.cookie.split('=')[1] ?? '';
      for (const cookie of [other.cookie, `inboard-${served.server.port}=${value}`])
        expect(await served.ask({ path: '/api/state', headers: { cookie } })).toMatchObject({ status: 401 });
      // Both of one browser, which sends all cookies of this machine to each.
      await served.enter();
      const both = `${other.cookie}; ${served.cookie}; theme=dark`;
      expect(await served.ask({ path: '/api/state', headers: { cookie: both } })).toMatchObject({
        status: 200,
      });
      expect(await other.ask({ path: '/api/state', headers: { cookie: both } })).toMatchObject({
        status: 200,
      });
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
      expect(result.url).toMatch(/^https:\/\/inspector\.example\/\?key=/);
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
