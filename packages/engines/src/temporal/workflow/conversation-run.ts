// A conversation as a workflow: turns come as messages and run one after the other. After some turns, or when the history has become
// long, a new run of the workflow goes on with everything that is open.
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { EngineTurn } from '../../turn/engine-turn.js';
import { driveTurn, type TurnActivitySettings } from './drive-turn.js';
import { MOVED_ON, TURN_MESSAGES } from './message-names.js';
import { TurnInWorkflow, type CarriedTurn } from './open-turn.js';
import { WorkflowAnswers, type SetAnyHandler } from './turn-answers.js';
import type { WorkflowLibrary } from './workflow-library.js';

/** A turn for a conversation. What is not given is as in the input of the workflow. */
export type ConversationMessage = Pick<EngineTurn, 'id' | 'content' | 'data'> & {
  agent?: string | undefined;
};

/** The input of `conversationWorkflow`. */
export interface TemporalConversation {
  /** The key of the conversation in the ledger. */
  conversation: string;
  /** The name of the agent, unless a turn names another one. */
  agent: string;
  attempts?: TurnActivitySettings | undefined;
  /** After how many turns a new run goes on. Default 50. One also goes on when Temporal suggests it. */
  turnsPerRun?: number | undefined;
  /** Milliseconds without a turn after which the workflow completes. Default: never. */
  closeAfterMs?: number | undefined;
  /** From the run before. */
  carried?: CarriedConversation | undefined;
}

/** How a turn ended: with an outcome, or with the error after which Temporal stopped trying. */
export interface EndedTurn {
  id: string;
  outcome?: AttemptOutcome;
  error?: string;
}

/** What a run hands to the next one. */
export interface CarriedConversation {
  /** The turns that have not ended. The first one may have begun. */
  inbox: ConversationMessage[];
  /** The first turn of the inbox, if it has begun. */
  open?: CarriedTurn | undefined;
  /** The turns that ended last. */
  ended: EndedTurn[];
}

/** What the query for the state returns. */
export interface TemporalConversationState {
  conversation: string;
  /** The id of the turn that is at work or waits. */
  turn?: string;
  /** Whether the turn waits for people or pending calls. */
  isWaiting: boolean;
  /** The ids of the turns behind it. */
  queue: string[];
  /** The ids of the turns that ended last. */
  ended: string[];
}

const TURNS_PER_RUN = 50;
const KEPT_ENDS = 10;

/** One per run of the workflow. */
export class ConversationTurns {
  readonly #library: WorkflowLibrary;
  readonly #input: TemporalConversation;
  readonly #answers: WorkflowAnswers;
  readonly #inbox: ConversationMessage[];
  readonly #ended: Map<string, EndedTurn>;
  #open: { id: string; turn: TurnInWorkflow } | undefined;
  #isLeaving = false;

  constructor(library: WorkflowLibrary, input: TemporalConversation) {
    const { inbox = [], ended = [] } = input.carried ?? {};
    this.#library = library;
    this.#input = input;
    this.#answers = new WorkflowAnswers(library);
    this.#inbox = [...inbox];
    this.#ended = new Map(ended.map((end) => [end.id, end]));
  }

  /** Returns what the next run carries on, or nothing if the workflow is done. */
  async run(): Promise<CarriedConversation | undefined> {
    const [begun] = this.#inbox;
    const carried = this.#input.carried?.open;
    if (begun && carried) this.#begin(begun.id, new TurnInWorkflow(carried));
    this.#listen();
    const { turnsPerRun = TURNS_PER_RUN } = this.#input;
    for (let turns = 0; turns < turnsPerRun && !this.#isTooLong(); turns += 1) {
      const next = await this.#nextTurn();
      if (next === 'idle') return undefined;
      if (next === undefined) break;
      const open = this.#open?.turn ?? this.#begin(next.id, new TurnInWorkflow());
      if ((await this.#work(next, open)) === 'left') break;
    }
    return await this.#carry();
  }

  #begin(id: string, turn: TurnInWorkflow): TurnInWorkflow {
    this.#open = { id, turn };
    this.#answers.add(id, turn);
    return turn;
  }

  #isTooLong(): boolean {
    return this.#library.workflowInfo().continueAsNewSuggested;
  }

  async #nextTurn(): Promise<ConversationMessage | 'idle' | undefined> {
    const { condition, allHandlersFinished } = this.#library;
    const { closeAfterMs } = this.#input;
    const isNeeded = (): boolean => this.#inbox.length > 0 || this.#isTooLong();
    if (closeAfterMs === undefined) await condition(isNeeded);
    else if (!(await condition(isNeeded, closeAfterMs)) && allHandlersFinished()) return 'idle';
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
      const mayLeave = (): boolean => this.#isTooLong();
      const outcome = await driveTurn({ library, settings: attempts, turn, open, mayLeave });
      if (outcome === 'left') return 'left';
      end = { id, outcome };
    } catch (error) {
      if (library.isCancellation(error)) throw error;
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
    this.#ended.set(end.id, end);
    for (const old of [...this.#ended.keys()].slice(0, -KEPT_ENDS)) this.#ended.delete(old);
  }

  async #carry(): Promise<CarriedConversation> {
    this.#isLeaving = true;
    await this.#library.condition(() => this.#library.allHandlersFinished());
    return { inbox: this.#inbox, open: this.#open?.turn.carry(), ended: [...this.#ended.values()] };
  }

  #listen(): void {
    const { setHandler, defineSignal, defineUpdate, defineQuery, log } = this.#library;
    const take = setHandler as SetAnyHandler;
    take(defineSignal(TURN_MESSAGES.send), (message: ConversationMessage) => {
      const fault = findFault(message);
      if (fault === undefined) this.#add(message);
      else log.warn(`A signal with a turn was dropped: ${fault}`);
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

  #add(message: ConversationMessage): void {
    if (!this.#knows(message.id)) this.#inbox.push(message);
  }

  /** A turn that has not begun leaves no trace in the transcript. */
  #stop(id?: string): void {
    const place = this.#inbox.findIndex((message) => message.id === id);
    if (id === undefined || id === this.#open?.id) this.#open?.turn.stop();
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
    await this.#library.condition(() => (end = this.#ended.get(id)) !== undefined || this.#isLeaving);
    if (!end) throw this.#movedOn();
    if (end.outcome) return end.outcome;
    throw this.#refuse(`The turn "${id}" has failed: ${end.error}`, 'InboardTurnFailed');
  }

  #describe(): TemporalConversationState {
    const ids = this.#inbox.map(({ id }) => id);
    const { id, turn } = this.#open ?? {};
    return {
      conversation: this.#input.conversation,
      ...(id !== undefined && { turn: id }),
      isWaiting: turn !== undefined && turn.questions.length + turn.pending.length > 0,
      queue: ids.filter((each) => each !== id),
      ended: [...this.#ended.keys()],
    };
  }

  #refuseIfLeaving(): void {
    if (this.#isLeaving) throw this.#movedOn();
  }

  #movedOn(): Error {
    return this.#refuse('A new run of the workflow goes on with the conversation: ask it again', MOVED_ON);
  }

  #refuse(message: string, type = 'InboardTurnRefused'): Error {
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
  return typeof message === 'string' ? message : String(error);
}
