// Turns rows of a ledger into entries and facts. Only what this package relies on is checked, because a newer version may have added fields.
import { isRecord } from '@inboard/core/util/guards.js';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import type { Row } from '../database.js';
import { TableReader } from '../table-reader.js';

const LEDGER = { owner: 'the ledger', advice: 'Look at that row.' };
const ENTRIES = new TableReader('entries', LEDGER);
const FACTS = new TableReader('facts', LEDGER);

/** The entry of a transcript in a row. */
export function readEntryRow(row: Row): SessionStoreEntry {
  return ENTRIES.shape(row, 'entry', 'an entry', isEntry);
}

/** What a row says of a call. A fact of a type that this version does not know is passed on, and skipped by its readers. */
export function readFactRow(row: Row): CallFact {
  return FACTS.shape(row, 'fact', 'a fact', isFactOfAnyType);
}

function isEntry(value: unknown): value is SessionStoreEntry {
  return isRecord(value) && typeof value['type'] === 'string';
}

function isFactOfAnyType(value: unknown): value is CallFact {
  return isEntry(value);
}
