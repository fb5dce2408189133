// Loads the library `pg`, an optional peer, when a journal is first used.
import type * as Library from 'pg';
import { ClusterError, PartLoadError } from '@inboard/core/errors.js';
import { loadPackage } from '@inboard/core/util/load-part.js';
import { messageOf } from '@inboard/core/util/message-of.js';

/** The parts of `pg` that this package uses. */
export type PgLibrary = Pick<typeof Library, 'Client' | 'Pool'>;

const INSTALL = 'npm install pg@^8.16.0';
/** How many file descriptors must be free to load `pg`: twice the measured need. */
const ROOM = 4;

/** Loads the library. Rejects with a ClusterError that has the install command, or with a PartLoadError. */
export async function loadPg(): Promise<PgLibrary> {
  try {
    const library: PgLibrary & { default?: PgLibrary } = await loadPackage(
      { name: 'pg', room: ROOM },
      () => import('pg'),
    );
    return library.default ?? library;
  } catch (cause) {
    if (cause instanceof PartLoadError) throw cause;
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
