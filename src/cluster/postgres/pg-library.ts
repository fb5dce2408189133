// The library `pg`, and where it comes from: an optional peer, loaded when a journal is first used.
import type * as Library from 'pg';
import { ClusterError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';

/** What is used of `pg`. */
export type PgLibrary = Pick<typeof Library, 'Client' | 'Pool'>;

const INSTALL = 'npm install pg@^8.16.0';

/** The library; rejects with a ClusterError that has the install command. */
export async function loadPg(): Promise<PgLibrary> {
  try {
    const library = (await import('pg')) as PgLibrary & { default?: PgLibrary };
    return library.default ?? library;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isAbsent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    throw new ClusterError(
      'CLUSTER_LIBRARY_MISSING',
      isAbsent
        ? `The journal speaks to PostgreSQL through the library pg, which is not installed. Install it with "${INSTALL}".`
        : `The library pg could not be loaded: ${messageOf(cause)}. Install it again with "${INSTALL}".`,
      { cause },
    );
  }
}
