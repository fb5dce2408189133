// The conformance suite for journals, as cases that any test runner can run. Each case uses keys and tenants of its own, so
// the cases can run on a shared database.
import { BUDGET_CASES } from './journal-budget-cases.js';
import { AUDIT_CASES } from './journal-audit-cases.js';
import { CALL_FACT_CASES } from './journal-call-fact-cases.js';
import { DUE_CASES } from './journal-due-cases.js';
import { JOURNAL_END_CASES } from './journal-end-cases.js';
import { FENCE_CASES } from './journal-fence-cases.js';
import { INBOX_CASES } from './journal-inbox-cases.js';
import { LARGE_CASES } from './journal-large-cases.js';
import { LEASE_CASES } from './journal-lease-cases.js';
import { OVERVIEW_CASES } from './journal-overview-cases.js';
import { WAITING_CASES } from './journal-waiting-cases.js';
import { QUESTION_CASES } from './journal-question-cases.js';
import { RECORD_CASES } from './journal-record-cases.js';
import { RETENTION_CASES } from './journal-retention-cases.js';
import { TENANT_CASES } from './journal-tenant-cases.js';
import { TURN_CASES } from './journal-turn-cases.js';
import { WITHDRAWAL_CASES } from './journal-withdrawal-cases.js';
import { JournalBench, type JournalUnderTest } from './journal-check.js';
import type { TestRunner } from '../session-store-conformance.js';

/** Makes a journal to test. It is called for each case. */
export type JournalFactory = () => JournalUnderTest | Promise<JournalUnderTest>;

/** One thing a journal must do. */
export interface JournalCase {
  readonly name: string;
  /** Resolves if the journal passes. Otherwise it rejects with an AssertionError. */
  readonly run: (createJournal: JournalFactory) => Promise<void>;
}

/** All cases, for a test runner other than vitest, jest or node:test. */
export function journalCases(): readonly JournalCase[] {
  const all = [
    INBOX_CASES,
    WITHDRAWAL_CASES,
    LEASE_CASES,
    DUE_CASES,
    TURN_CASES,
    JOURNAL_END_CASES,
    BUDGET_CASES,
    QUESTION_CASES,
    RECORD_CASES,
    CALL_FACT_CASES,
    LARGE_CASES,
    FENCE_CASES,
    TENANT_CASES,
    OVERVIEW_CASES,
    WAITING_CASES,
    AUDIT_CASES,
    RETENTION_CASES,
  ];
  return all.flat().map((check) => ({
    name: check.name,
    async run(createJournal) {
      const { journal, open, advance } = await createJournal();
      let other: typeof journal | undefined;
      try {
        other = (await open?.()) ?? journal;
        await check.run(new JournalBench(journal, other, advance));
      } finally {
        await other?.close();
        await journal.close();
      }
    },
  }));
}

/**
 * Declares a test for every case: `describeJournal('my journal', () => ({ journal: myJournal() }), { describe, it })`.
 * The transcripts of the journal are not tested here. Test them with `describeSessionStore`.
 */
export function describeJournal(
  name: string,
  createJournal: JournalFactory,
  { describe, it }: TestRunner,
): void {
  describe(name, () => {
    for (const each of journalCases()) it(each.name, () => each.run(createJournal));
  });
}
