// The conversation of a fake CLI: its turns, from the prompts that begin them to their results, and everything
// a turn asks of its host. Which turns there are is up to the script.
import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { INTERRUPTED, OVER } from '../endings.js';
import { findHooks, judgeHooks, type HookVerdict } from '../host/host-hooks.js';
import type { Prompt } from '../host/prompt-queue.js';
import type { Asked } from '../host/host-servers.js';
import type { FakeRun } from '../fake-run.js';
import type { TurnEnd, Until } from '../script/fake-step.js';
import { BackgroundTasks } from './background-tasks.js';
import { ToolRunner } from './tool-runner.js';
import { FakeTurn } from './fake-turn.js';

// Taken at once, so that a test with a clock of its own does not stop the fake.
const schedule = setImmediate;

const BUILT_IN = ['Task', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'];

/** What a hook is about, and when its question is withdrawn. */
export interface HookOccasion {
  readonly about?: { readonly tool: string; readonly toolUseId: string };
  readonly cancelWhen?: Until | undefined;
}

export class FakeConversation {
  /** Settles when the servers asked for so far are connected. */
  connecting: Promise<unknown> | undefined;
  isInterrupted = false;
  /** Whether tools are at work, which an interrupt words differently. */
  isCallingTools = false;
  isLastResultError = false;
  /** The text of the prompts of this turn. */
  prompt = '';
  turn: FakeTurn | undefined;
  readonly tasks: BackgroundTasks;
  readonly tools: ToolRunner;
  readonly #run: FakeRun;
  readonly #folded: Prompt[] = [];
  #openPermissions = 0;
  #isInterruptDue = false;
  #ownTurnDue: WireObject | undefined;

  constructor(session: FakeRun) {
    this.#run = session;
    this.tasks = new BackgroundTasks(session.writer);
    this.tools = new ToolRunner({
      servers: session.servers,
      writer: session.writer,
      args: session.launch.args,
      askPermission: (request) => this.askPermission(request),
      fireHooks: (event, input, about) => this.fireHooks(event, input, { about }),
      noteDenial: (denial) => void this.turn?.denials.push(denial),
    });
  }

  get isInTurn(): boolean {
    return this.turn !== undefined;
  }

  async needTurn(): Promise<FakeTurn> {
    while (!this.turn) await this.beginTurn();
    return this.turn;
  }

  async beginTurn(): Promise<void> {
    const { writer, prompts, launch } = this.#run;
    await this.until(() => {
      if (prompts.length > 0) return true;
      if (this.#run.isInputEnded && !this.#run.ignoresEnd) throw this.abandon();
      return undefined;
    });
    if (writer.isOld) this.#connectAnew();
    const isFirst = writer.state === 'idle';
    if (isFirst) writer.changeState('running');
    const taken = prompts.takeTurn(isFirst);
    const turn = this.#openTurn(taken);
    await this.#connected();
    const verdict = await this.fireHooks('UserPromptSubmit', { prompt: this.prompt });
    writer.init(this.#listTools(), this.#run.servers.listServers(writer.isOld));
    if (writer.isOld && launch.args.includes('--replay-user-messages')) {
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
      this.isInterrupted = true;
      throw INTERRUPTED;
    }
  }

  // The older CLI connects with a message, and after an exchange of servers once more with the next.
  #connectAnew(): void {
    const { servers } = this.#run;
    if (servers.areExchanged) servers.forget();
    servers.areExchanged = false;
    this.#run.connectServers();
  }

  #openTurn(taken: readonly Prompt[], origin?: WireObject): FakeTurn {
    const turn = new FakeTurn(this.#run.writer, origin);
    turn.uuids.push(...taken.flatMap(({ uuid }) => uuid ?? []));
    if (taken.length > 0) this.prompt = taken.map(({ text }) => text).join('\n');
    this.turn = turn;
    return turn;
  }

  /** A task has ended: the CLI begins a turn because of it, now or after the one that is open. */
  takeUpTask(origin: WireObject): void {
    if (this.turn) this.#ownTurnDue = origin;
    else this.beginOwnTurn(origin);
  }

  /** A turn the CLI begins by itself. */
  beginOwnTurn(origin: WireObject): void {
    const { writer, servers } = this.#run;
    if (writer.state === 'idle') writer.changeState('running');
    this.#openTurn([], origin);
    writer.init(this.#listTools(), servers.listServers(writer.isOld));
  }

  async #connected(): Promise<void> {
    for (let known: Promise<unknown> | undefined; known !== this.connecting;) {
      known = this.connecting;
      await known;
    }
  }

  async endTurn(end: TurnEnd, onEnd?: () => void): Promise<void> {
    const turn = await this.needTurn();
    turn.closeMessage();
    if (end.apiError) {
      turn.apiMessages = 0;
      const text = end.text ?? `API Error: ${end.apiError.status ?? ''} ${end.apiError.message}`;
      this.#run.writer.synthetic(text, this.#run.writer.isOld ? {} : { is_api_error_message: true });
    } else if ((end.subtype ?? 'success') === 'success') {
      await this.fireHooks('Stop', { stop_hook_active: false, last_assistant_message: turn.lastText });
    }
    onEnd?.();
    this.finishTurn(end, end.apiError || end.subtype === 'error_max_budget_usd' ? 'cancelled' : 'completed');
  }

  async closeTurn(): Promise<void> {
    if (this.turn) await this.endTurn({});
  }

  finishTurn(end: TurnEnd, fate = 'completed'): void {
    const { writer, prompts } = this.#run;
    const turn = this.turn;
    if (!turn) return;
    const folded = this.#folded.splice(0).flatMap(({ uuid }) => uuid ?? []);
    for (const uuid of folded) writer.lifecycle(uuid, fate);
    this.isLastResultError = writer.result(turn, end);
    this.turn = undefined;
    for (const uuid of turn.uuids) if (!folded.includes(uuid)) writer.lifecycle(uuid, fate);
    const due = this.#ownTurnDue;
    this.#ownTurnDue = undefined;
    if (due) this.beginOwnTurn(due);
    else if (prompts.length === 0 && !this.tasks.hasAgent) writer.changeState('idle');
  }

  // Messages written while tools run become part of the turn.
  foldPrompts(turn: FakeTurn): void {
    const { prompts, settings } = this.#run;
    if (!settings.foldsPrompts || prompts.length === 0) return;
    const taken = prompts.takeFolded();
    this.#folded.push(...taken);
    turn.uuids.push(...taken.flatMap(({ uuid }) => uuid ?? []));
  }

  /** The host interrupts; gives the uuids of the messages that still wait. */
  interrupt(): string[] {
    const { questions, prompts } = this.#run;
    const waiting = prompts.uuids;
    if (!this.turn) {
      this.#isInterruptDue = prompts.length > 0;
      return waiting;
    }
    // First, so that whoever waits for an answer learns of the interrupt and not of the withdrawal.
    this.isInterrupted = true;
    this.tools.cancelAll('AbortError: remote-cancel');
    for (const question of questions.listOpen()) {
      const { subtype } = question.request;
      if (subtype !== 'mcp_message') this.#run.cancel(question);
    }
    return waiting;
  }

  endInterruptedTurn(): void {
    const turn = this.turn;
    const { writer } = this.#run;
    this.isInterrupted = false;
    if (!turn) return;
    const where = this.isCallingTools ? ' for tool use' : '';
    if (!this.isCallingTools) turn.dropMessage();
    this.isCallingTools = false;
    turn.addUserLine([{ type: 'text', text: `[Request interrupted by user${where}]` }]);
    const reason = where === '' ? 'aborted_streaming' : 'aborted_tools';
    const errors = writer.isOld
      ? []
      : [`[ede_diagnostic] result_type=user stop_reason=${String(turn.stopReason)}`];
    this.finishTurn(
      {
        subtype: 'error_during_execution',
        errors,
        ...(writer.isOld ? {} : { fields: { terminal_reason: reason } }),
      },
      'cancelled',
    );
  }

  askPermission(request: WireObject): Asked {
    const { writer } = this.#run;
    this.#openPermissions += 1;
    if (this.#openPermissions === 1) writer.changeState('requires_action');
    const asked = this.#run.ask(request);
    const reply = asked.reply.then((answer) => {
      this.#openPermissions -= 1;
      if (this.#openPermissions === 0) writer.changeState('running');
      return answer;
    });
    reply.catch(() => {});
    return { ...asked, reply };
  }

  settlePermissions(): void {
    if (this.#openPermissions > 0) this.#run.writer.changeState('running');
    this.#openPermissions = 0;
  }

  async fireHooks(
    event: string,
    input: WireObject,
    { about, cancelWhen }: HookOccasion = {},
  ): Promise<HookVerdict> {
    const { writer, initialize = {} } = this.#run;
    const ids = findHooks(initialize, event, about?.tool);
    const toolUseId = about?.toolUseId ?? randomUUID();
    const asked = ids.map((id) =>
      this.#run.ask({
        subtype: 'hook_callback',
        callback_id: id,
        input: {
          session_id: writer.sessionId,
          transcript_path: '',
          cwd: writer.cwd,
          permission_mode: writer.permissionMode,
          hook_event_name: event,
          ...input,
        },
        tool_use_id: toolUseId,
      }),
    );
    for (const { question } of asked) this.#run.cancelWhen(question, cancelWhen);
    const replies = await Promise.all(asked.map(({ reply }) => reply));
    if (!writer.isOld && replies.some(({ kind }) => kind === 'failure')) {
      writer.system('informational', { level: 'warning', tag: 'hook_callback_failed' });
    }
    return judgeHooks(replies);
  }

  until<T>(look: () => T | undefined): Promise<T> {
    this.#run.startReading();
    return this.#run.changes.until(() => {
      if (this.#run.isOver) throw OVER;
      if (this.isInterrupted) throw INTERRUPTED;
      return look();
    });
  }

  async breathe(): Promise<void> {
    this.#run.startReading();
    await new Promise((resolve) => schedule(resolve));
    if (this.#run.isOver) throw OVER;
    if (this.isInterrupted) throw INTERRUPTED;
  }

  /** Nothing more can come: leaves as a CLI at the end of its input. */
  abandon(): Error {
    this.#run.leave({ code: this.isLastResultError ? 1 : 0 });
    return OVER;
  }

  #listTools(): string[] {
    return [...BUILT_IN, ...this.#run.servers.listToolNames()];
  }
}
