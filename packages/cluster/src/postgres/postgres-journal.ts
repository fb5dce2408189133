// The journal in PostgreSQL. Most methods are one statement, often a call of a function in the database (`schema/`). Writes of
// one lease that come together share a statement (`fenced-writes.ts`). The files here check arguments and turn rows into
// records.
import { refuseFurtherArguments } from '@inboard/core/util/options-object.js';
import { withCheckedFilters } from '../journal/check-filters.js';
import type { Journal } from '../journal/journal.js';
import { auditMethods } from './audit.js';
import { overviewMethods } from './overview.js';
import { ChangeFeed } from './change-feed.js';
import { Database } from './database.js';
import { FencedWrites } from './fenced-writes.js';
import { readConversationHistory } from './history.js';
import { JOURNAL_CALL, readJournalSettings, type PostgresJournalOptions } from './journal-options.js';
import { leaseMethods } from './leases.js';
import { retentionMethods } from './retention.js';
import { questionMethods } from './questions.js';
import { reservationMethods } from './reservations.js';
import { prepareDatabase } from './schema/migrate.js';
import { createTranscripts } from './transcripts.js';
import { turnMethods } from './turns.js';

/** A journal in PostgreSQL, given by its address or by options. Needs the package `pg`. Does not connect until it is used. */
export function postgresJournal(input?: string | PostgresJournalOptions): Journal;
export function postgresJournal(
  input?: string | PostgresJournalOptions,
  ...others: readonly unknown[]
): Journal {
  refuseFurtherArguments(others, JOURNAL_CALL);
  const database = new Database(readJournalSettings(input), prepareDatabase);
  const feed = new ChangeFeed(database);
  const writes = new FencedWrites(database);
  return withCheckedFilters({
    tellsEnded: true,
    open: () => database.open(),
    ...turnMethods(database),
    ...leaseMethods(database),
    ...reservationMethods(database),
    ...questionMethods(database, writes),
    ...overviewMethods(database),
    ...auditMethods(database),
    ...retentionMethods(database),
    listen: (onChange) => feed.listen(onChange),
    history: (key) => readConversationHistory(database, key),
    store: (fence) => createTranscripts({ database, writes, fence }),
    async close() {
      feed.close();
      await database.close();
    },
  });
}
