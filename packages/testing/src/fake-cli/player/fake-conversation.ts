// The conversation of a fake CLI: its turns, from the prompts that begin them to their results, also when they are
// interrupted. The script decides which turns there are. `fake-turn` writes what the model says in a turn.
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { HostPrompt } from '../host/prompt-queue.js';
import type { RunParts } from '../run-parts.js';
import { INTERRUPTION, OVER } from '../run-state.js';
import type { FakeStep, TurnEnd } from '../script/fake-step.js';
import { BackgroundTasks } from './background-tasks.js';
import { FakeTurn } from './fake-turn.js';
import { BUILT_IN, ToolRunner } from './tool-runner.js';
import { TurnQuestions } from './turn-questions.js';

export class FakeConversation {
  /** Whether tools are running. This changes what an interrupt reports. */
  isCallingTools = false;
  readonly questions: TurnQuestions;
  readonly tasks: BackgroundTasks;
  readonly tools: ToolRunner;
  readonly #parts: RunParts;
  readonly #folded: HostPrompt[] = [];
  #turn: FakeTurn | undefined;
  #prompt = '';
  #isLastResultError = false;
  /** Whether the next turn is the first since the CLI was idle. */
  #isWoken = false;
  /** How the turn is to end. It is set when the model has given its last reply in the turn. */
  #answered: TurnEnd | undefined;
  #isInterruptDue = false;
  #ownTurnDue: WireObject | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.questions = new TurnQuestions(parts);
    this.tasks = new BackgroundTasks(parts.writer);
    this.tools = new ToolRunner(parts, this.questions);
  }

  /** The open turn, if there is one. */
  get turn(): FakeTurn | undefined {
    return this.#turn;
  }

  /** The text of the newest prompts that began a turn. */
  get prompt(): string {
    return this.#prompt;
  }

  /** Whether the model has nothing more to say in the open turn. */
  get isAnswered(): boolean {
    return this.#answered !== undefined;
  }

  /** Notes that the model has given its last reply in this turn. */
  answer(stopReason: string | undefined): void {
    this.#answered = stopReason === undefined ? {} : { stopReason };
  }

  /** Returns the open turn. If there is none, waits for the next prompt and begins its turn. */
  async needTurn(): Promise<FakeTurn> {
    while (!this.#turn) await this.beginTurn();
    return this.#turn;
  }

  /** Ends the idle state when a prompt arrives, before any later line of the host is answered. */
  wake(): void {
    const { writer } = this.#parts;
    if (!writer.isIdle) return;
    this.#isWoken = true;
    writer.changeState('running');
  }

  /** Waits for a prompt and begins its turn. If a hook refuses the prompt, the turn ends at once. */
  async beginTurn(): Promise<void> {
    const { state, writer, prompts, servers, inbox } = this.#parts;
    if (state.settings.isByHand) {
      throw new TypeError('A fake played by hand has no turns: write messages with send() or raw()');
    }
    await inbox.waitFor(() => {
      if (prompts.length > 0) return true;
      if (state.isInputEnded) throw this.abandon();
      return undefined;
    });
    if (writer.isOld) servers.connectWithMessage();
    this.wake();
    const taken = prompts.takeTurn(this.#isWoken);
    this.#isWoken = false;
    const turn = this.#openTurn(taken);
    await servers.connected();
    const verdict = await this.questions.fireHooks('UserPromptSubmit', { prompt: this.#prompt });
    this.#sendInit();
    if (writer.isOld && state.launch.args.includes('--replay-user-messages')) {
      for (const { line } of taken) writer.send({ ...line, isReplay: true });
    }
    if (verdict.refusal !== undefined) {
      writer.system('informational', { level: 'warning', content: verdict.refusal });
      turn.userLines = -1;
      this.finishTurn({ text: `UserPromptSubmit operation blocked by hook: ${verdict.refusal}` });
    } else if (taken.every(({ isSilent }) => isSilent)) {
      turn.userLines = -1;
      this.finishTurn({ text: '' });
    } else if (this.#isInterruptDue) {
      this.#isInterruptDue = false;
      state.isInterrupted = true;
      throw INTERRUPTION;
    }
  }

  #openTurn(taken: readonly HostPrompt[], origin?: WireObject): FakeTurn {
    const turn = new FakeTurn(this.#parts.writer, origin);
    turn.uuids.push(...taken.flatMap(({ uuid }) => uuid ?? []));
    if (taken.length > 0) this.#prompt = taken.map(({ text }) => text).join('\n');
    this.#turn = turn;
    return turn;
  }

  #beginOwnTurn(origin: WireObject): void {
    const { writer } = this.#parts;
    if (writer.isIdle) writer.changeState('running');
    this.#openTurn([], origin);
    this.#sendInit();
  }

  #sendInit(): void {
    const { writer, servers } = this.#parts;
    writer.init([...BUILT_IN, ...servers.listToolNames()], servers.listServers(writer.isOld));
  }

  /** Ends a background task. The newer CLI then begins a turn of its own, at once or after the open turn. */
  finishTask({ id, status, summary }: Extract<FakeStep, { do: 'finishTask' }>): void {
    const task = this.tasks.finish(id, status, summary);
    if (!task) throw new TypeError(`finishTask(${id ?? ''}): there is no such background task`);
    if (this.#parts.writer.isOld) return;
    const origin = originOf(task.id);
    if (this.#turn) this.#ownTurnDue = origin;
    else this.#beginOwnTurn(origin);
  }

  /** Stops a task for the host. Returns false if there is no such task. */
  stopTask(id: string): boolean {
    const task = this.tasks.finish(id, 'stopped', 'Stopped.');
    if (!task) return false;
    if (this.#turn) return true;
    // After the end of an agent, the CLI begins another turn. After the end of a shell, it does not.
    if (task.type === 'agent') {
      this.#beginOwnTurn(originOf(task.id));
      this.finishTurn({ text: '' });
    } else this.#parts.writer.changeState('idle');
    return true;
  }

  /** Ends the turn as the script says. `onEnd` is called right before the result is sent. */
  async endTurn(given: TurnEnd, onEnd?: () => void): Promise<void> {
    const turn = await this.needTurn();
    const end = { ...this.#answered, ...turn.outputEnd, ...given };
    const { writer } = this.#parts;
    turn.closeMessage();
    if (end.apiError) {
      turn.apiMessages = 0;
      const text = end.text ?? `API Error: ${end.apiError.status ?? ''} ${end.apiError.message}`;
      writer.synthetic(text, writer.isOld ? {} : { is_api_error_message: true });
    } else if ((end.subtype ?? 'success') === 'success') {
      const input = { stop_hook_active: false, last_assistant_message: turn.lastText };
      await this.questions.fireHooks('Stop', input);
    }
    onEnd?.();
    this.finishTurn(end, end.apiError || end.subtype === 'error_max_budget_usd' ? 'cancelled' : 'completed');
  }

  /** Sends the result and the messages that follow it. `fate` is the last lifecycle state of the turn's prompts. */
  finishTurn(end: TurnEnd, fate = 'completed'): void {
    const { writer, prompts } = this.#parts;
    const turn = this.#turn;
    if (!turn) return;
    const folded = this.#folded.splice(0).flatMap(({ uuid }) => uuid ?? []);
    for (const uuid of folded) writer.lifecycle(uuid, fate);
    this.#isLastResultError = writer.result(turn, end);
    this.#turn = undefined;
    this.#answered = undefined;
    for (const uuid of turn.uuids) if (!folded.includes(uuid)) writer.lifecycle(uuid, fate);
    const due = this.#ownTurnDue;
    this.#ownTurnDue = undefined;
    if (due) this.#beginOwnTurn(due);
    else if (prompts.length === 0 && !this.tasks.hasAgent) writer.changeState('idle');
  }

  /** Adds the prompts that the host wrote while tools ran to the turn. */
  foldPrompts(turn: FakeTurn): void {
    const { state, prompts } = this.#parts;
    if (!state.settings.foldsPrompts || prompts.length === 0) return;
    const taken = prompts.takeFolded();
    this.#folded.push(...taken);
    turn.uuids.push(...taken.flatMap(({ uuid }) => uuid ?? []));
  }

  /**
   * Plays how a CLI replaces the conversation by a summary. Within a turn, the CLI does so by itself. Outside a turn,
   * it is the answer to a prompt.
   */
  async compact(): Promise<void> {
    const { writer } = this.#parts;
    const isOwnTurn = this.#turn === undefined;
    const trigger = isOwnTurn ? 'manual' : 'auto';
    const turn = await this.needTurn();
    await this.questions.fireHooks('PreCompact', { trigger, custom_instructions: null });
    writer.system('status', { status: 'compacting' });
    writer.system('status', { status: null, ...(writer.isOld ? {} : { compact_result: 'success' }) });
    writer.system('compact_boundary', { compact_metadata: { trigger, pre_tokens: 15 } });
    const note = 'This session is being continued from a previous conversation that ran out of context.';
    writer.user(note, { isSynthetic: true });
    if (!isOwnTurn) return;
    writer.user('<local-command-stdout>Compacted </local-command-stdout>', { isReplay: true });
    turn.userLines = -1;
    this.finishTurn({ text: '' });
  }

  /** Interrupts the turn for the host. Returns the uuids of the prompts that still wait. */
  interrupt(): string[] {
    const { state, host, prompts } = this.#parts;
    const waiting = prompts.uuids;
    if (!this.#turn) {
      this.#isInterruptDue = prompts.length > 0;
      return waiting;
    }
    // This is set before the questions are cancelled, so that a step that waits for an answer sees the interrupt first.
    state.isInterrupted = true;
    this.tools.cancelAll('AbortError: remote-cancel');
    host.cancelTurn();
    return waiting;
  }

  /** Ends an interrupted turn in the way the real CLI does. */
  endInterruptedTurn(): void {
    const { state, writer } = this.#parts;
    const turn = this.#turn;
    state.isInterrupted = false;
    if (!turn) return;
    const where = this.isCallingTools ? ' for tool use' : '';
    if (!this.isCallingTools) turn.dropMessage();
    this.isCallingTools = false;
    turn.addUserLine([{ type: 'text', text: `[Request interrupted by user${where}]` }]);
    const subtype = 'error_during_execution';
    if (writer.isOld) this.finishTurn({ subtype, errors: [] }, 'cancelled');
    else {
      const errors = [`[ede_diagnostic] result_type=user stop_reason=${String(turn.stopReason)}`];
      const fields = { terminal_reason: where === '' ? 'aborted_streaming' : 'aborted_tools' };
      this.finishTurn({ subtype, errors, fields }, 'cancelled');
    }
  }

  /** Ends the process as a CLI does at the end of its input. Returns the error to throw. */
  abandon(): Error {
    this.leave();
    return OVER;
  }

  /** Ends the process. The exit code is 1 if the last result was an error, otherwise 0. */
  leave(): void {
    this.#parts.host.leave({ code: this.#isLastResultError ? 1 : 0 });
  }
}

function originOf(runId: string): WireObject {
  return { kind: 'task-notification', producer: 'session-task', runId };
}
