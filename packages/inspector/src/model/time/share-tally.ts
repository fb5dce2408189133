// Counts how often each share of the time occurred, and keeps the longest occurrence.
import type { Activity } from '@inboard/core/record/trace/timeline/activity.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';
import { labelOf } from './span-lanes.js';
import { timeOf } from './span-segments.js';
import { SHARE_KINDS } from '../share-words.js';
import type { ShareKey, Stretch, TimeSpan } from './time-span.js';

/** The longest occurrence of a share, and where it is. */
export interface Longest {
  /** What counts for the share, so never more than the share has. */
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
  call: 'cliTools',
  model: 'model',
  question: 'permission',
  handler: 'code',
  hook: 'code',
  server: 'code',
  command: 'cliTools',
};

/** An activity that has not ended, with its bar if it has one. */
export interface OpenOccurrence {
  activity: Activity;
  span: TimeSpan | undefined;
}

/** Counts activities: those that have ended once, those that last anew each time the rows are read. */
export class ShareTally {
  readonly #counts = new Map<ShareKey, number>();
  readonly #longest = new Map<ShareKey, Longest>();
  /** The calls of tools of the CLI, by id. A call may turn out later not to have run. */
  readonly #calls = new Map<string, Longest>();
  /** What its share had when an activity began. */
  readonly #before = new WeakMap<Activity, number>();
  #last: Stretch | undefined;

  /** Is told of an activity that begins. `shares` reads the shares up to then. */
  begin(activity: Activity, shares: () => TimeShares): void {
    const share = SHARE_OF[activity.kind];
    if (share) this.#before.set(activity, shares()[share]);
  }

  /** Takes an activity that has ended, with the shares up to then. */
  add(activity: Activity, span: TimeSpan | undefined, shares: TimeShares): void {
    const { kind, start, toolUseId } = activity;
    const found = this.#measure(activity, span, Math.max(start, activity.end ?? start), shares);
    if (!found) return;
    if (kind === 'call' && toolUseId !== undefined) this.#calls.set(toolUseId, found.one);
    else this.#count(found.share, found.one);
  }

  /** Takes a call out again, because it was denied and so did not run. */
  remove(toolUseId: string): void {
    this.#calls.delete(toolUseId);
  }

  /** Takes a stretch. The caller gives the same object again each time it has grown. Counts only overhead and idle time. */
  addStretch(stretch: Stretch): void {
    const { share, start, end } = stretch;
    const isNew = this.#last !== stretch;
    this.#last = stretch;
    if (share !== 'overhead' && share !== 'idle') return;
    this.#count(
      share,
      { ms: inMicroseconds(end - start), label: '', start, end, n: undefined },
      isNew ? 1 : 0,
    );
  }

  /** The rows at a moment, with the activities that last. */
  rows(shares: TimeShares, at: number, open: readonly OpenOccurrence[]): TallyRow[] {
    const lasting = open.flatMap(({ activity, span }) => this.#measure(activity, span, at, shares) ?? []);
    for (const one of this.#calls.values()) lasting.push({ share: 'cliTools', one });
    return SHARE_KINDS.map(({ key: share }) => {
      const more = lasting.filter((found) => found.share === share);
      const longest = more.reduce<Longest | undefined>(
        (best, { one }) => (one.ms > (best?.ms ?? 0) ? one : best),
        this.#longest.get(share),
      );
      return { share, ms: shares[share], count: (this.#counts.get(share) ?? 0) + more.length, longest };
    });
  }

  #count(share: ShareKey, one: Longest, more = 1): void {
    this.#counts.set(share, (this.#counts.get(share) ?? 0) + more);
    if (one.ms > (this.#longest.get(share)?.ms ?? 0)) this.#longest.set(share, one);
  }

  /** What an activity counts as until `end`, when its share has `shares`; undefined if it does not count by itself. */
  #measure(
    activity: Activity,
    span: TimeSpan | undefined,
    end: number,
    shares: TimeShares,
  ): { share: ShareKey; one: Longest } | undefined {
    const { kind, start, from, isDenied } = activity;
    const share = SHARE_OF[kind];
    if (!share) return undefined;
    let ms = inMicroseconds(shares[share] - (this.#before.get(activity) ?? shares[share]));
    if (kind === 'call') {
      // Only the CLI's own time for the call counts, without the wait for a permission. A denied call did not run.
      const own = span && !isDenied && activity.share === share ? timeOf(span, share, end) : 0;
      if (own <= 0) return undefined;
      ms = Math.min(ms, own);
    }
    return { share, one: { ms, label: labelOf(activity), start, end: Math.max(start, end), n: from } };
  }
}

/** A difference of two times in milliseconds. Times are whole microseconds, but their differences are not exact. */
function inMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
