// The conformance suite for ledgers, as cases that any test runner can run.
import type { TestRunner } from '../session-store-conformance.js';
import { CONTENT_CASES, TAKING_CASES } from './ledger-cases.js';
import { LedgerBench, type LedgerUnderTest } from './ledger-check.js';
import { RACE_CASES, STOPPED_CASES } from './ledger-race-cases.js';

/** Makes a ledger, or opens one that other cases use as well. It is called once for each case. */
export type LedgerFactory = () => LedgerUnderTest | Promise<LedgerUnderTest>;

/** One thing that a ledger must do. */
export interface LedgerCase {
  readonly name: string;
  /** Resolves if the ledger passes. Otherwise it rejects with an AssertionError. */
  readonly run: (createLedger: LedgerFactory) => Promise<void>;
}

/** Which cases are run. */
export interface DescribeLedgerOptions {
  /**
   * Whether a process is stopped in the middle of its writes. For that, the factory returns a `program`. Default true. Set it to
   * false for a ledger that lives in one process.
   */
  stopsProcess?: boolean | undefined;
}

/** All cases, for a test runner other than vitest, jest or node:test. */
export function ledgerCases({ stopsProcess = true }: DescribeLedgerOptions = {}): readonly LedgerCase[] {
  // Windows has no signal that stops a process.
  const stopped = stopsProcess && process.platform !== 'win32' ? STOPPED_CASES : [];
  return [...TAKING_CASES, ...CONTENT_CASES, ...RACE_CASES, ...stopped].map((check) => ({
    name: check.name,
    async run(createLedger) {
      const own = await createLedger();
      try {
        await check.run(new LedgerBench(own, (await own.open?.()) ?? own.ledger));
      } finally {
        await own.close?.();
      }
    },
  }));
}

/** Declares a test for every case: `describeLedger('my ledger', () => ({ ledger: myLedger(), program }), { describe, it })`. */
export function describeLedger(
  name: string,
  createLedger: LedgerFactory,
  { describe, it }: TestRunner,
  options: DescribeLedgerOptions = {},
): void {
  describe(name, () => {
    for (const each of ledgerCases(options)) it(each.name, () => each.run(createLedger));
  });
}
