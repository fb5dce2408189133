// Whether the turn in a cluster can be measured here: it needs a PostgreSQL to start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPostgres } from '../../scripts/support/services/find-servers.mjs';
import { findInboard, root } from './sdks.mjs';

const PROGRAM = join('bench', 'cluster', 'warm-turn.mjs');

/** Why it cannot; undefined where it can. */
export function findClusterObstacle() {
  if (!existsSync(join(root, PROGRAM))) return `${PROGRAM} is missing.`;
  if (findPostgres() === undefined)
    return 'PostgreSQL is not installed: install it (Debian: postgresql), or put the folder of its initdb into INBOARD_PGBIN.';
  return findInboard().missing;
}
