// Plays a script in a session: begins and ends turns, performs the steps one by one, and deals with what cuts
// a turn short. What the single words mean on the wire is in the turn, the tools and the tasks.
import { randomUUID } from 'node:crypto';
import { isWireObject } from '../protocol/codec.js';
import type { WireObject } from '../protocol/codec.js';
import { findHooks, judgeHooks, type HookVerdict } from './fake-hooks.js';
import type { Prompt } from './fake-prompts.js';
import type { Asked } from './fake-servers.js';
import type { FakeContext, FakeScript, FakeScriptItem, FakeStep, ToolAnswer } from './fake-step.js';
import { FakeTasks } from './fake-tasks.js';
import { FakeToolRunner, type ToolOutcome } from './fake-tools.js';
import { FakeTurn } from './fake-turn.js';
import { INTERRUPTED, OVER } from './fake-endings.js';
import type { FakeSession } from './fake-session.js';

type Of<Name extends FakeStep['do']> = Extract<FakeStep, { do: Name }>;

// Taken at once, so that a test with a clock of its own does not stop the fake.
const schedule = setImmediate;

const BUILT_IN = ['Task', 'Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Write'];
const STOPPED_TOOL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.";

export class FakePlayer {
  /** Settles when the servers asked for so far are connected. */
  connecting: Promise<void> | undefined;
  isInterrupted = false;
  readonly #session: FakeSession;
  readonly #tasks: FakeTasks;
  readonly #tools: FakeToolRunner;
  readonly #answers: ToolAnswer[] = [];
  #pending: FakeScriptItem[] = [];
  #turn: FakeTurn | undefined;
  readonly #folded: Prompt[] = [];
  #prompt = '';
  #reply: unknown;
  #openPermissions = 0;
  #isCallingTools = false;
  #isInterruptDue = false;
  #hasOwnTurnDue: WireObject | undefined;
  #isLastResultError = false;
  #hasCrashed = false;
  #isDone = false;

  constructor(session: FakeSession) {
    this.#session = session;
    this.#tasks = new FakeTasks(session.voice);
    this.#tools = new FakeToolRunner({
      host: session,
      servers: session.servers,
      voice: session.voice,
      args: session.launch.args,
      askPermission: (request) => this.#askPermission(request),
      fireHooks: (event, input, about) => this.#fireHooks(event, input, about),
      noteDenial: (denial) => void this.#turn?.denials.push(denial),
    });
  }

  get isInTurn(): boolean {
    return this.#turn !== undefined;
  }

  /** Begins to play; never rejects. */
  start(script: FakeScript): void {
    void this.#run(script).catch((error: unknown) => {
      if (error === OVER) return;
      // The test's own code failed, in a step or in the function that gives the script.
      this.#session.complain(`the script failed: ${error instanceof Error ? error.message : String(error)}`);
      this.#session.leave({ code: 1, stderr: `${String(error)}\n` });
    });
  }

  async #run(script: FakeScript): Promise<void> {
    const session = this.#session;
    if (typeof script === 'function') {
      const { index, launch, firstPrompt } = session;
      const given = script({ index, args: launch.args, env: launch.env, firstPrompt: firstPrompt.promise });
      if (!Array.isArray(given)) session.startReading();
      this.#pending = [...(Array.isArray(given) ? given : await given)];
    } else this.#pending = [...script];
    while (this.#pending.length > 0) await this.#playNext();
    await this.#closeTurn();
    this.#isDone = true;
    await this.#serveTheRest();
    session.leave({ code: this.#isLastResultError ? 1 : 0 });
  }

  async #playNext(): Promise<void> {
    const [item] = this.#pending;
    if (item === undefined) return;
    if (typeof item === 'function') {
      await this.#breathe();
      const next = await item(this.#createContext());
      this.#pending.splice(0, 1, ...(next ? [next] : []));
    } else if (isList(item)) this.#pending.splice(0, 1, ...item);
    else await this.#playStep(item);
  }

  async #playStep(step: FakeStep): Promise<void> {
    try {
      // Without this a whole session would pass before its host gets to read a word.
      if (this.#turn) await this.#breathe();
      await this.#perform(step);
      this.#pending.shift();
    } catch (error) {
      if (error !== INTERRUPTED) throw error;
      this.#skipTurn();
      this.#endInterruptedTurn();
    }
  }

  // What was still to be said in the turn is never said.
  #skipTurn(): void {
    for (;;) {
      const item = this.#pending.shift();
      if (item === undefined) return;
      if (typeof item === 'function') continue;
      if (isList(item)) this.#pending.unshift(...item);
      else if (item.do === 'endTurn') return;
      else if (item.do === 'expectPrompt') {
        this.#pending.unshift(item);
        return;
      }
    }
  }

  async #perform(step: FakeStep): Promise<void> {
    const session = this.#session;
    switch (step.do) {
      case 'say':
        (await this.#needTurn()).say(step.text);
        return;
      case 'think':
        (await this.#needTurn()).think(step.text);
        return;
      case 'useTools':
        await this.#useTools(await this.#needTurn(), step);
        return;
      case 'askPermission':
        await this.#needTurn();
        await this.#keepReply(this.#askPermission(wordPermission(step)), step.cancelWhen);
        return;
      case 'fireHook':
        await this.#waitForHost();
        this.#reply = (await this.#fireHooks(step.event, step.input, undefined, step.cancelWhen)).outputs[0];
        return;
      case 'ask':
        await this.#waitForHost();
        await this.#keepReply(session.ask(step.request), step.cancelWhen);
        return;
      case 'startTask':
        this.#tasks.start(step.task, await this.#needTurn());
        return;
      case 'finishTask':
        await this.#finishTask(step);
        return;
      case 'compact':
        await this.#compact();
        return;
      case 'send':
        session.voice.send(step.message);
        return;
      case 'endTurn':
        await this.#endTurn(step);
        return;
      case 'expectPrompt':
        await this.#expectPrompt(step);
        return;
      case 'expectControl':
        await this.#until(() =>
          session.requests.some(
            (request) => request['subtype'] === step.subtype && (step.matcher?.(request) ?? true),
          )
            ? true
            : undefined,
        );
        return;
      case 'stall':
        await this.#stall(step);
        return;
      default:
        this.#break(step);
    }
  }

  // Faults: between the step and the pipes.
  #break(step: FakeStep): void {
    const session = this.#session;
    switch (step.do) {
      case 'raw':
        session.writeRaw(step.text);
        return;
      case 'inChunks': {
        session.chunkBytes = step.bytes;
        // The step itself is still at the front; what it holds comes behind it, and then its end.
        const end: FakeStep = { do: 'inChunks', bytes: 0, steps: [] };
        if (step.bytes > 0) this.#pending.splice(1, 0, ...step.steps, end);
        return;
      }
      case 'repeat':
        session.repeat(step.what);
        return;
      case 'holdAnswers':
        session.held ??= [];
        return;
      case 'releaseAnswers': {
        const held = session.held ?? [];
        session.held = undefined;
        for (const give of step.order === 'reversed' ? held.toReversed() : held) give();
        return;
      }
      case 'crash':
        this.#hasCrashed = true;
        session.leave({
          code: step.code ?? 1,
          stderr: step.stderr,
          ...(step.signal !== undefined && { signal: step.signal }),
        });
        throw OVER;
      case 'stderr':
        session.stage.stderr(step.text);
        return;
      case 'closeInput':
        session.stage.closeInput();
        return;
      case 'closeOutput':
        session.stage.closeOutput();
        return;
      case 'stopReading':
      case 'readOn':
        session.stage.setReading(step.do === 'readOn');
        return;
      case 'ignore':
        if (step.what === 'SIGTERM') session.stage.ignoreTerm();
        else session.ignoresEnd = true;
        return;
      default:
    }
  }

  async #stall({ until }: Of<'stall'>): Promise<void> {
    await this.#needTurn();
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      this.#session.bell.ring();
    };
    void Promise.resolve(until ?? new Promise(() => {})).then(finish, finish);
    const session = this.#session;
    await this.#until(() => {
      // Nobody can interrupt any more: with nothing to wait for, the turn is as good as dropped.
      if (until === undefined && session.isInputEnded && !session.ignoresEnd) throw this.#abandon();
      return isOver ? true : undefined;
    });
  }

  // Turns.

  async #needTurn(): Promise<FakeTurn> {
    while (!this.#turn) await this.#beginTurn();
    return this.#turn;
  }

  async #beginTurn(): Promise<void> {
    const { voice, prompts, launch } = this.#session;
    await this.#until(() => {
      if (prompts.length > 0) return true;
      if (this.#session.isInputEnded && !this.#session.ignoresEnd) throw this.#abandon();
      return undefined;
    });
    if (voice.isOld) this.#session.connectServers();
    const isFirst = voice.state === 'idle';
    if (isFirst) voice.changeState('running');
    const taken = prompts.takeTurn(isFirst);
    const turn = this.#openTurn(taken);
    await this.#connected();
    const verdict = await this.#fireHooks('UserPromptSubmit', { prompt: this.#prompt });
    voice.init(this.#listTools(), this.#session.servers.listServers(voice.isOld));
    if (voice.isOld && launch.args.includes('--replay-user-messages')) {
      for (const { line } of taken) voice.send({ ...line, isReplay: true });
    }
    if (verdict.refusal !== undefined) {
      voice.system('informational', { level: 'warning', content: verdict.refusal });
      turn.userLines = -1;
      this.#finishTurn({ text: `UserPromptSubmit operation blocked by hook: ${verdict.refusal}` });
    } else if (taken.every(({ isSilent }) => isSilent)) {
      turn.userLines = -1;
      this.#finishTurn({ text: '' });
    } else if (this.#isInterruptDue) {
      this.#isInterruptDue = false;
      this.isInterrupted = true;
      throw INTERRUPTED;
    }
  }

  #openTurn(taken: readonly Prompt[], origin?: WireObject): FakeTurn {
    const turn = new FakeTurn(this.#session.voice, origin);
    turn.uuids.push(...taken.flatMap(({ uuid }) => uuid ?? []));
    if (taken.length > 0) this.#prompt = taken.map(({ text }) => text).join('\n');
    this.#turn = turn;
    return turn;
  }

  /** A turn the CLI begins by itself, because a task has ended. */
  #beginOwnTurn(origin: WireObject): void {
    const { voice, servers } = this.#session;
    if (voice.state === 'idle') voice.changeState('running');
    this.#openTurn([], origin);
    voice.init(this.#listTools(), servers.listServers(voice.isOld));
  }

  async #connected(): Promise<void> {
    for (let known: Promise<void> | undefined; known !== this.connecting;) {
      known = this.connecting;
      await known;
    }
  }

  async #endTurn({ end }: Of<'endTurn'>): Promise<void> {
    const turn = await this.#needTurn();
    turn.closeMessage();
    if (end.apiError) {
      turn.apiMessages = 0;
      const text = end.text ?? `API Error: ${end.apiError.status ?? ''} ${end.apiError.message}`;
      this.#session.voice.synthetic(text, this.#session.voice.isOld ? {} : { is_api_error_message: true });
    } else if ((end.subtype ?? 'success') === 'success') {
      await this.#fireHooks('Stop', { stop_hook_active: false, last_assistant_message: turn.lastText });
    }
    this.#finishTurn(end, end.apiError || end.subtype === 'error_max_budget_usd' ? 'cancelled' : 'completed');
  }

  async #closeTurn(): Promise<void> {
    if (this.#turn) await this.#endTurn({ do: 'endTurn', end: {} });
  }

  #finishTurn(end: Of<'endTurn'>['end'], fate = 'completed'): void {
    const { voice, prompts } = this.#session;
    const turn = this.#turn;
    if (!turn) return;
    const folded = this.#folded.splice(0).flatMap(({ uuid }) => uuid ?? []);
    for (const uuid of folded) voice.lifecycle(uuid, fate);
    this.#isLastResultError = voice.result(turn, end);
    this.#turn = undefined;
    for (const uuid of turn.uuids) if (!folded.includes(uuid)) voice.lifecycle(uuid, fate);
    const due = this.#hasOwnTurnDue;
    this.#hasOwnTurnDue = undefined;
    if (due) this.#beginOwnTurn(due);
    else if (prompts.length === 0 && !this.#tasks.hasAgent) voice.changeState('idle');
  }

  // Messages written while tools run become part of the turn.
  #foldPrompts(turn: FakeTurn): void {
    const { prompts, manners } = this.#session;
    if (!manners.foldsPrompts || prompts.length === 0) return;
    const taken = prompts.takeFolded();
    this.#folded.push(...taken);
    turn.uuids.push(...taken.flatMap(({ uuid }) => uuid ?? []));
  }

  // Interrupts.

  /** The host interrupts; gives the uuids of the messages that still wait. */
  interrupt(): string[] {
    const { questions, prompts } = this.#session;
    const waiting = prompts.uuids;
    if (!this.#turn) {
      this.#isInterruptDue = prompts.length > 0;
      return waiting;
    }
    this.#tools.cancelAll('AbortError: remote-cancel');
    for (const question of questions.listOpen()) {
      const { subtype } = question.request;
      if (subtype !== 'mcp_message') this.#session.cancel(question);
    }
    this.isInterrupted = true;
    return waiting;
  }

  #endInterruptedTurn(): void {
    const turn = this.#turn;
    const { voice } = this.#session;
    this.isInterrupted = false;
    if (!turn) return;
    const where = this.#isCallingTools ? ' for tool use' : '';
    if (!this.#isCallingTools) turn.dropMessage();
    this.#isCallingTools = false;
    turn.addUserLine([{ type: 'text', text: `[Request interrupted by user${where}]` }]);
    const reason = where === '' ? 'aborted_streaming' : 'aborted_tools';
    const errors = voice.isOld
      ? []
      : [`[ede_diagnostic] result_type=user stop_reason=${String(turn.stopReason)}`];
    this.#finishTurn(
      {
        subtype: 'error_during_execution',
        errors,
        ...(voice.isOld ? {} : { fields: { terminal_reason: reason } }),
      },
      'cancelled',
    );
  }

  // Tools.

  async #useTools(turn: FakeTurn, { calls, together }: Of<'useTools'>): Promise<void> {
    const runs: Array<{ id: string; outcome: Promise<ToolOutcome> | undefined }> = [];
    const isEarly = !this.#session.voice.isOld;
    const isConcurrent = (index: number): boolean =>
      together || index === 0 || calls.slice(0, index + 1).every((call) => this.#tools.isReadOnly(call));
    const start = (index: number): Promise<ToolOutcome> => {
      const call = calls[index];
      const run = runs[index];
      if (!call || !run) throw OVER;
      const outcome = this.#tools.run(call, run.id);
      outcome.catch(() => {});
      run.outcome = outcome;
      return outcome;
    };
    this.#isCallingTools = true;
    for (const [index, call] of calls.entries()) {
      const id = call.id ?? `toolu_fake_${randomUUID().slice(0, 8)}`;
      runs.push({ id, outcome: undefined });
      if (index > 0) await this.#breathe();
      turn.useTool(id, call.name, { ...call.input });
      // The newer CLI does not wait for the rest of the message.
      if (isEarly && isConcurrent(index)) void start(index);
    }
    turn.closeMessage();
    const done = new Set<string>();
    let stopsTurn = false;
    const finish = (outcome: ToolOutcome): void => {
      done.add(outcome.answer.toolUseId);
      this.#answers.push(outcome.answer);
      this.#tellResult(turn, outcome);
      stopsTurn ||= outcome.stopsTurn;
    };
    try {
      for (let index = 0; index < runs.length;) {
        let next = index;
        while (next < runs.length && (next === index || isConcurrent(next))) next += 1;
        const group = runs.slice(index, next);
        const started = group.map(({ outcome }, offset) => outcome ?? start(index + offset));
        await Promise.all(started.map(async (outcome) => finish(await outcome)));
        index = next;
      }
    } catch (error) {
      if (error === INTERRUPTED)
        this.#stopTools(
          turn,
          runs.map(({ id }) => id).filter((id) => !done.has(id)),
        );
      throw error;
    }
    if (stopsTurn) throw INTERRUPTED;
    this.#isCallingTools = false;
    this.#foldPrompts(turn);
  }

  #tellResult(turn: FakeTurn, { answer, content, toolUseResult }: ToolOutcome): void {
    const block = {
      tool_use_id: answer.toolUseId,
      type: 'tool_result',
      content,
      ...(answer.isError && { is_error: true }),
    };
    turn.addUserLine([block], { tool_use_result: toolUseResult });
  }

  #stopTools(turn: FakeTurn, ids: readonly string[]): void {
    this.#settlePermissions();
    for (const id of ids) {
      const block = { type: 'tool_result', content: STOPPED_TOOL, is_error: true, tool_use_id: id };
      turn.addUserLine([block], { tool_use_result: `Error: ${STOPPED_TOOL}` });
    }
  }

  #askPermission(request: WireObject): Asked {
    const { voice } = this.#session;
    this.#openPermissions += 1;
    if (this.#openPermissions === 1) voice.changeState('requires_action');
    const asked = this.#session.ask(request);
    const reply = asked.reply.then((answer) => {
      this.#openPermissions -= 1;
      if (this.#openPermissions === 0) voice.changeState('running');
      return answer;
    });
    reply.catch(() => {});
    return { ...asked, reply };
  }

  #settlePermissions(): void {
    if (this.#openPermissions > 0) this.#session.voice.changeState('running');
    this.#openPermissions = 0;
  }

  async #fireHooks(
    event: string,
    input: WireObject,
    about?: { tool: string; toolUseId: string },
    cancelWhen?: PromiseLike<unknown>,
  ): Promise<HookVerdict> {
    const { voice, initialize = {} } = this.#session;
    const ids = findHooks(initialize, event, about?.tool);
    const toolUseId = about?.toolUseId ?? randomUUID();
    const asked = ids.map((id) =>
      this.#session.ask({
        subtype: 'hook_callback',
        callback_id: id,
        input: {
          session_id: voice.sessionId,
          transcript_path: '',
          cwd: voice.cwd,
          permission_mode: voice.permissionMode,
          hook_event_name: event,
          ...input,
        },
        tool_use_id: toolUseId,
      }),
    );
    for (const { question } of asked) this.#cancelLater(question, cancelWhen);
    const replies = await Promise.all(asked.map(({ reply }) => reply));
    if (!voice.isOld && replies.some(({ kind }) => kind === 'failure')) {
      voice.system('informational', { level: 'warning', tag: 'hook_callback_failed' });
    }
    return judgeHooks(replies);
  }

  async #keepReply({ question, reply }: Asked, cancelWhen: PromiseLike<unknown> | undefined): Promise<void> {
    this.#cancelLater(question, cancelWhen);
    const answer = await reply;
    this.#reply = answer.kind === 'success' ? answer.response : undefined;
  }

  #cancelLater(question: Asked['question'], cancelWhen: PromiseLike<unknown> | undefined): void {
    if (!cancelWhen) return;
    const cancel = (): void => this.#session.cancel(question);
    void Promise.resolve(cancelWhen).then(cancel, cancel);
  }

  // Tasks, compaction, prompts.

  async #finishTask({ id, status, summary }: Of<'finishTask'>): Promise<void> {
    await this.#waitForHost();
    const task = this.#tasks.finish(id, status, summary);
    if (!task) throw new TypeError(`finishTask(${id ?? ''}): there is no such task in the background`);
    if (this.#session.voice.isOld) return;
    const origin = { kind: 'task-notification', producer: 'session-task', runId: task.id };
    if (this.#turn) this.#hasOwnTurnDue = origin;
    else this.#beginOwnTurn(origin);
  }

  /** The host stops a task. */
  stopTask(id: string): boolean {
    const task = this.#tasks.find(id);
    if (!task) return false;
    this.#tasks.finish(id, 'stopped', 'Stopped.');
    if (this.#turn) return true;
    // The end of an agent makes the CLI speak once more, that of a shell does not.
    if (task.type === 'agent') {
      this.#beginOwnTurn({ kind: 'task-notification', producer: 'session-task', runId: task.id });
      this.#finishTurn({ text: '' });
    } else this.#session.voice.changeState('idle');
    return true;
  }

  async #compact(): Promise<void> {
    const { voice } = this.#session;
    const isOwnTurn = this.#turn === undefined;
    const turn = await this.#needTurn();
    await this.#fireHooks('PreCompact', {
      trigger: isOwnTurn ? 'manual' : 'auto',
      custom_instructions: null,
    });
    voice.system('status', { status: 'compacting' });
    voice.system('status', { status: null, ...(voice.isOld ? {} : { compact_result: 'success' }) });
    voice.system('compact_boundary', {
      compact_metadata: { trigger: isOwnTurn ? 'manual' : 'auto', pre_tokens: 15 },
    });
    voice.user('This session is being continued from a previous conversation that ran out of context.', {
      isSynthetic: true,
    });
    if (!isOwnTurn) return;
    voice.user('<local-command-stdout>Compacted </local-command-stdout>', { isReplay: true });
    turn.userLines = -1;
    this.#finishTurn({ text: '' });
  }

  async #expectPrompt({ matcher }: Of<'expectPrompt'>): Promise<void> {
    await this.#closeTurn();
    await this.#needTurn();
    const prompt = this.#prompt;
    const fits =
      matcher === undefined ||
      (typeof matcher === 'string'
        ? prompt.includes(matcher)
        : typeof matcher === 'function'
          ? matcher(prompt)
          : new RegExp(matcher).test(prompt));
    if (!fits)
      this.#session.complain(`the prompt is not what the script expects (${String(matcher)}): ${prompt}`);
  }

  // Prompts the script has nothing for are answered, so that their host is not left waiting.
  async #serveTheRest(): Promise<void> {
    const { prompts } = this.#session;
    for (;;) {
      const next = await this.#until(() => {
        if (prompts.length > 0) return 'prompt' as const;
        return this.#session.isInputEnded && !this.#session.ignoresEnd ? ('end' as const) : undefined;
      });
      if (next === 'end') return;
      await this.#beginTurn();
      const turn = this.#turn as FakeTurn | undefined;
      if (!turn) continue;
      this.#session.complain(`a prompt for which the script has no turn: ${this.#prompt}`);
      this.#finishTurn({ isError: true, text: 'The script of the fake CLI has no turn for this prompt.' });
    }
  }

  async #waitForHost(): Promise<void> {
    await this.#until(() => (this.#session.initialize ? true : undefined));
  }

  // Waiting.

  #until<T>(look: () => T | undefined): Promise<T> {
    this.#session.startReading();
    return this.#session.bell.until(() => {
      if (this.#session.isOver) throw OVER;
      if (this.isInterrupted) throw INTERRUPTED;
      return look();
    });
  }

  async #breathe(): Promise<void> {
    this.#session.startReading();
    await new Promise((resolve) => schedule(resolve));
    if (this.#session.isOver) throw OVER;
    if (this.isInterrupted) throw INTERRUPTED;
  }

  /** Nothing more can come: leaves as a CLI at the end of its input. */
  #abandon(): Error {
    this.#session.leave({ code: this.#isLastResultError ? 1 : 0 });
    return OVER;
  }

  /** The steps that were never played, as sentences. */
  listLeftOver(): string[] {
    if (this.#hasCrashed || this.#isDone) return [];
    const left = this.#pending.map(nameItem);
    return left.length === 0 ? [] : [`steps of the script were not played: ${left.join(', ')}`];
  }

  #listTools(): string[] {
    return [...BUILT_IN, ...this.#session.servers.listToolNames()];
  }

  #createContext(): FakeContext {
    const { index, launch, initialize = {} } = this.#session;
    const answers = this.#answers;
    return {
      index,
      prompt: this.#prompt,
      get answer() {
        const last = answers.at(-1);
        if (!last) throw new TypeError('The context has no answer: no tool was called yet');
        return last;
      },
      answers,
      reply: this.#reply,
      args: launch.args,
      env: launch.env,
      initialize,
    };
  }
}

function wordPermission({ tool, input, fields }: Of<'askPermission'>): WireObject {
  return {
    subtype: 'can_use_tool',
    tool_name: tool,
    input,
    tool_use_id: `toolu_fake_${randomUUID().slice(0, 8)}`,
    ...fields,
  };
}

function isList(item: FakeScriptItem): item is readonly FakeScriptItem[] {
  return Array.isArray(item);
}

function nameItem(item: FakeScriptItem): string {
  if (typeof item === 'function') return 'a function';
  if (isList(item)) return item.map(nameItem).join(', ');
  if (item.do === 'useTools') return `useTool(${item.calls.map(({ name }) => name).join(', ')})`;
  return isWireObject(item) ? String(item['do']) : 'a step';
}
