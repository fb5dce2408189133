// `inboard/cluster/postgres`: the journal of a cluster in PostgreSQL.
export { ClusterError } from '../errors.js';
export { holdFence } from '../cluster/postgres/hold-fence.js';
export type { PostgresJournalOptions } from '../cluster/postgres/journal-options.js';
export { postgresJournal } from '../cluster/postgres/postgres-journal.js';
export { grantSql, migrationSql } from '../cluster/postgres/schema/print-sql.js';
