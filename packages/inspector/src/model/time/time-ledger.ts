// Collects what took time in a session while its events come: bars in lanes, and the share that each moment counts for. A
// view reads the part that it shows.
import type { Activity, ShareName } from '@inboard/core/record/trace/timeline/activity.js';
import { shareKeyOf, ShareClock, type TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';
import type { InspectorEvent, NumberedEvent } from '../../stream/inspector-event.js';
import { useFacts, type KnownFacts } from '../facts/known-facts.js';
import { ShareTally, type TallyRow } from './share-tally.js';
import { SpanLanes } from './span-lanes.js';
import type { SpanGroup, Stretch } from './time-span.js';

/** A marked moment, such as a prompt. */
export interface TimeMark {
  t: number;
  n: number;
}

/** The time of one session. */
export class TimeLedger {
  readonly #lanes = new SpanLanes();
  readonly #tally = new ShareTally();
  readonly #stretches: Stretch[] = [];
  readonly #turns: TimeMark[] = [];
  readonly #open = new Set<Activity>();
  readonly #clock: ShareClock;
  readonly #facts: KnownFacts;
  readonly #pushFacts: (event: InspectorEvent) => void;
  #isOver = false;

  /** With `facts`, the caller gives each event to them first. */
  constructor(given?: KnownFacts) {
    const { facts, push } = useFacts(given);
    this.#facts = facts;
    this.#pushFacts = push;
    this.#clock = new ShareClock(
      {
        begin: (activity) => this.#begin(activity),
        end: (activity) => this.#end(activity),
        stretch: (share, start, end) => this.#addStretch(share, start, end),
      },
      facts.calls,
    );
  }

  push({ n, event }: NumberedEvent): void {
    this.#pushFacts(event);
    this.#clock.push(event, n);
    this.#isOver = (event.type === 'end' || event.type === 'over') && this.#open.size === 0;
    const { calls, turns } = this.#facts;
    if (turns.hasBegun) this.#turns.push({ t: this.durationMs, n });
    for (const id of calls.changed) if (calls.fateOf(id) === 'denied') this.#tally.remove(id);
  }

  /** The main conversation first, then subagents in the order in which they began. */
  get groups(): readonly SpanGroup[] {
    return this.#lanes.groups;
  }

  /** The share of each moment, without gaps, up to the last event. */
  get stretches(): readonly Stretch[] {
    return this.#stretches;
  }

  /** When turns began. */
  get turns(): readonly TimeMark[] {
    return this.#turns;
  }

  /** The time of the last event. */
  get durationMs(): number {
    return this.#clock.durationMs;
  }

  /** The share that the present moment counts for. */
  get current(): Stretch['share'] {
    return this.#clock.currentKey;
  }

  /** Whether the last event ended the session or its CLI, and nothing waits without one. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The shares up to the last event, or to a later moment. */
  shares(at?: number): TimeShares {
    return this.#clock.read(at);
  }

  /** The time, count and longest occurrence of each share, with what lasts up to the last event or a later moment. */
  tally(at = this.durationMs): TallyRow[] {
    const open = Array.from(this.#open, (activity) => ({ activity, span: this.#lanes.spanOf(activity) }));
    return this.#tally.rows(this.shares(at), at, open);
  }

  #begin(activity: Activity): void {
    this.#lanes.begin(activity);
    this.#open.add(activity);
    this.#tally.begin(activity, () => this.shares());
  }

  #end(activity: Activity): void {
    this.#open.delete(activity);
    const span = this.#lanes.end(activity);
    this.#tally.add(activity, span, this.shares());
  }

  #addStretch(name: ShareName, start: number, end: number): void {
    const share = shareKeyOf(name);
    const last = this.#stretches.at(-1);
    const stretch = last?.share === share ? last : { share, start, end };
    if (stretch === last) stretch.end = end;
    else this.#stretches.push(stretch);
    this.#tally.addStretch(stretch);
  }
}
