// What probes, scrapes and strangers get, over a real socket and as web requests.
import { request as ask } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDeferred } from '../../src/util/deferred.js';
import { createHealthHandler } from '../../src/health/health-handler.js';
import type { HealthReport, HealthSubject } from '../../src/health/health-report.js';
import { serveHealth, type HealthServer, type ServeHealthOptions } from '../../src/health/serve-health.js';

const READY: HealthReport = { ready: true, checks: [{ name: 'journal', ok: true }], loopDelayMs: 3 };
const AWAY: HealthReport = {
  ready: false,
  checks: [
    { name: 'journal', ok: false, code: 'NO_ANSWER' },
    { name: 'odd', ok: false },
  ],
  loopDelayMs: 3,
};
const TOKEN = 'a-token-of-some-length';

const subjectOf = (given: Partial<HealthSubject> = {}): HealthSubject => ({
  health: async () => READY,
  metrics: async () => 'one 1\n',
  ...given,
});

const open: HealthServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(
  subject = subjectOf(),
  options: Partial<ServeHealthOptions> = {},
): Promise<HealthServer> {
  const server = await serveHealth(subject, { port: 0, ...options });
  open.push(server);
  return server;
}

const GET_METRICS = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** A client on a bare socket, which reads nothing before it is told to. */
async function dial({ port }: HealthServer): Promise<{ socket: Socket; readToEnd: () => Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  const chunks: Buffer[] = [];
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A server that destroys a connection may reset it.
  socket.on('error', () => {});
  const readToEnd = async (): Promise<string> => {
    socket.on('data', (chunk) => chunks.push(chunk));
    await closed;
    return Buffer.concat(chunks).toString();
  };
  return { socket, readToEnd };
}

describe('a server for health', () => {
  it('answers probes and scrapes on loopback', async () => {
    const { url } = await serve();
    expect(new URL(url).hostname).toBe('127.0.0.1');
    const live = await fetch(`${url}/healthz`);
    expect([live.status, await live.json()]).toEqual([
      200,
      { status: 'alive', checks: { journal: 'ok' }, loopDelayMs: 3 },
    ]);
    const ready = await fetch(`${url}/readyz?verbose`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready' }]);
    const metrics = await fetch(`${url}/metrics`);
    expect([metrics.headers.get('content-type'), await metrics.text()]).toEqual([
      'text/plain; version=0.0.4; charset=utf-8',
      'one 1\n',
    ]);
    const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '6', '']);
  });

  it('stays alive and is not ready when a check fails', async () => {
    const { url } = await serve(subjectOf({ health: async () => AWAY }));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'not ready', checks: { journal: 'NO_ANSWER', odd: 'FAILED' }, loopDelayMs: 3 },
    ]);
  });

  it.each([
    ['never answers', () => new Promise<never>(() => {})],
    ['rejects', () => Promise.reject(new Error('postgres://ann:secret@db'))],
    [
      'throws',
      () => {
        throw new Error('postgres://ann:secret@db');
      },
    ],
  ])('answers in time, without the error, for a subject that %s', async (_, fail) => {
    const { url } = await serve(subjectOf({ health: fail, metrics: fail }), { timeoutMs: 20 });
    const answers = await Promise.all(
      ['healthz', 'readyz', 'metrics'].map(async (page) => {
        const answer = await fetch(`${url}/${page}`);
        return { status: answer.status, text: await answer.text() };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503]);
    expect(JSON.stringify(answers)).not.toContain('secret');
  });

  it('lets a stranger do nothing but read: methods, pages, sites and names', async () => {
    const { url, port } = await serve();
    const status = async (path: string, init: RequestInit = {}): Promise<number> =>
      (await fetch(`${url}${path}`, init)).status;
    expect(await status('/metrics', { method: 'POST', body: 'x'.repeat(1_000_000) })).toBe(405);
    expect(await status('/')).toBe(404);
    expect(await status('//elsewhere/metrics/../secret')).toBe(404);
    expect(await status('/metrics', { headers: { origin: 'https://evil.example' } })).toBe(403);
    expect(await status('/metrics', { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403);
    const named = await new Promise<number | undefined>((resolve, reject) => {
      ask({ port, host: '127.0.0.1', path: '/metrics', headers: { host: 'evil.example' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(named).toBe(403);
  });

  it('asks for the token for metrics, and for no probe', async () => {
    const { url } = await serve(subjectOf(), { token: TOKEN });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const refused = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer nonsense' } });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const letIn = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([letIn.status, await letIn.text()]).toEqual([200, 'one 1\n']);
  });

  it('closes although a client holds a connection open', async () => {
    const server = await serve();
    const socket = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const gone = new Promise((resolve) => socket.once('close', resolve));
    await server.close();
    await gone;
  });

  it('ends a connection with its answer', async () => {
    const { socket, readToEnd } = await dial(await serve());
    socket.write(GET_METRICS);
    const answer = await readToEnd();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toMatch(/one 1\n$/);
  });

  it('ends a connection on which a client sends further requests before it reads an answer', async () => {
    const metrics = vi.fn(() => new Promise<never>(() => {}));
    const { socket, readToEnd } = await dial(await serve(subjectOf({ metrics }), { timeoutMs: 60_000 }));
    socket.write(GET_METRICS.repeat(300));
    await readToEnd();
    expect(metrics.mock.calls.length).toBeLessThanOrEqual(1);
  });

  it('ends a connection in time whose client does not read the answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // More than the buffers of the system take.
    const text = 'x'.repeat(64_000_000);
    const asked = createDeferred<void>();
    const subject = subjectOf({
      metrics: async () => {
        asked.resolve();
        return text;
      },
    });
    const { socket, readToEnd } = await dial(await serve(subject, { timeoutMs: 100 }));
    socket.write(GET_METRICS);
    await asked.promise;
    vi.advanceTimersByTime(10_100);
    expect((await readToEnd()).length).toBeLessThan(text.length);
  });

  it('answers a probe although strangers hold as many connections as there may be, and ends the oldest', async () => {
    const server = await serve(subjectOf({ metrics: () => new Promise<never>(() => {}) }), {
      timeoutMs: 60_000,
    });
    const strangers = [];
    for (let count = 0; count < 64; count += 1) strangers.push(await dial(server));
    for (const { socket } of strangers) socket.write(GET_METRICS);
    const probe = await fetch(`${server.url}/readyz`);
    expect(probe.status).toBe(200);
    expect(await strangers[0]?.readToEnd()).toBe('');
    expect(strangers.at(-1)?.socket.destroyed).toBe(false);
  });

  it('says by name that its port is taken', async () => {
    const { port } = await serve();
    await expect(serve(subjectOf(), { port })).rejects.toMatchObject({
      name: 'HealthError',
      code: 'HEALTH_NOT_LISTENING',
      message: expect.stringContaining(`port ${port}`) as string,
    });
  });

  it.each([
    [{}, {}, '"health" and "metrics"'],
    [subjectOf(), { port: 70_000 }, '"port"'],
    [subjectOf(), { token: 'short' }, '"token"'],
    [subjectOf(), { timeoutMs: 0 }, '"timeoutMs"'],
    [subjectOf(), { prot: 1 }, 'Did you mean "port"?'],
  ])('refuses %j with %j', async (subject, options, message) => {
    await expect(serve(subject as HealthSubject, options as Partial<ServeHealthOptions>)).rejects.toThrow(
      message,
    );
  });
});

describe('a handler for health', () => {
  it('answers web requests below any path, and leaves metrics out if told to', async () => {
    const { fetch: answer } = createHealthHandler(subjectOf(), { metrics: false });
    expect((await answer(new Request('http://app/internal/readyz'))).status).toBe(200);
    expect((await answer(new Request('http://app/internal/metrics'))).status).toBe(404);
    expect(await (await answer(new Request('http://app/healthz', { method: 'HEAD' }))).text()).toBe('');
  });

  it('passes other paths on in a framework', () => {
    const { listener } = createHealthHandler(subjectOf());
    const next = vi.fn();
    listener({ url: '/chats', headers: {} } as never, {} as never, next);
    expect(next).toHaveBeenCalledOnce();
  });
});
