// Remembers the failures of the journal that this process has met, for as long as they say something about now. Reading alone does
// not tell: a database whose disk is full, or that became a read-only standby, still answers questions.
import { InboardError } from '@inboard/core/errors.js';
import { clock } from '@inboard/core/util/system/clock.js';

/** The checks of a cluster that are about its journal. */
export type JournalCheckName = 'journal' | 'journal_disk' | 'tables';

interface Fault {
  at: number;
  code: string;
  /** It stays until this process ends: code that is too old for the tables does not become newer. */
  isLasting: boolean;
}

/**
 * Milliseconds for which a failure counts. A process that sends only when it is asked to must be asked again after a while, or it
 * would never find out that the journal is back. It is three times the pause between two reports of a worker.
 */
const HOLD_MS = 15_000;

const DISK_FULL = '53100';
const FULL = 'DISK_FULL';
// The server refuses all writes: it is read-only, has no resources, is ending, or cannot be reached. A statement that was cancelled
// or did not get a lock says something about one row only.
const ALL_WRITES = /^(?:25006|53...|57P..|08...)$/;

/** The failures of one journal. */
export class JournalProbe {
  readonly #faults = new Map<JournalCheckName, Fault>();

  /** Notes a failure. `isGeneral`: it happened to a request that concerns no single conversation. */
  failed(error: unknown, isGeneral: boolean): void {
    const found = classify(error, isGeneral);
    if (!found) return;
    const before = this.#faults.get(found.check);
    if (before?.isLasting) return;
    const { check, code, isLasting } = found;
    this.#faults.set(check, { at: clock.performance.now(), code, isLasting });
  }

  /**
   * Notes that the journal took a write. This says nothing about a full disk: a small write fits where a large one does not.
   */
  wrote(): void {
    this.#faults.delete('journal');
  }

  /** The checks that fail now, with their codes. */
  faults(): Partial<Record<JournalCheckName, string>> {
    const now = clock.performance.now();
    const held = [...this.#faults].filter(([, { at, isLasting }]) => isLasting || now - at < HOLD_MS);
    return Object.fromEntries(held.map(([check, { code }]) => [check, code]));
  }
}

/** What a failure of a request to the journal says about the journal. Undefined if it says nothing. */
export function classify(
  error: unknown,
  isGeneral: boolean,
): { check: JournalCheckName; code: string; isLasting: boolean } | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  // The error about missing tables has a cause: such tables may come back.
  if (code === 'JOURNAL_VERSION')
    return { check: 'tables', code: 'JOURNAL_VERSION', isLasting: cause === undefined };
  // A journal of the program's own may reject with any error.
  if (error instanceof InboardError && code !== 'JOURNAL_UNAVAILABLE') return undefined;
  const state = readState(cause) ?? readState(error);
  if (state === DISK_FULL) return { check: 'journal_disk', code: FULL, isLasting: false };
  const isAway = state === undefined ? isGeneral : ALL_WRITES.test(state);
  return isAway ? { check: 'journal', code: 'JOURNAL_UNAVAILABLE', isLasting: false } : undefined;
}

/** The SQLSTATE of an error of PostgreSQL. */
function readState(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[\dA-Z]{5}$/.test(code) ? code : undefined;
}
