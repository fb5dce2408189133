// A conversation as a workflow: turns come as messages and run one after the other. After some turns, or when the history has become
// long, a new run of the workflow goes on with everything that is open.
import type {
  CarriedConversation,
  ConversationMessage,
  EndedTurn,
  TemporalConversation,
  TemporalConversationState,
} from './conversation-facts.js';
import {
  changeSettings,
  findSettingsFault,
  type ConversationSettings,
  type SettingsChange,
  type SettingsFault,
} from './conversation-settings.js';
import { readTurnFailure } from './turn-failure.js';
import { driveTurn, isCancelled } from './drive-turn.js';
import { EndedTurns } from './ended-turns.js';
import { dropOldEnds } from './message-limits.js';
import { TURN_FAILURES, TURN_MESSAGES } from './message-names.js';
import { TurnInWorkflow } from './open-turn.js';
import { WorkflowAnswers, type SetAnyHandler } from './turn-answers.js';
import { findTurnFault, NO_ROOM, TurnInbox } from './turn-inbox.js';
import type { WorkflowLibrary } from './workflow-library.js';

const TURNS_PER_RUN = 50;

/** One per run of the workflow. */
export class ConversationTurns {
  readonly #library: WorkflowLibrary;
  readonly #input: TemporalConversation;
  readonly #answers: WorkflowAnswers;
  readonly #inbox: TurnInbox;
  readonly #ended: EndedTurns;
  #settings: ConversationSettings;
  /** How often the settings have changed. */
  #changes = 0;
  #isClosing: boolean;
  #open: { id: string; turn: TurnInWorkflow } | undefined;

  constructor(library: WorkflowLibrary, input: TemporalConversation) {
    const { inbox = [], ended = [], isClosing = false } = input.carried ?? {};
    const { attempts, turnsPerRun, closeAfterMs } = input;
    this.#library = library;
    this.#input = input;
    this.#answers = new WorkflowAnswers(library);
    this.#inbox = new TurnInbox(inbox);
    this.#ended = new EndedTurns(library, ended);
    this.#settings = changeSettings({}, { attempts, turnsPerRun, closeAfterMs });
    this.#isClosing = isClosing;
  }

  /** Returns the input of the next run, or nothing if the workflow is done. */
  async run(): Promise<TemporalConversation | undefined> {
    const fault = findSettingsFault(this.#settings);
    if (fault) throw this.#refuseInput(fault);
    const begun = this.#inbox.first;
    const carried = this.#input.carried?.open;
    if (begun && carried) this.#begin(begun.id, new TurnInWorkflow(carried));
    this.#listen();
    let turns = 0;
    for (;;) {
      if (this.#isCancelled && !this.#open) return await this.#endCancelled();
      const isDone = this.#isClosing && this.#inbox.first === undefined;
      if (!isDone && this.#mayLeave(turns >= (this.#settings.turnsPerRun ?? TURNS_PER_RUN))) {
        if (await this.#mayEnd(() => true)) return this.#carry();
        continue;
      }
      const message = isDone ? 'idle' : await this.#nextTurn();
      if (message === 'idle') {
        // A turn may have come in this very task. It is worked on here, and one that comes later begins a new workflow.
        if (await this.#mayEnd(() => this.#inbox.first === undefined)) return undefined;
        continue;
      }
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

  /** Returns nothing if something else than a turn has come: other settings, a close, a cancellation, or the time for a new run. */
  async #nextTurn(): Promise<ConversationMessage | 'idle' | undefined> {
    const { condition, isCancellation } = this.#library;
    const { closeAfterMs } = this.#settings;
    const changes = this.#changes;
    const isNeeded = (): boolean =>
      this.#inbox.first !== undefined || this.#isClosing || changes !== this.#changes || this.#mayLeave();
    // A scope that was cancelled takes no conditions.
    if (isNeeded()) return this.#inbox.first;
    try {
      if (closeAfterMs === undefined) await condition(isNeeded);
      // A turn may have come in the task in which the time was over.
      else if (!(await condition(isNeeded, Math.max(1, closeAfterMs))) && !isNeeded()) return 'idle';
    } catch (error) {
      if (!isCancellation(error)) throw error;
      return undefined;
    }
    return this.#inbox.first;
  }

  async #work(message: ConversationMessage, open: TurnInWorkflow): Promise<'ended' | 'left'> {
    const { conversation, agent } = this.#input;
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
      const readSettings = () => this.#settings.attempts;
      const outcome = await driveTurn({ library, readSettings, turn, open, mayLeave });
      if (outcome === 'left') return 'left';
      end = { id, outcome };
    } catch (error) {
      // Anything else is a fault of this code. It stops the task, which Temporal tries again until a deployment has mended it.
      if (!(error instanceof library.TemporalFailure)) throw error;
      // The conversation outlives a turn that cannot be worked on.
      end = { id, ...readTurnFailure(error) };
    }
    this.#answers.remove(open);
    this.#open = undefined;
    this.#inbox.remove(id);
    this.#ended.add(end);
    return 'ended';
  }

  /** Lets those go who wait. Returns whether the run may still end: it was not cancelled in the meantime, and this holds. */
  async #mayEnd(holds: () => boolean): Promise<boolean> {
    this.#ended.leave();
    await this.#untilHandlersFinished();
    if (!this.#isCancelled && holds()) return true;
    this.#ended.stay();
    return false;
  }

  #carry(): TemporalConversation {
    const { conversation, agent } = this.#input;
    const carried: CarriedConversation = {
      inbox: this.#inbox.list,
      open: this.#open?.turn.carry(),
      ended: this.#ended.list,
      ...(this.#isClosing && { isClosing: true }),
    };
    return { conversation, agent, ...this.#settings, carried: dropOldEnds(carried) };
  }

  /** Tells those who ask for outcomes, before the workflow ends. */
  async #endCancelled(): Promise<never> {
    const dropped = this.#inbox.ids;
    if (dropped.length > 0)
      this.#library.log.warn('The workflow was cancelled, and drops turns', { dropped });
    for (const id of dropped) {
      this.#inbox.remove(id);
      this.#ended.add({ id, error: 'the workflow was cancelled before the turn began' });
    }
    this.#ended.leave();
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
      const fault = findTurnFault(message);
      if (fault !== undefined) log.warn(`A signal with a turn was dropped: ${fault}`);
      else if (this.#knows(message.id) || this.#inbox.hasRoomFor(message)) this.#add(message);
      // A signal cannot be refused, so the one who waits for the outcome is told.
      else this.#ended.add({ id: message.id, error: NO_ROOM });
    });
    take(defineUpdate(TURN_MESSAGES.send), (message: ConversationMessage) => this.#add(message), {
      validator: (message: ConversationMessage) => {
        const fault = findTurnFault(message);
        if (fault !== undefined) throw this.#refuse(fault);
        if (!this.#knows(message.id) && !this.#inbox.hasRoomFor(message)) throw this.#refuse(NO_ROOM);
      },
    });
    take(defineQuery(TURN_MESSAGES.outcome), (id: string) => this.#ended.report(id, this.#inbox.has(id)));
    take(defineUpdate(TURN_MESSAGES.nextEnd), (moment: string) => this.#ended.next(moment), {
      validator: () => this.#ended.checkWaiting(),
    });
    take(defineSignal(TURN_MESSAGES.settings), (change: SettingsChange) => {
      const fault = findSettingsFault(change);
      if (fault) log.warn(`A signal with settings was dropped: ${fault.message}`);
      else this.#change(change);
    });
    take(defineUpdate(TURN_MESSAGES.settings), (change: SettingsChange) => this.#change(change), {
      validator: (change: SettingsChange) => {
        const fault = findSettingsFault(change);
        if (fault) throw this.#refuse(fault.message, TURN_FAILURES.settingsRefused);
      },
    });
    take(defineSignal(TURN_MESSAGES.close), () => {
      this.#isClosing = true;
    });
    // Messages that came before are handled while their handler is set: turns come first.
    this.#answers.listen((id) => this.#stop(id));
    take(defineQuery(TURN_MESSAGES.state), () => this.#describe());
  }

  #change(change: SettingsChange): void {
    this.#settings = changeSettings(this.#settings, change);
    this.#changes += 1;
  }

  /** Returns whether the turn is new. */
  #add(message: ConversationMessage): boolean {
    if (this.#knows(message.id)) return false;
    this.#inbox.add(message);
    return true;
  }

  /** Without an id, which other languages send as null, it is the first turn. One that has not begun leaves no trace in the transcript. */
  #stop(wanted?: string | null): void {
    const id = wanted ?? this.#open?.id ?? this.#inbox.first?.id;
    if (id === undefined) return;
    if (id === this.#open?.id) this.#open.turn.stop();
    else if (this.#inbox.remove(id)) {
      const text = 'The turn was stopped before it began.';
      this.#ended.add({ id, outcome: { ok: false, kind: 'interrupted', text, turnCostUsd: 0 } });
    }
  }

  #knows(id: string): boolean {
    return this.#ended.has(id) || this.#inbox.has(id);
  }

  #describe(): TemporalConversationState {
    const { id, turn } = this.#open ?? {};
    return {
      conversation: this.#input.conversation,
      ...(id !== undefined && { turn: id }),
      isWaiting: turn !== undefined && turn.questions.length + turn.pending.length > 0,
      queue: this.#inbox.ids.filter((each) => each !== id),
      ended: this.#ended.latest,
      isClosing: this.#isClosing,
      settings: this.#settings,
    };
  }

  /**
   * What a later version of this code handed on, or was told by its client, is no fault of the conversation. Such an error stops the task,
   * which Temporal tries again until a worker of that version has it. Any other fault is in the history for good.
   */
  #refuseInput({ message, isUnknown }: SettingsFault): Error {
    return isUnknown || this.#input.carried
      ? new Error(`${message}. A worker of a later version of Inboard may take it`)
      : this.#refuse(message, TURN_FAILURES.settingsRefused);
  }

  #refuse(message: string, type: string = TURN_FAILURES.turnRefused): Error {
    return this.#library.ApplicationFailure.create({ message, type, nonRetryable: true });
  }
}
