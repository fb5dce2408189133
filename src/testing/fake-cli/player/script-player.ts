// Plays a script in a session: performs its steps one by one, and deals with what cuts a turn short. What the
// single words mean on the wire is in the conversation, the turn, the tools and the tasks.
import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { playCompaction } from './compaction.js';
import type { FakeConversation } from './fake-conversation.js';
import { INTERRUPTED, OVER } from '../endings.js';
import type { Asked } from '../host/host-servers.js';
import type { FakeRun } from '../fake-run.js';
import type {
  FakeContext,
  FakeScript,
  FakeScriptItem,
  FakeStep,
  ToolAnswer,
  Until,
} from '../script/fake-step.js';
import { playFault } from './play-fault.js';
import { isEndless, isList, nameItem, skipTurn } from '../script/remaining-script.js';
import { playToolRound } from './tool-round.js';

type Of<Name extends FakeStep['do']> = Extract<FakeStep, { do: Name }>;

export class ScriptPlayer {
  readonly #run: FakeRun;
  readonly #conversation: FakeConversation;
  readonly #answers: ToolAnswer[] = [];
  #pending: FakeScriptItem[] = [];
  #reply: unknown;
  #hasCrashed = false;
  #hasFailed = false;
  #isDone = false;

  constructor(session: FakeRun, conversation: FakeConversation) {
    this.#run = session;
    this.#conversation = conversation;
  }

  /** Begins to play; never rejects. */
  start(script: FakeScript): void {
    void this.#play(script).catch((error: unknown) => {
      if (error === OVER) return;
      // The test's own code failed, in a step or in the function that gives the script.
      this.#hasFailed = true;
      this.#run.complain(`the script failed: ${error instanceof Error ? error.message : String(error)}`);
      this.#run.leave({ code: 1, stderr: `${String(error)}\n` });
    });
  }

  async #play(script: FakeScript): Promise<void> {
    const session = this.#run;
    if (typeof script === 'function') {
      const { index, launch, firstPrompt } = session;
      const given = script({ index, args: launch.args, env: launch.env, firstPrompt: firstPrompt.promise });
      if (!Array.isArray(given)) session.startReading();
      this.#pending = [...(Array.isArray(given) ? given : await given)];
    } else this.#pending = [...script];
    for (;;) {
      while (this.#pending.length > 0) await this.#playNext();
      if (!this.#conversation.turn) break;
      this.#pending.push({ do: 'endTurn', end: {} });
    }
    this.#isDone = true;
    await this.#serveTheRest();
    session.leave({ code: this.#conversation.isLastResultError ? 1 : 0 });
  }

  async #playNext(): Promise<void> {
    const [item] = this.#pending;
    if (item === undefined) return;
    if (typeof item === 'function') {
      await this.#conversation.breathe();
      const next = await item(this.#createContext());
      this.#pending.splice(0, 1, ...(next ? [next] : []));
    } else if (isList(item)) this.#pending.splice(0, 1, ...item);
    else await this.#playStep(item);
  }

  async #playStep(step: FakeStep): Promise<void> {
    try {
      // Without this a whole session would pass before its host gets to read a word.
      if (this.#conversation.turn) await this.#conversation.breathe();
      let isPlayed = false;
      const finish = (): void => {
        if (!isPlayed) this.#pending.shift();
        isPlayed = true;
      };
      await this.#perform(step, finish);
      finish();
    } catch (error) {
      if (error !== INTERRUPTED) throw error;
      skipTurn(this.#pending);
      this.#conversation.endInterruptedTurn();
    }
  }

  async #perform(step: FakeStep, finish: () => void): Promise<void> {
    const session = this.#run;
    switch (step.do) {
      case 'say':
        (await this.#conversation.needTurn()).say(step.text);
        return;
      case 'think':
        (await this.#conversation.needTurn()).think(step.text);
        return;
      case 'useTools':
        await playToolRound({
          step,
          conversation: this.#conversation,
          isEarly: !session.writer.isOld,
          onAnswer: (answer) => void this.#answers.push(answer),
        });
        return;
      case 'askPermission':
        await this.#conversation.needTurn();
        await this.#keepReply(this.#conversation.askPermission(wordPermission(step)), step.cancelWhen);
        return;
      case 'fireHook':
        await this.#waitForHost();
        this.#reply = (
          await this.#conversation.fireHooks(step.event, step.input, {
            cancelWhen: step.cancelWhen,
          })
        ).outputs[0];
        return;
      case 'ask':
        await this.#waitForHost();
        await this.#keepReply(session.ask(step.request), step.cancelWhen);
        return;
      case 'startTask':
        this.#conversation.tasks.start(step.task, await this.#conversation.needTurn());
        return;
      case 'finishTask':
        await this.#finishTask(step);
        return;
      case 'compact':
        await playCompaction(this.#conversation, session.writer);
        return;
      case 'send':
        session.writer.send(step.message);
        return;
      case 'endTurn':
        // Whoever reads the result may ask at once whether the script is over.
        await this.#conversation.endTurn(step.end, finish);
        return;
      case 'expectPrompt':
        await this.#expectPrompt(step);
        return;
      case 'expectControl':
        await this.#conversation.until(() =>
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
      case 'inChunks': {
        session.output.chunkBytes = step.bytes;
        // The step itself is still at the front; what it holds comes behind it, and then its end.
        const end: FakeStep = { do: 'inChunks', bytes: 0, steps: [] };
        if (step.bytes > 0) this.#pending.splice(1, 0, ...step.steps, end);
        return;
      }
      case 'crash':
        this.#crash(step);
        return;
      default:
        playFault(step, session);
    }
  }

  #crash({ code = 1, signal, stderr }: Of<'crash'>): never {
    this.#hasCrashed = true;
    this.#run.leave({ code, stderr, ...(signal !== undefined && { signal }) });
    throw OVER;
  }

  async #stall({ until }: Of<'stall'>): Promise<void> {
    await this.#conversation.needTurn();
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      this.#run.changes.notify();
    };
    void Promise.resolve(until ?? new Promise(() => {})).then(finish, finish);
    const session = this.#run;
    await this.#conversation.until(() => {
      // Nobody can interrupt any more: with nothing to wait for, the turn is as good as dropped.
      if (until === undefined && session.isInputEnded && !session.ignoresEnd)
        throw this.#conversation.abandon();
      return isOver ? true : undefined;
    });
  }

  async #keepReply({ question, reply }: Asked, cancelWhen: Until | undefined): Promise<void> {
    this.#run.cancelWhen(question, cancelWhen);
    const answer = await reply;
    this.#reply = answer.kind === 'success' ? answer.response : undefined;
  }

  async #finishTask({ id, status, summary }: Of<'finishTask'>): Promise<void> {
    await this.#waitForHost();
    const task = this.#conversation.tasks.finish(id, status, summary);
    if (!task) throw new TypeError(`finishTask(${id ?? ''}): there is no such task in the background`);
    if (this.#run.writer.isOld) return;
    const origin = { kind: 'task-notification', producer: 'session-task', runId: task.id };
    this.#conversation.takeUpTask(origin);
  }

  /** The host stops a task. */
  stopTask(id: string): boolean {
    const task = this.#conversation.tasks.find(id);
    if (!task) return false;
    this.#conversation.tasks.finish(id, 'stopped', 'Stopped.');
    if (this.#conversation.turn) return true;
    // The end of an agent makes the CLI speak once more, that of a shell does not.
    if (task.type === 'agent') {
      this.#conversation.beginOwnTurn({
        kind: 'task-notification',
        producer: 'session-task',
        runId: task.id,
      });
      this.#conversation.finishTurn({ text: '' });
    } else this.#run.writer.changeState('idle');
    return true;
  }

  async #expectPrompt({ matcher }: Of<'expectPrompt'>): Promise<void> {
    await this.#conversation.closeTurn();
    await this.#conversation.needTurn();
    const prompt = this.#conversation.prompt;
    const fits =
      matcher === undefined ||
      (typeof matcher === 'string'
        ? prompt.includes(matcher)
        : typeof matcher === 'function'
          ? matcher(prompt)
          : new RegExp(matcher).test(prompt));
    if (!fits)
      this.#run.complain(`the prompt is not what the script expects (${String(matcher)}): ${prompt}`);
  }

  // Prompts the script has nothing for are answered, so that their host is not left waiting.
  async #serveTheRest(): Promise<void> {
    const { prompts } = this.#run;
    for (;;) {
      const next = await this.#conversation.until(() => {
        if (prompts.length > 0) return 'prompt' as const;
        return this.#run.isInputEnded && !this.#run.ignoresEnd ? ('end' as const) : undefined;
      });
      if (next === 'end') return;
      await this.#playUnscripted();
    }
  }

  async #playUnscripted(): Promise<void> {
    try {
      await this.#conversation.beginTurn();
      if (!this.#conversation.turn) return;
      this.#run.complain(`a prompt for which the script has no turn: ${this.#conversation.prompt}`);
      this.#conversation.finishTurn({
        isError: true,
        text: 'The script of the fake CLI has no turn for this prompt.',
      });
    } catch (error) {
      if (error !== INTERRUPTED) throw error;
      this.#conversation.endInterruptedTurn();
    }
  }

  async #waitForHost(): Promise<void> {
    await this.#conversation.until(() => (this.#run.initialize ? true : undefined));
  }

  /** The steps that were never played, as sentences. */
  listLeftOver(): string[] {
    if (this.#hasCrashed || this.#hasFailed || this.#isDone) return [];
    // A step that waits for ever has done what it is for.
    const left = this.#pending.filter((item, index) => index > 0 || !isEndless(item)).map(nameItem);
    return left.length === 0 ? [] : [`steps of the script were not played: ${left.join(', ')}`];
  }

  #createContext(): FakeContext {
    const { index, launch, initialize = {} } = this.#run;
    const answers = this.#answers;
    return {
      index,
      prompt: this.#conversation.prompt,
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
