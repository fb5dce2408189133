// Puts activities into groups and lanes while they come. Activities that overlap are in different lanes.
import type { Activity } from '@inboard/core/record/trace/timeline/activity.js';
import { splitToolName } from '../story/tool-name.js';
import { findFirst } from './lane-search.js';
import type { SpanGroup, TimeSpan } from './time-span.js';

/** The activities that become bars, with the kinds of the bars. Parts of calls become bars only if their call is unknown. */
const KINDS: Readonly<Partial<Record<Activity['kind'], TimeSpan['kind']>>> = {
  start: 'start',
  ending: 'ending',
  model: 'model',
  call: 'call',
  question: 'question',
  handler: 'code',
  hook: 'code',
  server: 'code',
  command: 'command',
  compaction: 'compaction',
  retry: 'retry',
};
const IN_MODEL_LANE = new Set<Activity['kind']>(['start', 'model']);
const LANES_TRIED = 8;
const PARTS = new Set<Activity['kind']>(['question', 'handler', 'hook']);

/** The bars of a session, in groups and lanes. */
export class SpanLanes {
  readonly #main: SpanGroup = { key: null, name: 'Main conversation', start: 0, model: [], lanes: [] };
  readonly #groups: SpanGroup[] = [this.#main];
  readonly #byKey = new Map<string | null, SpanGroup>([[null, this.#main]]);
  /** The lanes whose last span has ended, by group, lowest first. */
  readonly #free = new Map<SpanGroup, number[]>();
  readonly #places = new Map<Activity, { span: TimeSpan; group: SpanGroup; lane: number | undefined }>();
  readonly #calls = new Map<string, TimeSpan>();
  /** Parts of calls whose message has not come yet. The CLI may ask a hook before it sends the message. */
  readonly #early = new Map<string, Activity[]>();

  get groups(): readonly SpanGroup[] {
    return this.#groups;
  }

  begin(activity: Activity): void {
    const { kind, toolUseId } = activity;
    if (kind === 'agent') this.#openGroup(toolUseId ?? '', activity.name, activity.start);
    if (PARTS.has(kind) && toolUseId !== undefined) {
      const call = this.#calls.get(toolUseId);
      if (call) call.parts.push(activity);
      else this.#early.set(toolUseId, [...(this.#early.get(toolUseId) ?? []), activity]);
      return;
    }
    const spanKind = KINDS[kind];
    if (spanKind) this.#place(activity, spanKind);
  }

  /** Ends an activity; returns its bar, or undefined if it has no bar of its own. */
  end(activity: Activity): TimeSpan | undefined {
    const { toolUseId } = activity;
    if (PARTS.has(activity.kind) && toolUseId !== undefined && !this.#calls.has(toolUseId)) {
      // The call did not appear before its part ended, so the part becomes a bar.
      this.#early.delete(toolUseId);
      this.#place(activity, KINDS[activity.kind] ?? 'code');
    }
    const place = this.#places.get(activity);
    if (!place) return undefined;
    this.#places.delete(activity);
    if (place.lane !== undefined) this.#release(place.group, place.lane);
    return place.span;
  }

  /** The bar of an activity that lasts; undefined if it has none of its own. */
  spanOf(activity: Activity): TimeSpan | undefined {
    return this.#places.get(activity)?.span;
  }

  /** The bar of a call. */
  callSpan(toolUseId: string): TimeSpan | undefined {
    return this.#calls.get(toolUseId);
  }

  #place(activity: Activity, kind: TimeSpan['kind']): void {
    const group = this.#groupOf(activity.parent);
    const parts = (kind === 'call' && this.#early.get(activity.toolUseId ?? '')) || [];
    const start = parts.reduce((first, part) => Math.min(first, part.start), activity.start);
    const span: TimeSpan = { kind, label: labelOf(activity), start, activity, parts, n: activity.from };
    if (kind === 'call' && activity.toolUseId !== undefined) {
      this.#calls.set(activity.toolUseId, span);
      this.#early.delete(activity.toolUseId);
    }
    if (IN_MODEL_LANE.has(activity.kind)) {
      group.model.push(span);
      this.#places.set(activity, { span, group, lane: undefined });
      return;
    }
    const lane = this.#takeLane(group, start);
    group.lanes[lane]?.push(span);
    this.#places.set(activity, { span, group, lane });
  }

  #takeLane(group: SpanGroup, start: number): number {
    const free = this.#free.get(group) ?? [];
    // A span may have begun before its event, and would then overlap the last span of a lane. Only a few lanes are tried,
    // because there may be hundreds.
    const index = free
      .slice(0, LANES_TRIED)
      .findIndex((lane) => (group.lanes[lane]?.at(-1)?.activity.end ?? Infinity) <= start);
    if (index < 0) return group.lanes.push([]) - 1;
    return free.splice(index, 1)[0] ?? 0;
  }

  #release(group: SpanGroup, lane: number): void {
    const free = this.#free.get(group) ?? [];
    free.splice(findFirst(free, lane, Number), 0, lane);
    this.#free.set(group, free);
  }

  #groupOf(parent: string | null): SpanGroup {
    return this.#byKey.get(parent) ?? this.#openGroup(parent ?? '', 'subagent', 0);
  }

  #openGroup(key: string, name: string, start: number): SpanGroup {
    const present = this.#byKey.get(key);
    if (present) return present;
    const group: SpanGroup = { key, name, start, model: [], lanes: [] };
    this.#groups.push(group);
    this.#byKey.set(key, group);
    return group;
  }
}

const LABELS: Readonly<Partial<Record<Activity['kind'], string>>> = {
  start: 'CLI start',
  ending: 'CLI end',
  model: 'Model',
  compaction: 'Compaction',
};

/** The label of an activity. Tools are named without their server: `count` for `mcp__shop__count`. */
export function labelOf({ kind, name }: Activity): string {
  return LABELS[kind] ?? splitToolName(name).name;
}
