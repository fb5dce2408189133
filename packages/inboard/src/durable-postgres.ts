// The entry point `inboard/durable/postgres`: a ledger in PostgreSQL. Experimental: it may change in a minor release.
export {
  createPostgresLedger,
  type PostgresLedger,
  type PostgresLedgerOptions,
} from '@inboard/cluster/postgres/ledger/postgres-ledger.js';
