// The list of conversations in the fleet of a cluster: all that run or wait, and the newest of the others, up to a bound,
// because a journal may have millions. A conversation that is not listed is added when it changes.
import type { ConversationRecord, ConversationState } from '@inboard/cluster/journal/records.js';
import { mapConcurrently } from '@inboard/core/util/map-concurrently.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { summarizeConversation } from './conversation-summary.js';
import type { VisibleJournal } from './visible-journal.js';

/** How many conversations are listed. */
const MOST_LISTED = 1000;
/** The list is shortened when it has grown beyond its bound by this many. */
const SPARE = 200;
/** How many conversations are read at most to find the newest. */
const MOST_SCANNED = 20_000;
const PAGE = 1000;
/** How many conversations are read singly at the same time. */
export const READS_AT_ONCE = 4;

interface Line {
  record: ConversationRecord;
  summary: SessionSummary;
  /** The summary as JSON, to notice changes. */
  text: string;
}

/** The conversations that are shown. */
export class ConversationList {
  readonly #isReadOnly: boolean;
  #lines = new Map<string, Line>();
  /** The keys of conversations to read singly, because the lists by state may not contain them. */
  #stale = new Set<string>();
  #hasGone = false;
  #wasCut = false;

  constructor({ isReadOnly }: { isReadOnly: boolean }) {
    this.#isReadOnly = isReadOnly;
  }

  summaries(): SessionSummary[] {
    return Array.from(this.#lines.values(), summaryNow);
  }

  /** Reads all conversations and keeps the newest; gives whether the list has changed. */
  async scan(journal: VisibleJournal): Promise<boolean> {
    const found: ConversationRecord[] = [];
    let after: string | undefined;
    this.#wasCut = false;
    for (;;) {
      const page = await journal.conversations({ after, limit: PAGE });
      found.push(...page);
      after = page.at(-1)?.key;
      if (page.length < PAGE || after === undefined) break;
      if (found.length >= MOST_SCANNED) {
        this.#wasCut = true;
        break;
      }
    }
    const before = this.#lines;
    const newest = found.toSorted(compareUse).slice(0, MOST_LISTED);
    this.#lines = new Map(newest.map((record) => [record.key, this.#lineOf(record)]));
    const lines = [...this.#lines];
    return before.size !== lines.length || lines.some(([key, { text }]) => before.get(key)?.text !== text);
  }

  /** Reads the conversations in a state; gives the summaries that changed. */
  async readState(journal: VisibleJournal, state: ConversationState): Promise<SessionSummary[]> {
    const found = await journal.conversations({ state, limit: MOST_LISTED });
    const keys = new Set(found.map(({ key }) => key));
    for (const [key, { record }] of this.#lines)
      if (record.state === state && !keys.has(key)) this.#stale.add(key);
    return found.flatMap((record) => {
      this.#stale.delete(record.key);
      return this.take(record.key, record) ?? [];
    });
  }

  /** Marks listed conversations as changed. `readStale` reads them, unless `readState` reads them first. */
  markChanged(keys: Iterable<string>): void {
    for (const key of keys) if (this.#lines.has(key)) this.#stale.add(key);
  }

  /** Reads the conversations that were marked; gives the summaries that changed. */
  async readStale(journal: VisibleJournal): Promise<SessionSummary[]> {
    const stale = [...this.#stale];
    this.#stale.clear();
    const read = await mapConcurrently(stale, READS_AT_ONCE, async (key) =>
      this.take(key, await journal.conversation(key)),
    );
    return read.flatMap((summary) => summary ?? []);
  }

  /** Takes the present record of a conversation; gives its summary if that changed. */
  take(key: string, record: ConversationRecord | undefined): SessionSummary | undefined {
    const known = this.#lines.get(key);
    if (!record) {
      if (this.#lines.delete(key)) this.#hasGone = true;
      return undefined;
    }
    const line = this.#lineOf(record);
    this.#lines.set(key, line);
    if (this.#lines.size > MOST_LISTED + SPARE) this.#shorten();
    return known?.text === line.text ? undefined : summaryNow(line);
  }

  /** Whether conversations were removed since the last call. */
  takeGone(): boolean {
    const hasGone = this.#hasGone;
    this.#hasGone = false;
    return hasGone;
  }

  /** Why not all conversations are listed; undefined if they are. */
  explainLeftOut(total: number): string | undefined {
    const { size } = this.#lines;
    if (total <= size) return undefined;
    const among = this.#wasCut ? ` (of the first ${MOST_SCANNED} by key)` : '';
    return `${size} of ${total} conversations are listed: those that run or wait, and the newest of the others${among}.`;
  }

  #shorten(): void {
    const kept = [...this.#lines].toSorted(([, one], [, other]) => compareUse(one.record, other.record));
    this.#lines = new Map(kept.slice(0, MOST_LISTED));
    this.#hasGone = true;
  }

  #lineOf(record: ConversationRecord): Line {
    const summary = summarizeConversation(record, { isReadOnly: this.#isReadOnly });
    return { record, summary, text: JSON.stringify(summary) };
  }
}

/** The summary with the present time of a conversation whose time goes on, which is no change of the conversation. */
function summaryNow({ record, summary }: Line): SessionSummary {
  const { current, durationMs } = summary;
  return current === 'idle'
    ? summary
    : { ...summary, now: Math.max(durationMs, Date.now() - record.createdAt) };
}

const isActive = ({ state, questions }: ConversationRecord): boolean =>
  questions > 0 || state === 'running' || state === 'parked' || state === 'queued';

/** Sorts conversations that run or wait first, then by the last change. */
function compareUse(one: ConversationRecord, other: ConversationRecord): number {
  return Number(isActive(other)) - Number(isActive(one)) || other.updatedAt - one.updatedAt;
}
