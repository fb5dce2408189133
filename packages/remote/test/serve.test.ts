// Who is let in, who is not, and what a start brings about; with Node in the place of the CLI.
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectCli } from '../src/home/connect-cli.js';
import type { ConnectCliOptions } from '../src/home/connect-options.js';
import { serveCli, type CliServer } from '../src/serve/serve-cli.js';
import { serveLink } from '../src/serve/serve-link.js';
import type { ServeCliOptions } from '../src/serve/serve-options.js';
import type { RemoteServerEvent } from '../src/serve/server-event.js';
import { encodeFrame, FRAME, type FrameKind } from '../src/wire/frame.js';
import type { Transport, TransportEnd, TransportRequest } from '@inboard/core/wire/transport/transport.js';
import { waitUntil } from '../../../test/support/wait-until.js';
import { createDuplexPair } from './support.js';

const TOKEN = 'a-token-for-this-test';

let folder: string;
let events: RemoteServerEvent[];
const servers: CliServer[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-remote-test-')));
  events = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(options: Partial<ServeCliOptions> = {}): Promise<number> {
  const server = await serveCli({
    listen: {},
    token: TOKEN,
    cli: process.execPath,
    cwd: folder,
    onEvent: (event) => events.push(event),
    ...options,
  });
  servers.push(server);
  return 'port' in server.address ? server.address.port : 0;
}

async function reach(
  options: ConnectCliOptions,
  request: Partial<TransportRequest> = {},
): Promise<Transport> {
  const { transport } = connectCli({ token: TOKEN, ...options });
  return await transport({ args: ['--version'], env: {}, cwd: '.', ...request });
}

/** Runs it to its end. */
function run(transport: Transport): Promise<{ lines: string[]; end: TransportEnd }> {
  const lines: string[] = [];
  return new Promise((resolve) => {
    transport.open({
      line: (text) => lines.push(text),
      fault: () => {},
      closed: (end) => resolve({ lines, end }),
    });
  });
}

describe('serveCli()', () => {
  it.each<[string, ServeCliOptions, string]>([
    ['nobody needs to show who it is', { listen: {} }, 'let everyone in'],
    ['others could listen', { listen: { host: '0.0.0.0' }, token: TOKEN }, 'without TLS'],
    ['a token is easily guessed', { listen: {}, token: 'short' }, 'at least 16 characters'],
    ['no authority is named', { listen: {}, clientCertificates: true }, 'listen.tls.ca'],
    ['its certificate is none', { listen: { tls: { cert: 'x', key: 'y' } }, token: TOKEN }, 'cannot be used'],
  ])('does not start where %s', async (_, options, words) => {
    await expect(serveCli(options)).rejects.toMatchObject({
      code: 'REMOTE_NOT_SECURE',
      message: expect.stringContaining(words) as string,
    });
  });

  it('says where it cannot listen', async () => {
    const port = await serve();
    await expect(serve({ listen: { port } })).rejects.toMatchObject({ code: 'REMOTE_LISTEN_FAILED' });
  });

  it('refuses a wrong token and none, and tells of it', async () => {
    const port = await serve();
    await expect(reach({ port, token: 'another-token-of-16' })).rejects.toMatchObject({
      code: 'REMOTE_REFUSED',
      message: expect.stringContaining('the token is wrong') as string,
      retryable: false,
    });
    await expect(reach({ port, token: undefined })).rejects.toThrow('a token is needed');
    expect(events.map(({ type }) => type)).toEqual(['refused', 'refused']);
  });

  it('takes the old token and the new one', async () => {
    const port = await serve({ token: ['an-older-token-here', TOKEN] });
    await (await reach({ port })).terminate();
    await (await reach({ port, token: 'an-older-token-here' })).terminate();
  });

  it('goes on where the listener for its events fails, and warns of it', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const port = await serve({
      onEvent: () => {
        throw new Error('full log');
      },
    });
    for (const token of ['another-token-of-16', 'yet-another-token-16'])
      await expect(reach({ port, token })).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect((await warned).message).toContain('"serveCli.onEvent" failed');
    await (await reach({ port })).terminate();
  });

  it('runs no more than it may, and lets others in afterwards', async () => {
    const port = await serve({ maxSessions: 1 });
    const first = await reach({ port });
    await expect(reach({ port })).rejects.toMatchObject({ code: 'REMOTE_REFUSED', retryable: true });
    await first.terminate();
  });

  it('warns of no leak, however many links it has', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): unknown => warnings.push(name);
    process.on('warning', note);
    try {
      const port = await serve();
      const transports: Transport[] = [];
      for (let count = 0; count < 12; count += 1) transports.push(await reach({ port }));
      const running = transports.map((transport) => run(transport));
      await Promise.all(running);
      // Warnings come in a turn of their own.
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', note);
    }
    expect(warnings).toEqual([]);
  });

  it.each([
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a giant length', Buffer.from('7fffffff01', 'hex')],
    ['a start without a greeting', encodeFrame(FRAME.start, Buffer.from('{}'))],
    ['another version', encodeFrame(FRAME.hello, Buffer.from('{"name":"inboard-remote","protocol":99}'))],
    ['a greeting that is none', encodeFrame(FRAME.hello, Buffer.from('[]'))],
  ])('closes a link over which %s comes', async (_, bytes) => {
    const port = await serve();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(events).toMatchObject([{ type: 'refused' }]);
    expect(servers[0]?.sessions).toBe(0);
  });
});

describe('close() of a server', () => {
  const say = (socket: Socket, kind: FrameKind, value: object): void =>
    void socket.write(encodeFrame(kind, Buffer.from(JSON.stringify(value))));

  /** A client that is let in and pings, sends a start, and then neither takes nor sends anything. */
  async function holdOn(start: object): Promise<Socket> {
    const socket = await enter();
    say(socket, FRAME.start, { env: {}, cwd: '.', files: [], ...start });
    return socket;
  }

  /** A client that is let in and only pings from then on, whatever the server says. */
  async function enter(): Promise<Socket> {
    const port = await serve();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    say(socket, FRAME.hello, { name: 'inboard-remote', protocol: 1, token: TOKEN });
    await new Promise((resolve) => socket.resume().once('data', resolve));
    const pings = setInterval(() => socket.write(encodeFrame(FRAME.ping)), 500);
    socket.once('close', () => clearInterval(pings));
    return socket;
  }

  it('does not wait for one that never takes what its CLI wrote', async () => {
    // A little more than is sent without leave, so that the CLI can end.
    const script = 'process.stdout.write("x".repeat(1024 * 1024 + 64 * 1024))';
    const socket = await holdOn({ args: ['--eval', script] });
    const received = new Promise<void>((resolve) => {
      socket.on('data', () => {
        if (socket.bytesRead > 1024 * 1024) resolve();
      });
    });
    await received;
    await servers.pop()?.close();
    expect(events.at(-1)).toMatchObject({
      type: 'ended',
      exitCode: 0,
      lost: 'this host is closing, and did not wait any longer',
    });
  });

  // Half of the time in which a start may come: the goodbye is what has to end it.
  it(
    'does not wait for one that was let in, sends no start, and ignores the goodbye',
    { timeout: 30_000 },
    async () => {
      const socket = await enter();
      const [server] = servers;
      await waitUntil(() => server?.sessions === 1);
      await servers.pop()?.close();
      expect(server?.sessions).toBe(0);
      socket.destroy();
    },
  );

  it('does not wait for files that never come', async () => {
    vi.stubEnv('TMPDIR', folder);
    await holdOn({ args: ['--version'], files: [{ kind: 'argument', path: 'a', size: 5 }] });
    await waitUntil(() => readdirSync(folder).some((name) => name.startsWith('inboard-launch-')));
    await servers.pop()?.close();
    expect(events.at(-1)).toMatchObject({
      reason: expect.stringContaining('this host is closing') as string,
    });
  });
});

describe('connectCli()', () => {
  it.each<[ConnectCliOptions, string]>([
    [{}, 'exactly one of'],
    [{ port: 1, path: '/x' }, 'port and path'],
    [{ port: 0 }, 'from 1 to 65535'],
    [{ command: [] }, 'a list of words'],
    [{ port: 1, idleMs: 1 }, '"idleMs"'],
  ])('refuses %j', (options, words) => {
    expect(() => connectCli(options)).toThrow(words);
  });

  it('speaks to no other host without TLS', () => {
    expect(() => connectCli({ host: 'example.invalid', port: 1, token: TOKEN })).toThrow(
      expect.objectContaining({ code: 'REMOTE_NOT_SECURE' }),
    );
  });

  it('says that nobody is there, and that another version is', async () => {
    const port = await serve();
    await servers.pop()?.close();
    await expect(reach({ port })).rejects.toMatchObject({ code: 'REMOTE_LINK_LOST', retryable: true });
    const { home, there } = createDuplexPair();
    there.write(encodeFrame(FRAME.welcome, Buffer.from('{"name":"inboard-remote","protocol":2}')));
    await expect(reach({ link: () => home })).rejects.toMatchObject({
      code: 'REMOTE_PROTOCOL',
      message: expect.stringContaining('1 here, 2 there') as string,
    });
    const fail = (): never => {
      throw new Error('no socket');
    };
    for (const link of [fail, () => Promise.reject(new Error('no socket'))]) {
      await expect(reach({ link })).rejects.toMatchObject({
        code: 'REMOTE_LINK_LOST',
        message: expect.stringContaining('no socket') as string,
      });
    }
    await expect(reach({ link: () => ({}) as never })).rejects.toMatchObject({ code: 'REMOTE_PROTOCOL' });
  });

  it('has the words of a program that is no link', async () => {
    const script = 'console.error("host key verification failed"); process.exit(255)';
    await expect(reach({ command: [process.execPath, '--eval', script] })).rejects.toMatchObject({
      code: 'REMOTE_LINK_LOST',
      message: expect.stringContaining('host key verification failed') as string,
    });
    await expect(reach({ command: ['/no/such/ssh'] })).rejects.toMatchObject({ code: 'REMOTE_LINK_LOST' });
  });
});

describe('a start', () => {
  it('gets its folder, its variables and its files, which are gone afterwards', async () => {
    const port = await serve({ env: { PATH: process.env['PATH'], THERE: 'there' } });
    const file = join(folder, 'settings.json');
    const program = `
      const { readFileSync } = require('node:fs');
      console.log(process.cwd());
      console.log(process.env.THERE + ' ' + process.env.SENT + ' ' + process.env.LD_PRELOAD);
      console.log(process.argv[1]);
      console.log(readFileSync(process.argv[1], 'utf8'));
      console.error('a warning');
      process.exit(7);`;
    writeFileSync(file, 'kept private');
    const env = { SENT: 'sent', LD_PRELOAD: '/evil.so' };
    let stderr = '';
    const transport = await reach(
      { port },
      {
        args: ['--eval', program, '--', file],
        env,
        files: [file],
        onStderr: (text) => {
          stderr += text;
        },
      },
    );
    const { lines, end } = await run(transport);
    expect(end).toMatchObject({ exitCode: 7, signal: null, stderrTail: 'a warning\n' });
    expect(stderr).toBe('a warning\n');
    const [cwd, variables, path = '', content] = lines;
    expect([cwd, variables, content]).toEqual([folder, 'there sent undefined', 'kept private']);
    expect(path).not.toBe(file);
    await transport.terminate();
    expect(() => readdirSync(join(path, '..'))).toThrow('ENOENT');
    expect(events.map(({ type }) => type)).toEqual(['started', 'ended']);
  });

  it.each<[Partial<ServeCliOptions>, string, RegExp]>([
    [{ cli: '/no/such/cli' }, 'cli', /The option "cli" .*\/no\/such\/cli, which does not exist/],
    [{ cwd: '/no/such/folder' }, 'cwd', /\/no\/such\/folder \(option "cwd"\) does not exist/],
    [{ cwd: process.execPath }, 'cwd', /\(option "cwd"\) is not a directory/],
    [{ folders: ['/no/such/folder'] }, 'folders', /\/no\/such\/folder \(option "folders"\) does not exist/],
  ])('does not listen with %j', async (options, option, message) => {
    const serving = serve(options);
    await expect(serving).rejects.toMatchObject({ code: 'INVALID_OPTIONS', options: [option] });
    await expect(serving).rejects.toThrow(message);
  });

  it('fails with the words of that host: no CLI, no such folder, a folder that is not offered, too many bytes', async () => {
    const cli = join(folder, 'cli');
    writeFileSync(cli, '', { mode: 0o755 });
    const missing = await serve({ cli });
    rmSync(cli);
    const { end } = await run(await reach({ port: missing }));
    expect(end.error).toMatchObject({
      code: 'REMOTE_START_FAILED',
      message: expect.stringContaining(`${cli}, which does not exist`) as string,
    });
    const port = await serve({ maxFileBytes: 3 });
    const failure = async (request: Partial<TransportRequest>) =>
      (await run(await reach({ port }, request))).end.error?.message;
    expect(await failure({ cwd: 'nowhere' })).toContain('does not exist');
    expect(await failure({ cwd: '..' })).toContain('is not allowed here; allowed are');
    writeFileSync(join(folder, 'big'), 'four');
    expect(await failure({ files: [join(folder, 'big')] })).toContain('maxFileBytes');
  });

  it('runs over any duplex that is trusted, and over none that is not', async () => {
    const { home, there } = createDuplexPair();
    await expect(serveLink(there, {})).rejects.toMatchObject({ code: 'REMOTE_NOT_SECURE' });
    const serving = serveLink(there, { trusted: true, cli: process.execPath, cwd: folder });
    const { lines, end } = await run(await reach({ link: () => home, token: undefined }));
    expect(lines).toEqual([process.version]);
    expect(end).toEqual({ exitCode: 0, signal: null, stderrTail: '' });
    await serving;
  });

  it('is over only when the other side has read its goodbye, or is gone', async () => {
    const { home, there } = createDuplexPair();
    let isServed = false;
    const serving = serveLink(there, { trusted: true, cli: process.execPath, cwd: folder }).then(() => {
      isServed = true;
    });
    const say = (kind: FrameKind, value: object): void =>
      void home.write(encodeFrame(kind, Buffer.from(JSON.stringify(value))));
    let received = Buffer.alloc(0);
    home.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    say(FRAME.hello, { name: 'inboard-remote', protocol: 1 });
    await waitUntil(() => received.length > 0);
    say(FRAME.start, { args: ['--version'], env: {}, cwd: '.', files: [] });
    await waitUntil(() => received.includes(encodeFrame(FRAME.bye)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isServed).toBe(false);
    home.end();
    await serving;
  });

  it('is not started for a client that leaves while its version is asked for, and no other client is ended', async () => {
    // A file of its own: the version of one that is known is not asked for.
    const cli = join(folder, 'cli.mjs');
    writeFileSync(cli, 'console.log("2.0.0");');
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { home, there } = createDuplexPair();
      const served = serveLink(there, { trusted: true, cli, cwd: folder });
      const hello = encodeFrame(FRAME.hello, Buffer.from('{"name":"inboard-remote","protocol":1}'));
      home.write(Buffer.concat([hello, encodeFrame(FRAME.bye)]));
      await served;
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });

  it('is killed when the link is cut, and home is told', async () => {
    const { home, there, cut } = createDuplexPair();
    const serving = serveLink(there, {
      trusted: true,
      cli: process.execPath,
      cwd: folder,
      idleMs: 200,
      onEvent: (event) => events.push(event),
    });
    const transport = await reach(
      { link: () => home, token: undefined, idleMs: 200 },
      { args: ['--eval', 'setInterval(() => {}, 1000); console.log("up")'] },
    );
    const ended = new Promise<TransportEnd>((resolve) => {
      transport.open({ line: () => cut(), fault: () => {}, closed: resolve });
    });
    expect((await ended).error).toMatchObject({ code: 'REMOTE_LINK_LOST', retryable: true });
    await serving;
    expect(events.at(-1)).toMatchObject({
      type: 'ended',
      signal: 'SIGKILL',
      lost: expect.stringContaining('nothing arrived for 200 ms') as string,
    });
  });
});
