// Counts how often each share of the time occurred, and keeps the longest occurrence.
import type { Activity } from '@inboard/core/record/trace/timeline/activity.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';
import { labelOf } from './span-lanes.js';
import { timeOf } from './span-segments.js';
import { SHARE_KINDS } from '../share-words.js';
import type { ShareKey, Stretch, TimeSpan } from './time-span.js';

/** The longest occurrence of a share, and where it is. */
export interface Longest {
  ms: number;
  label: string;
  start: number;
  end: number;
  /** The number of its event; undefined for a stretch between events. */
  n: number | undefined;
}

/** A row of the table under the timeline. */
export interface TallyRow {
  share: ShareKey;
  /** The part of the session's time, with each moment counted once. */
  ms: number;
  /** The number of requests, questions, runs, calls or stretches. */
  count: number;
  longest: Longest | undefined;
}

const SHARE_OF: Readonly<Partial<Record<Activity['kind'], ShareKey>>> = {
  model: 'model',
  question: 'permission',
  handler: 'code',
  hook: 'code',
  server: 'code',
  command: 'cliTools',
};

/** Counts activities that have ended. */
export class ShareTally {
  readonly #counts = new Map<ShareKey, number>();
  readonly #longest = new Map<ShareKey, Longest>();
  #last: Stretch | undefined;

  add(activity: Activity, span: TimeSpan | undefined): void {
    const { kind, start, from } = activity;
    const label = labelOf(activity);
    const end = Math.max(start, activity.end ?? start);
    if (kind === 'call') {
      // Only the CLI's own time for the call counts, without the wait for a permission.
      const ms = span && activity.share === 'cliTools' ? timeOf(span, 'cliTools', end) : 0;
      if (ms > 0) this.#count('cliTools', { ms, label, start, end, n: from });
      return;
    }
    const share = SHARE_OF[kind];
    if (share) this.#count(share, { ms: end - start, label, start, end, n: from });
  }

  /** Takes a stretch. The caller gives the same object again each time it has grown. Counts only overhead and idle time. */
  addStretch(stretch: Stretch): void {
    const { share, start, end } = stretch;
    const isNew = this.#last !== stretch;
    this.#last = stretch;
    if (share !== 'overhead' && share !== 'idle') return;
    this.#count(share, { ms: end - start, label: '', start, end, n: undefined }, isNew ? 1 : 0);
  }

  rows(shares: TimeShares): TallyRow[] {
    return SHARE_KINDS.map(({ key: share }) => ({
      share,
      ms: shares[share],
      count: this.#counts.get(share) ?? 0,
      longest: this.#longest.get(share),
    }));
  }

  #count(share: ShareKey, one: Longest, more = 1): void {
    this.#counts.set(share, (this.#counts.get(share) ?? 0) + more);
    if (one.ms > (this.#longest.get(share)?.ms ?? 0)) this.#longest.set(share, one);
  }
}
