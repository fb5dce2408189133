// Runs a command with a PostgreSQL of its own: `node scripts/with-postgres.mjs npm start`. Uses Debian's package (or any that has
// initdb and pg_ctl), keeps the data in data/postgres, listens on loopback only, and ends the server with the command.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = findPrograms();
if (!bin) {
  console.error('There is no PostgreSQL here. On Debian: apt-get install postgresql');
  process.exit(1);
}
// The server refuses to run as root, and nobody else may look into root's folders.
const isRoot = process.getuid?.() === 0;
const usual = isRoot
  ? join(tmpdir(), 'support-desk-postgres')
  : join(import.meta.dirname, '..', 'data', 'postgres');
const folder = process.env.PGDATA_DIR ?? usual;
const wrap = isRoot ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups'] : [];
const database = join(folder, 'db');
const port = await findPort();

mkdirSync(folder, { recursive: true });
if (isRoot) {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'])));
  chownSync(folder, uid, gid);
}
if (!existsSync(database))
  run('initdb', '-D', database, '-U', 'desk', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8');
const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
run('pg_ctl', '-D', database, '-w', '-s', '-l', join(folder, 'log'), '-o', settings, 'start');
const [command = 'npm', ...words] = process.argv.slice(2);
const child = spawn(command, words.length > 0 ? words : ['start'], {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: `postgres://desk@127.0.0.1:${port}/postgres` },
});
// The command has the terminal: Ctrl-C reaches it as well, and this waits for it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  run('pg_ctl', '-D', database, '-m', 'fast', '-s', 'stop');
  process.exitCode = code ?? 1;
});

function run(program, ...words) {
  const [first, ...rest] = [...wrap, join(bin, program), ...words];
  execFileSync(first, rest, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, HOME: folder },
  });
}

function findPrograms() {
  const places = ['/usr/lib/postgresql', '/usr/local', '/opt/homebrew', '/usr'].flatMap((place) =>
    place.endsWith('postgresql') && existsSync(place)
      ? readdirSync(place)
          .toSorted()
          .toReversed()
          .map((version) => join(place, version, 'bin'))
      : [join(place, 'bin')],
  );
  return places.find((place) => existsSync(join(place, 'initdb')));
}

function findPort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });
}
