// The turns of a conversation that have ended, and those who wait for the next one. All who wait from one moment on share an update, so
// that a workflow has few of them under way, however many programs wait for however many turns.
import type { EndedTurn, NextEnd, TurnReport } from './conversation-facts.js';
import { TURN_FAILURES } from './message-names.js';
import type { WorkflowLibrary } from './workflow-library.js';

const KEPT_OUTCOMES = 10;
/** Turns with these ids change nothing when they are sent again. */
const KEPT_IDS = 500;
/** At most this many wait at once. Temporal takes ten updates, and answers need some of them. */
const MOST_WAITING = 4;

/** One per run of the workflow. */
export class EndedTurns {
  readonly #library: WorkflowLibrary;
  readonly #ended: Map<string, EndedTurn>;
  /** The ids of the turns that have ended in this run, in order. Nothing where those who wait were let go. */
  readonly #log: (string | undefined)[] = [];
  #waiting = 0;
  #isLeaving = false;

  constructor(library: WorkflowLibrary, ended: readonly EndedTurn[]) {
    this.#library = library;
    this.#ended = new Map(ended.map((end) => [end.id, end]));
  }

  /** All of them, the oldest first. */
  get list(): EndedTurn[] {
    return [...this.#ended.values()];
  }

  /** The ids of the turns that ended last. */
  get latest(): string[] {
    return [...this.#ended.keys()].slice(-KEPT_OUTCOMES);
  }

  has(id: string): boolean {
    return this.#ended.has(id);
  }

  add(end: EndedTurn): void {
    this.#ended.set(end.id, end);
    this.#log.push(end.id);
    const ids = [...this.#ended.keys()];
    for (const id of ids.slice(0, -KEPT_OUTCOMES)) this.#ended.set(id, { id });
    for (const id of ids.slice(0, -KEPT_IDS)) this.#ended.delete(id);
  }

  /** What has become of a turn. `isOpen`: it works, waits, or stands in the queue. */
  report(id: string, isOpen: boolean): TurnReport {
    const end = this.#ended.get(id);
    if (!end)
      return isOpen ? { state: 'open', moment: this.#momentAt(this.#log.length) } : { state: 'unknown' };
    if (end.outcome) return { state: 'ended', outcome: end.outcome };
    if (end.error === undefined) return { state: 'forgotten' };
    return { state: 'failed', error: end.error, ...(end.type !== undefined && { type: end.type }) };
  }

  /** Throws an ApplicationFailure if too many wait. */
  checkWaiting(): void {
    if (this.#waiting < MOST_WAITING) return;
    throw this.#library.ApplicationFailure.create({
      message: `${MOST_WAITING} updates wait for the end of a turn already. Share one by its id: all who wait from one moment on may use the same`,
      type: TURN_FAILURES.waitRefused,
      nonRetryable: true,
    });
  }

  /** Waits for the end of the next turn after a moment. Returns nothing about it if the run leaves, or if the moment is of another run. */
  async next(moment: string): Promise<NextEnd> {
    const place = this.#placeOf(moment);
    if (place === undefined) return {};
    const { CancellationScope, condition } = this.#library;
    this.#waiting += 1;
    // A cancelled workflow stops its turn first, and those who wait hear of that.
    await CancellationScope.nonCancellable(() =>
      condition(() => this.#log.length > place || this.#isLeaving),
    );
    this.#waiting -= 1;
    const id = this.#log[place];
    if (id === undefined) return {};
    return { id, report: this.report(id, false), moment: this.#momentAt(place + 1) };
  }

  /** Lets all go who wait. Nobody can begin to wait until `stay` is called. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** The run goes on after all. What was waited for before is another moment. */
  stay(): void {
    this.#isLeaving = false;
    this.#log.push(undefined);
  }

  #momentAt(place: number): string {
    return `${this.#library.workflowInfo().originalExecutionRunId}/${place}`;
  }

  #placeOf(moment: unknown): number | undefined {
    const [run, place] = typeof moment === 'string' ? moment.split('/') : [];
    if (run !== this.#library.workflowInfo().originalExecutionRunId) return undefined;
    const number = Number(place);
    return Number.isSafeInteger(number) && number >= 0 && number <= this.#log.length ? number : undefined;
  }
}
