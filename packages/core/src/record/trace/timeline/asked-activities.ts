// Follows what the inspector reports as open: questions, held calls and pending calls. Knows which activity each is about, whoever began
// it. Such an activity ends when the inspector says so, not with the CLI.
import type { TimedEvent } from './activity.js';
import type { OpenActivities } from './open-activities.js';
import { whoSettles } from './who-answers.js';

type Asked = Extract<TimedEvent, { type: 'asked' }>['question'];

/** What the inspector reports as open in one session. */
export class AskedActivities {
  readonly #open: OpenActivities;
  /** By the id of the report. */
  readonly #asked = new Map<string, Asked>();

  constructor(open: OpenActivities) {
    this.#open = open;
  }

  get isEmpty(): boolean {
    return this.#asked.size === 0;
  }

  /** The ids of the pending calls. */
  get pending(): string[] {
    return [...this.#asked.values()].flatMap(({ id, kind }) => (kind === 'pending' ? [id] : []));
  }

  /** Begins a question that the inspector reports, such as a held call. Most of them have begun with a request on the wire. */
  begin(asked: Asked): void {
    this.#asked.set(asked.id, asked);
    if (asked.kind === 'held' || this.#find(asked) === undefined) this.#beginOwn(asked);
  }

  /** Ends what the inspector reports as settled. Returns the call that it was about, if any. */
  settle(id: string, outcome: string | undefined): string | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    const request = asked && whoSettles(asked.kind).kind === 'question' ? this.#find(asked) : undefined;
    this.#open.end(this.#open.get(`asked ${id}`) || request === undefined ? `asked ${id}` : request, {
      isDenied: outcome === 'denied',
    });
    return asked?.toolUseId;
  }

  /** Notes that the request with this key was answered, and with it the inspector's question about it. */
  noteAnswer(key: string): void {
    const card = this.#cardOf(key);
    if (card) this.#asked.delete(card.id);
  }

  /** Ends a request that was withdrawn, unless the inspector's question about it is open. */
  cancel(key: string): void {
    const card = this.#cardOf(key);
    if (card) this.#open.rename(key, `asked ${card.id}`);
    else this.#open.end(key, { isCut: true });
  }

  /** Keeps what goes on without the CLI. Returns the keys of these activities, and of the calls that they are about. */
  keepWithoutCli(): Set<string> {
    const kept = new Set<string>();
    for (const asked of this.#asked.values()) {
      const key = `asked ${asked.id}`;
      const known = this.#open.get(key) ? key : this.#find(asked);
      if (known === undefined) this.#beginOwn(asked);
      // The wire cannot end it any more.
      else if (!kept.has(known)) this.#open.rename(known, key);
      const call = this.#open.get(`call ${asked.toolUseId}`);
      // No CLI runs it now.
      if (call) this.#open.recount(call, undefined);
      kept.add(key).add(`call ${asked.toolUseId}`);
    }
    return kept;
  }

  /** The session is over, and all that was open with it. */
  clear(): void {
    this.#asked.clear();
  }

  #beginOwn({ id, kind, subject, toolUseId }: Asked): void {
    this.#open.begin(`asked ${id}`, { ...whoSettles(kind), name: subject, toolUseId });
  }

  /** The inspector's question that an open request of the CLI is about. */
  #cardOf(key: string): Asked | undefined {
    if (this.#open.get(key)?.kind !== 'question') return undefined;
    for (const asked of this.#asked.values()) if (this.#find(asked) === key) return asked;
    return undefined;
  }

  /** The key of the activity that a question of the inspector is about, if another event began it. */
  #find({ id, kind, toolUseId }: Asked): string | undefined {
    const request = wireKey('in', id);
    if (kind !== 'held' && this.#open.get(request)) return request;
    const { kind: wanted } = whoSettles(kind);
    if (kind === 'held' || (toolUseId === undefined && wanted === 'handler')) return undefined;
    return this.#open.find(
      (one, key) => key.startsWith('in ') && one.kind === wanted && one.toolUseId === toolUseId,
    );
  }
}

/** The key of the activity that a request began. `side` is the side of the wire it came from. */
export function wireKey(side: 'in' | 'out', requestId: string): string {
  return `${side} ${requestId}`;
}
