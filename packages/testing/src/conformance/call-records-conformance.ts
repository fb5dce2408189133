// The conformance suite for call records, as cases that any test runner can run.
import { CLAIM_CASES, FACT_CASES } from './call-records-cases.js';
import { CallRecordsBench, type CallRecordsUnderTest } from './call-records-check.js';
import type { TestRunner } from './session-store-conformance.js';

/** Makes the records of a session that nothing else uses. It is called twice for each case. */
export type CallRecordsFactory = () => CallRecordsUnderTest | Promise<CallRecordsUnderTest>;

/** One thing that call records must do. */
export interface CallRecordsCase {
  readonly name: string;
  /** Resolves if the records pass. Otherwise it rejects with an AssertionError. */
  readonly run: (createRecords: CallRecordsFactory) => Promise<void>;
}

/** All cases, for a test runner other than vitest, jest or node:test. */
export function callRecordsCases(): readonly CallRecordsCase[] {
  return [...FACT_CASES, ...CLAIM_CASES].map((check) => ({
    name: check.name,
    async run(createRecords) {
      const own = await createRecords();
      let stranger: CallRecordsUnderTest | undefined;
      try {
        stranger = await createRecords();
        const other = (await own.open?.()) ?? own.records;
        await check.run(new CallRecordsBench(own, other, stranger.records));
      } finally {
        await stranger?.close?.();
        await own.close?.();
      }
    },
  }));
}

/** Declares a test for every case: `describeCallRecords('my records', () => ({ records: myRecords() }), { describe, it })`. */
export function describeCallRecords(
  name: string,
  createRecords: CallRecordsFactory,
  { describe, it }: TestRunner,
): void {
  describe(name, () => {
    for (const each of callRecordsCases()) it(each.name, () => each.run(createRecords));
  });
}
