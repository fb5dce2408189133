// The two mail servers that the tests run on: the embedded one, and Dovecot where it is installed. Both can be restarted.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
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

export async function startEmbedded(): Promise<MailServer> {
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
    imap.listen(port, '127.0.0.1', () => {});
    await once(imap.server, 'listening');
  };
  const stop = async () => {
    imap.server.close();
    for (const socket of sockets) socket.destroy();
    await once(imap.server, 'close');
  };
  await start();
  const deliver = async (raw: string) => imap.appendMessage('INBOX', [], new Date(), raw);
  return { url: new URL(`imap://bo:secret@127.0.0.1:${port}`), deliver, start, stop, close: stop };
}

/** Undefined where Dovecot is not installed; then the tests say so. */
export function findDovecot(): string | undefined {
  const path = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot'].find((one) =>
    existsSync(one),
  );
  if (path === undefined && process.env['INBOARD_REQUIRE_DOVECOT'] === '1')
    throw new Error('INBOARD_REQUIRE_DOVECOT is set, and there is no dovecot: apt-get install dovecot-imapd');
  return path;
}

export async function startDovecot(path: string): Promise<MailServer> {
  const isRoot = process.getuid?.() === 0;
  const [user, group] = isRoot ? ['nobody', 'nogroup'] : [userInfo().username, String(process.getgid?.())];
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'));
  const port = await freePort();
  chmodSync(folder, 0o755);
  const file = join(folder, 'dovecot.conf');
  writeFileSync(file, configure({ folder, port, user, group }));
  writeFileSync(join(folder, 'users'), 'bo:{PLAIN}secret::::::\n');
  mkdirSync(join(folder, 'mail'));
  if (isRoot) execFileSync('chown', ['-R', `${user}:${group}`, folder]);
  const url = new URL(`imap://bo:secret@127.0.0.1:${port}`);
  let child: ChildProcess | undefined;
  const start = async () => {
    const words = isRoot
      ? ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', path]
      : [path];
    const [command, ...rest] = [...words, '-F', '-c', file];
    child = spawn(command, rest, { stdio: 'ignore', detached: true });
    for (let tries = 0; ; tries += 1) {
      try {
        return (await connect(url)).close();
      } catch (error) {
        const log = join(folder, 'dovecot.log');
        if (tries > 400)
          throw new Error(existsSync(log) ? readFileSync(log, 'utf8') : 'no log', { cause: error });
        await wait(50); // it cannot tell when it is ready
      }
    }
  };
  const stop = async () => {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // With its children, which would go on serving those who are connected.
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  await start();
  return {
    url,
    start,
    stop,
    async deliver(raw) {
      await using client = await connect(url);
      await client.append('INBOX', raw);
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

interface Place {
  folder: string;
  port: number;
  user: string;
  group: string;
}

function configure({ folder, port, user, group }: Place): string {
  return `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
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
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
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
