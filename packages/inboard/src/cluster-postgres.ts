// The entry point `inboard/cluster/postgres`: the journal of a cluster in PostgreSQL.
export { ClusterError } from '@inboard/core/errors.js';
export { holdFence } from '@inboard/cluster/postgres/hold-fence.js';
export type { PostgresJournalOptions } from '@inboard/cluster/postgres/journal-options.js';
export { postgresJournal } from '@inboard/cluster/postgres/postgres-journal.js';
export { grantSql, migrationSql } from '@inboard/cluster/postgres/schema/print-sql.js';
