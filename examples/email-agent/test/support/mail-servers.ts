// The two mail servers that the tests run on: the embedded one, and Dovecot where it is installed. Both can be restarted.
// For encrypted connections there are Dovecot with a certificate, and an SMTP server that others wrote.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import hoodiecrow from 'hoodiecrow-imap';
import { connect } from '../../app/mailbox.ts';

export interface MailServer {
  url: URL;
  deliver(raw: string): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function startEmbedded(host = '127.0.0.1'): Promise<MailServer> {
  const port = await freePort();
  const imap = hoodiecrow({
    plugins: ['ID', 'IDLE', 'LITERALPLUS', 'SASL-IR', 'SPECIAL-USE', 'UNSELECT'],
    users: { bo: { password: 'secret' } },
    storage: {
      INBOX: { uidvalidity: 4_000_000_000, messages: [] },
      '': { separator: '/', folders: { Sent: { 'special-use': '\\Sent' }, Archive: {} } },
    },
  });
  const sockets = new Set<Socket>();
  imap.server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  const start = async () => {
    imap.listen(port, host, () => {});
    await once(imap.server, 'listening');
  };
  const stop = async () => {
    imap.server.close();
    for (const socket of sockets) socket.destroy();
    await once(imap.server, 'close');
  };
  await start();
  const deliver = async (raw: string) => imap.appendMessage('INBOX', [], new Date(), raw);
  return { url: new URL(`imap://bo:secret@${host}:${port}`), deliver, start, stop, close: stop };
}

/** The path of a program, undefined where it is not installed; then the tests say so, and fail where it is required. */
export function findServer(name: string, debianPackage: string): string | undefined {
  const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/sbin'];
  const path = folders.map((folder) => join(folder, name)).find((one) => existsSync(one));
  if (path === undefined && process.env['INBOARD_REQUIRE_MAIL_SERVERS'] === '1')
    throw new Error(
      `INBOARD_REQUIRE_MAIL_SERVERS is set, and there is no ${name}: apt-get install ${debianPackage}`,
    );
  return path;
}

const isRoot = process.getuid?.() === 0;
const [user, group] = isRoot ? ['nobody', 'nogroup'] : [userInfo().username, String(process.getgid?.())];

/** A program that serves in a folder of its own, never as root, until it is stopped. */
function prepareServer(name: string, host: string, port: number, prepare: (folder: string) => string[]) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  chmodSync(folder, 0o755);
  const words = prepare(folder);
  if (isRoot) execFileSync('chown', ['-R', `${user}:${group}`, folder]);
  let child: ChildProcess | undefined;
  const start = async () => {
    const asUser = isRoot ? ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups'] : [];
    const [command = '', ...rest] = [...asUser, ...words];
    child = spawn(command, rest, { stdio: 'ignore', detached: true, cwd: folder });
    // It cannot tell when it is ready.
    for (let tries = 0; !(await accepts(host, port)); tries += 1) {
      const log = join(folder, 'dovecot.log');
      if (tries > 400) throw new Error(existsSync(log) ? readFileSync(log, 'utf8') : `${name} did not start`);
      await wait(50);
    }
  };
  const stop = async () => {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // With its children, which would go on serving those who are connected.
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  const close = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  return { folder, start, stop, close };
}

async function accepts(host: string, port: number): Promise<boolean> {
  const socket = createConnection(port, host);
  try {
    return Boolean(await once(socket, 'connect'));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function prepareDovecot(
  path: string,
  folder: string,
  place: Omit<Place, 'folder' | 'user' | 'group'>,
): string[] {
  const file = join(folder, 'dovecot.conf');
  writeFileSync(file, configure({ folder, user, group, ...place }));
  writeFileSync(join(folder, 'users'), 'bo:{PLAIN}secret::::::\n');
  mkdirSync(join(folder, 'mail'));
  return [path, '-F', '-c', file];
}

export async function startDovecot(path: string): Promise<MailServer> {
  const port = await freePort();
  const host = '127.0.0.1';
  const server = prepareServer('dovecot', host, port, (folder) =>
    prepareDovecot(path, folder, { host, port }),
  );
  const url = new URL(`imap://bo:secret@${host}:${port}`);
  await server.start();
  return {
    url,
    ...server,
    async deliver(raw) {
      await using client = await connect(url);
      await client.append('INBOX', raw);
    },
  };
}

/** A certificate that only those trust who are told to, and its key. */
export function createCertificate(folder: string) {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.2';
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  const about = ['-subj', '/CN=mail.example', '-addext', names, '-keyout', key, '-out', cert];
  execFileSync('openssl', [...words, ...about], { stdio: 'ignore' });
  // A throw-away key, which the servers read as another user.
  chmodSync(key, 0o644);
  chmodSync(folder, 0o755);
  return { cert, key };
}

/** Dovecot at an address that counts as another machine; without encryption it lets nobody in. */
export async function startEncryptedDovecot(path: string, tls: ReturnType<typeof createCertificate>) {
  const [host, port, encryptedPort] = ['127.0.0.2', await freePort(), await freePort()];
  const place = { host, port, tls: { ...tls, port: encryptedPort } };
  const server = prepareServer('dovecot', host, port, (folder) => prepareDovecot(path, folder, place));
  await server.start();
  const at = `bo:secret@${host}`;
  return { ...server, startTls: `imap://${at}:${port}`, implicit: `imaps://${at}:${encryptedPort}` };
}

/** An SMTP server that keeps mail in a maildir. */
export async function startSmtp(path: string, words: string[]) {
  const [host, port] = ['127.0.0.2', await freePort()];
  const server = prepareServer('smtp', host, port, (folder) => {
    return [
      path,
      '-n',
      '-l',
      `${host}:${port}`,
      ...words,
      '-c',
      'aiosmtpd.handlers.Mailbox',
      join(folder, 'mail'),
    ];
  });
  await server.start();
  const received = () => {
    const folder = join(server.folder, 'mail', 'new');
    return existsSync(folder)
      ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
      : [];
  };
  return { ...server, at: `${host}:${port}`, received };
}

interface Place {
  folder: string;
  host: string;
  port: number;
  tls?: { cert: string; key: string; port: number };
  user: string;
  group: string;
}

function configure({ folder, host, port, user, group, tls }: Place): string {
  return `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
protocols = imap
listen = ${host}
${tls ? `ssl = required\nssl_cert = <${tls.cert}\nssl_key = <${tls.key}` : 'ssl = no'}
disable_plaintext_auth = no
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
mail_location = maildir:${folder}/mail/%u
mail_uid = ${user}
mail_gid = ${group}
first_valid_uid = 1
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${folder}/users
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    address = ${host}
    port = ${port}
  }
  inet_listener imaps {
    address = ${host}
    port = ${tls?.port ?? 0}
    ssl = yes
  }
}
service anvil {
  chroot =
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox Archive {
    auto = create
  }
}
`;
}
