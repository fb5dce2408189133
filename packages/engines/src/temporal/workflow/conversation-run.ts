// A conversation as a workflow: turns come as messages and run one after the other. After some turns, or when the history has become
// long, a new run of the workflow goes on with everything that is open.
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type {
  CarriedConversation,
  ConversationMessage,
  EndedTurn,
  TemporalConversation,
  TemporalConversationState,
} from './conversation-facts.js';
import { driveTurn, isCancelled } from './drive-turn.js';
import { countBytes, dropOldEnds, MOST_INBOX_BYTES } from './message-limits.js';
import { TURN_FAILURES, TURN_MESSAGES } from './message-names.js';
import { TurnInWorkflow } from './open-turn.js';
import { WorkflowAnswers, type SetAnyHandler } from './turn-answers.js';
import type { WorkflowLibrary } from './workflow-library.js';

const TURNS_PER_RUN = 50;
const KEPT_OUTCOMES = 10;
/** Turns with these ids change nothing when they are sent again. */
const KEPT_IDS = 500;
const MOST_ERROR_CHARACTERS = 2000;
const TOO_MANY = `The turns that wait may have ${MOST_INBOX_BYTES} bytes as JSON together. Send this one under another id when some have ended, and put large files where a tool can read them`;

/** One per run of the workflow. */
export class ConversationTurns {
  readonly #library: WorkflowLibrary;
  readonly #input: TemporalConversation;
  readonly #answers: WorkflowAnswers;
  readonly #inbox: ConversationMessage[];
  /** The bytes of each turn in the inbox. */
  readonly #sizes: Map<string, number>;
  readonly #ended: Map<string, EndedTurn>;
  #open: { id: string; turn: TurnInWorkflow } | undefined;
  #isLeaving = false;

  constructor(library: WorkflowLibrary, input: TemporalConversation) {
    const { inbox = [], ended = [] } = input.carried ?? {};
    this.#library = library;
    this.#input = input;
    this.#answers = new WorkflowAnswers(library);
    this.#inbox = [...inbox];
    this.#sizes = new Map(inbox.map((message) => [message.id, countBytes(message)]));
    this.#ended = new Map(ended.map((end) => [end.id, end]));
  }

  /** Returns what the next run carries on, or nothing if the workflow is done. */
  async run(): Promise<CarriedConversation | undefined> {
    const [begun] = this.#inbox;
    const carried = this.#input.carried?.open;
    if (begun && carried) this.#begin(begun.id, new TurnInWorkflow(carried));
    this.#listen();
    const turnsPerRun = Math.max(1, this.#input.turnsPerRun ?? TURNS_PER_RUN);
    let turns = 0;
    for (;;) {
      if (this.#isCancelled && !this.#open) return await this.#endCancelled();
      if (this.#mayLeave(turns >= turnsPerRun)) {
        const next = await this.#carry();
        if (next) return next;
        continue;
      }
      const message = await this.#nextTurn();
      if (message === 'idle') return undefined;
      if (!message) continue;
      const open = this.#open?.turn ?? this.#begin(message.id, new TurnInWorkflow());
      if (this.#isCancelled) open.stop();
      if ((await this.#work(message, open)) === 'ended') turns += 1;
    }
  }

  #begin(id: string, turn: TurnInWorkflow): TurnInWorkflow {
    this.#open = { id, turn };
    this.#answers.add(id, turn);
    return turn;
  }

  get #isCancelled(): boolean {
    return isCancelled(this.#library);
  }

  /** Whether a new run should go on. A workflow that was cancelled has none: the cancellation would be lost with this run. */
  #mayLeave(isEnough = false): boolean {
    return !this.#isCancelled && (isEnough || this.#library.workflowInfo().continueAsNewSuggested);
  }

  /** Returns nothing if a new run is due, or if the workflow was cancelled. */
  async #nextTurn(): Promise<ConversationMessage | 'idle' | undefined> {
    const { condition, allHandlersFinished, isCancellation } = this.#library;
    const { closeAfterMs } = this.#input;
    const isNeeded = (): boolean => this.#inbox.length > 0 || this.#mayLeave();
    // A scope that was cancelled takes no conditions.
    if (isNeeded()) return this.#inbox[0];
    try {
      if (closeAfterMs === undefined) await condition(isNeeded);
      // A turn may have come in the task in which the time was over.
      else if (
        !(await condition(isNeeded, Math.max(1, closeAfterMs))) &&
        !isNeeded() &&
        allHandlersFinished()
      )
        return 'idle';
    } catch (error) {
      if (!isCancellation(error)) throw error;
      return undefined;
    }
    return this.#inbox[0];
  }

  async #work(message: ConversationMessage, open: TurnInWorkflow): Promise<'ended' | 'left'> {
    const { conversation, agent, attempts } = this.#input;
    const { id, content, data } = message;
    const turn = {
      conversation,
      agent: message.agent ?? agent,
      id,
      content,
      ...(data !== undefined && { data }),
    };
    const library = this.#library;
    let end: EndedTurn;
    try {
      const mayLeave = (): boolean => this.#mayLeave();
      const outcome = await driveTurn({ library, settings: attempts, turn, open, mayLeave });
      if (outcome === 'left') return 'left';
      end = { id, outcome };
    } catch (error) {
      // The conversation outlives a turn that cannot be worked on.
      end = { id, error: describe(error) };
    }
    this.#answers.remove(open);
    this.#open = undefined;
    this.#inbox.shift();
    this.#end(end);
    return 'ended';
  }

  #end(end: EndedTurn): void {
    this.#sizes.delete(end.id);
    this.#ended.set(end.id, end);
    const ids = [...this.#ended.keys()];
    for (const id of ids.slice(0, -KEPT_OUTCOMES)) this.#ended.set(id, { id });
    for (const id of ids.slice(0, -KEPT_IDS)) this.#ended.delete(id);
  }

  /** Returns nothing if the workflow was cancelled in the meantime. */
  async #carry(): Promise<CarriedConversation | undefined> {
    this.#isLeaving = true;
    await this.#untilHandlersFinished();
    this.#isLeaving = !this.#isCancelled;
    if (!this.#isLeaving) return undefined;
    const open = this.#open?.turn.carry();
    return dropOldEnds({ inbox: this.#inbox, open, ended: [...this.#ended.values()] });
  }

  /** Tells those who ask for outcomes, before the workflow ends. */
  async #endCancelled(): Promise<never> {
    const dropped = this.#inbox.splice(0).map(({ id }) => id);
    if (dropped.length > 0)
      this.#library.log.warn('The workflow was cancelled, and drops turns', { dropped });
    for (const id of dropped) this.#end({ id, error: 'the workflow was cancelled before the turn began' });
    this.#isLeaving = true;
    await this.#untilHandlersFinished();
    throw new this.#library.CancelledFailure('The workflow was cancelled, and its turn was stopped');
  }

  async #untilHandlersFinished(): Promise<void> {
    const { CancellationScope, condition, allHandlersFinished } = this.#library;
    await CancellationScope.nonCancellable(() => condition(() => allHandlersFinished()));
  }

  #listen(): void {
    const { setHandler, defineSignal, defineUpdate, defineQuery, log } = this.#library;
    const take = setHandler as SetAnyHandler;
    take(defineSignal(TURN_MESSAGES.send), (message: ConversationMessage) => {
      const fault = findFault(message);
      if (fault !== undefined) log.warn(`A signal with a turn was dropped: ${fault}`);
      else if (this.#knows(message.id) || this.#hasRoom(message)) this.#add(message);
      // A signal cannot be refused, so the one who waits for the outcome is told.
      else this.#end({ id: message.id, error: TOO_MANY });
    });
    const send = async (message: ConversationMessage): Promise<AttemptOutcome> => {
      this.#add(message);
      return await this.#outcomeOf(message.id);
    };
    take(defineUpdate(TURN_MESSAGES.send), send, {
      validator: (message: ConversationMessage) => {
        const fault = findFault(message);
        if (fault !== undefined) throw this.#refuse(fault);
        this.#refuseIfLeaving();
        if (!this.#knows(message.id) && !this.#hasRoom(message)) throw this.#refuse(TOO_MANY);
      },
    });
    take(defineUpdate(TURN_MESSAGES.outcome), (id: string) => this.#outcomeOf(id), {
      validator: (id: string) => {
        this.#refuseIfLeaving();
        if (!this.#knows(id)) throw this.#refuse(`No turn "${id}" was sent, or it ended long ago`);
      },
    });
    // Messages that came before are handled while their handler is set: turns come first.
    this.#answers.listen((id) => this.#stop(id));
    take(defineQuery(TURN_MESSAGES.state), () => this.#describe());
  }

  #hasRoom(message: ConversationMessage): boolean {
    let bytes = countBytes(message);
    for (const size of this.#sizes.values()) bytes += size;
    return bytes <= MOST_INBOX_BYTES;
  }

  #add(message: ConversationMessage): void {
    if (this.#knows(message.id)) return;
    this.#inbox.push(message);
    this.#sizes.set(message.id, countBytes(message));
  }

  /** Without an id, which other languages send as null, it is the first turn. One that has not begun leaves no trace in the transcript. */
  #stop(wanted?: string | null): void {
    const id = wanted ?? this.#open?.id ?? this.#inbox[0]?.id;
    const place = this.#inbox.findIndex((message) => message.id === id);
    if (id === undefined) return;
    if (id === this.#open?.id) this.#open.turn.stop();
    else if (place >= 0) {
      this.#inbox.splice(place, 1);
      const outcome = {
        ok: false,
        kind: 'interrupted',
        text: 'The turn was stopped before it began.',
        costUsd: 0,
      } as const;
      this.#end({ id, outcome });
    }
  }

  #knows(id: string): boolean {
    return this.#ended.has(id) || this.#inbox.some((message) => message.id === id);
  }

  async #outcomeOf(id: string): Promise<AttemptOutcome> {
    let end: EndedTurn | undefined;
    const { CancellationScope, condition } = this.#library;
    // A cancelled workflow stops its turn first, and those who wait hear of that.
    await CancellationScope.nonCancellable(() =>
      condition(() => (end = this.#ended.get(id)) !== undefined || this.#isLeaving),
    );
    if (!end) throw this.#movedOn();
    if (end.outcome) return end.outcome;
    if (end.error === undefined)
      throw this.#refuse(`The turn "${id}" ended long ago, and its outcome is not kept any more`);
    throw this.#refuse(`The turn "${id}" has failed: ${end.error}`, TURN_FAILURES.turnFailed);
  }

  #describe(): TemporalConversationState {
    const ids = this.#inbox.map(({ id }) => id);
    const { id, turn } = this.#open ?? {};
    return {
      conversation: this.#input.conversation,
      ...(id !== undefined && { turn: id }),
      isWaiting: turn !== undefined && turn.questions.length + turn.pending.length > 0,
      queue: ids.filter((each) => each !== id),
      ended: [...this.#ended.keys()].slice(-KEPT_OUTCOMES),
    };
  }

  #refuseIfLeaving(): void {
    if (this.#isLeaving) throw this.#movedOn();
  }

  #movedOn(): Error {
    return this.#refuse(
      'A new run of the workflow goes on with the conversation: ask it again',
      TURN_FAILURES.movedOn,
    );
  }

  #refuse(message: string, type: string = TURN_FAILURES.turnRefused): Error {
    return this.#library.ApplicationFailure.create({ message, type, nonRetryable: true });
  }
}

function findFault(message: unknown): string | undefined {
  const { id, content } = (message ?? {}) as Partial<ConversationMessage>;
  if (typeof id !== 'string' || id === '')
    return 'A turn must be { id, content }, and its id a text that is not empty';
  const hasContent =
    typeof content === 'string' ? content !== '' : Array.isArray(content) && content.length > 0;
  return hasContent
    ? undefined
    : `The content of the turn "${id}" must be a text or a list of content blocks`;
}

/** The message of a failed activity is in its cause. */
function describe(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: unknown };
  if (cause instanceof Error) return describe(cause);
  return (typeof message === 'string' ? message : String(error)).slice(0, MOST_ERROR_CHARACTERS);
}
