// Summaries of sessions for tests: with what a test does not care about filled in.
import { SummaryLedger } from '../../src/model/summary-ledger.js';
import type { SessionSummary } from '../../src/model/session-summary.js';

/** A summary with the given fields. */
export function makeSummary(id: string, fields: Partial<SessionSummary> = {}): SessionSummary {
  return { ...structuredClone(new SummaryLedger(id).read()), ...fields };
}
