// Where Debian's PostgreSQL and Redis are, and what to do where they are not.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** The folder with `initdb` and `postgres`, of the newest version; undefined where there is none. */
export function findPostgres() {
  const { INBOARD_PGBIN: given } = process.env;
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const folders = [
    ...(given ? [given] : []),
    ...versions
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(DEBIAN_FOLDER, version, 'bin')),
    ...listPath(),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** The program `redis-server`; undefined where there is none. */
export function findRedis() {
  return findProgram('redis-server');
}

/** The program `pgbouncer`; undefined where there is none. */
export function findPgbouncer() {
  return findProgram('pgbouncer');
}

/** A program of this name on the PATH; undefined where there is none. */
export function findProgram(name) {
  return listPath()
    .map((folder) => join(folder, name))
    .find((program) => existsSync(program));
}

/** What is missing and how to get it; undefined where all is there. */
export function describeMissingServers() {
  const missing = [
    ...(findPostgres() === undefined ? ['postgresql'] : []),
    ...(findRedis() === undefined ? ['redis-server'] : []),
  ];
  if (missing.length === 0) return undefined;
  return (
    `These tests need the Debian packages ${missing.join(' and ')}, which are not installed: ` +
    `apt-get install --no-install-recommends ${missing.join(' ')}. ` +
    'Elsewhere, put redis-server on the PATH and the folder of initdb into INBOARD_PGBIN. ' +
    'They are started on loopback by the tests, as an unprivileged user.'
  );
}

function listPath() {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}
