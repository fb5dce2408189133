// Keeps the activities that are under way, by key. It also counts them for each share, so that the share of a moment is
// found without a search.
import {
  createShares,
  SHARE_ORDER,
  type Activity,
  type ActivityKind,
  type ActivityListener,
  type ShareName,
} from './activity.js';

/** The facts of an activity that begins. */
export interface Beginning {
  kind: ActivityKind;
  name: string;
  share?: ShareName | undefined;
  parent?: string | null;
  toolUseId?: string | undefined;
  /** The start, if it was before the event that shows the activity. */
  start?: number;
}

/** The activities that have begun and not ended. */
export class OpenActivities {
  readonly #open = new Map<string, Activity>();
  readonly #counts = createShares();
  readonly #listener: ActivityListener | undefined;
  /** The time and the number of the current event. */
  t = 0;
  n = 0;

  constructor(listener: ActivityListener | undefined) {
    this.#listener = listener;
  }

  /** The share that this moment counts for. */
  get share(): ShareName {
    for (const name of SHARE_ORDER) if (this.#counts[name] > 0) return name;
    return 'idle';
  }

  get(key: string): Activity | undefined {
    return this.#open.get(key);
  }

  /** The key of the first activity that fits. */
  find(fits: (activity: Activity, key: string) => boolean): string | undefined {
    for (const [key, activity] of this.#open) if (fits(activity, key)) return key;
    return undefined;
  }

  /** The keys of all activities of a kind. */
  keysOf(kind: ActivityKind): string[] {
    return [...this.#open].flatMap(([key, activity]) => (activity.kind === kind ? [key] : []));
  }

  /** Gives an activity that is under way another key. */
  rename(key: string, to: string): void {
    const activity = this.#open.get(key);
    if (!activity) return;
    this.#open.delete(key);
    this.#open.set(to, activity);
  }

  /** Begins an activity. If one with this key is under way already, that one goes on and is returned. */
  begin(key: string, { kind, name, share, parent = null, toolUseId, start = this.t }: Beginning): Activity {
    const present = this.#open.get(key);
    if (present) return present;
    const activity: Activity = {
      kind,
      name,
      start: Math.max(0, start),
      end: undefined,
      from: this.n,
      to: undefined,
      parent,
      toolUseId,
      isError: false,
      isDenied: false,
      isCut: false,
      share,
      phases: undefined,
    };
    this.#open.set(key, activity);
    if (share) this.#counts[share] += 1;
    this.#listener?.begin(activity);
    return activity;
  }

  /** Ends an activity, if it is under way. */
  end(key: string, { isError = false, isDenied = false, isCut = false, end = this.t } = {}): void {
    const activity = this.#open.get(key);
    if (!activity) return;
    this.#open.delete(key);
    if (activity.share) this.#counts[activity.share] -= 1;
    activity.end = end;
    activity.to = this.n;
    activity.isError = isError;
    activity.isDenied ||= isDenied;
    activity.isCut = isCut;
    this.#listener?.end(activity);
  }

  /** Ends the matching activities and marks them as cut off. */
  cut(fits: (activity: Activity, key: string) => boolean): void {
    for (const [key, activity] of this.#open) if (fits(activity, key)) this.end(key, { isCut: true });
  }

  /** From now on, counts the time of an activity for another share, or for none. */
  recount(activity: Activity, share: ShareName | undefined): void {
    if (activity.end !== undefined || activity.share === share) return;
    if (activity.share) this.#counts[activity.share] -= 1;
    activity.share = share;
    if (share) this.#counts[share] += 1;
  }
}
