// Plays a script in a run of the fake CLI: performs its steps one by one, and deals with what cuts a turn short.
// What a step means on the wire is decided by the conversation, the turn, the tools and the tasks.
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../util/message-of.js';
import type { Asked } from '../host/host-connection.js';
import type { RunParts } from '../run-parts.js';
import { INTERRUPTED, OVER } from '../run-state.js';
import type {
  FakeContext,
  FakeScript,
  FakeStep,
  PromptMatcher,
  ToolAnswer,
  Until,
} from '../script/fake-step.js';
import { isList, RemainingScript } from '../script/remaining-script.js';
import type { FakeConversation } from './fake-conversation.js';
import { playFault } from './play-fault.js';
import { playToolRound } from './tool-round.js';

type Of<Name extends FakeStep['do']> = Extract<FakeStep, { do: Name }>;

export class ScriptPlayer {
  readonly #parts: RunParts;
  readonly #conversation: FakeConversation;
  readonly #script = new RemainingScript();
  readonly #answers: ToolAnswer[] = [];
  #reply: unknown;
  /** Nothing of the script is owed any more: it is played, or it failed or crashed on the way. */
  #isDone = false;

  constructor(parts: RunParts, conversation: FakeConversation) {
    this.#parts = parts;
    this.#conversation = conversation;
  }

  /** Begins to play; never rejects. */
  start(script: FakeScript): void {
    void this.#play(script).catch((error: unknown) => {
      if (error === OVER) return;
      // The test's own code failed, in a step or in the function that gives the script.
      this.#isDone = true;
      this.#parts.state.complain(`the script failed: ${messageOf(error)}`);
      this.#parts.host.leave({ code: 1, stderr: `${String(error)}\n` });
    });
  }

  async #play(script: FakeScript): Promise<void> {
    const items = typeof script === 'function' ? this.#callForScript(script) : script;
    // Without an `await` where none is needed: the first step may precede the first line.
    this.#script.append(...(Array.isArray(items) ? items : await items));
    for (;;) {
      while (this.#script.next !== undefined) await this.#playNext();
      if (!this.#conversation.turn) break;
      this.#script.append({ do: 'endTurn', end: {} });
    }
    this.#isDone = true;
    await this.#serveTheRest();
    this.#conversation.leave();
  }

  #callForScript(script: Extract<FakeScript, (...args: never) => unknown>): ReturnType<typeof script> {
    const { state, inbox } = this.#parts;
    const { args, env } = state.launch;
    const items = script({ index: state.index, args, env, firstPrompt: state.firstPrompt.promise });
    // It may await the first prompt, which has to be read for that.
    if (!Array.isArray(items)) inbox.open();
    return items;
  }

  async #playNext(): Promise<void> {
    const item = this.#script.next;
    if (item === undefined) return;
    if (typeof item === 'function') {
      await this.#parts.inbox.pause();
      const next = await item(this.#createContext());
      this.#script.replaceNext(...(next ? [next] : []));
    } else if (isList(item)) this.#script.replaceNext(...item);
    else await this.#playStep(item);
  }

  async #playStep(step: FakeStep): Promise<void> {
    try {
      // Without this a whole conversation would be written before its host reads the first line.
      if (this.#conversation.turn) await this.#parts.inbox.pause();
      let isPlayed = false;
      const finish = (): void => {
        if (!isPlayed) this.#script.replaceNext();
        isPlayed = true;
      };
      await this.#perform(step, finish);
      finish();
    } catch (error) {
      if (error !== INTERRUPTED) throw error;
      this.#script.skipTurn();
      this.#conversation.endInterruptedTurn();
    }
  }

  async #perform(step: FakeStep, finish: () => void): Promise<void> {
    const conversation = this.#conversation;
    const { host, writer } = this.#parts;
    switch (step.do) {
      case 'say':
        (await conversation.needTurn()).say(step.text);
        return;
      case 'think':
        (await conversation.needTurn()).think(step.text);
        return;
      case 'useTools':
        await playToolRound({
          step,
          conversation,
          pause: () => this.#parts.inbox.pause(),
          isEarly: !writer.isOld,
          onAnswer: (answer) => void this.#answers.push(answer),
        });
        return;
      case 'askPermission':
        await conversation.needTurn();
        await this.#keepReply(this.#askPermission(step), step.cancelWhen);
        return;
      case 'fireHook':
        await this.#waitForInitialize();
        this.#reply = (await conversation.questions.fireHooks(step.event, step.input, step)).outputs[0];
        return;
      case 'ask':
        await this.#waitForInitialize();
        await this.#keepReply(host.ask(step.request), step.cancelWhen);
        return;
      case 'startTask':
        conversation.tasks.start(step.task, await conversation.needTurn());
        return;
      case 'finishTask':
        await this.#waitForInitialize();
        conversation.finishTask(step);
        return;
      case 'compact':
        await conversation.compact();
        return;
      case 'send':
        writer.send(step.message);
        return;
      case 'endTurn':
        // Whoever reads the result may ask at once whether the script is over.
        await conversation.endTurn(step.end, finish);
        return;
      case 'expectPrompt':
        await this.#expectPrompt(step);
        return;
      case 'expectControl':
        await this.#expectControl(step);
        return;
      case 'stall':
        await this.#stall(step);
        return;
      case 'inChunks':
        this.#playInChunks(step);
        return;
      case 'crash':
        this.#crash(step);
        return;
      default:
        playFault(step, this.#parts);
    }
  }

  #crash({ code = 1, signal, stderr }: Of<'crash'>): never {
    this.#isDone = true;
    this.#parts.host.leave({ code, stderr, ...(signal !== undefined && { signal }) });
    throw OVER;
  }

  #playInChunks({ bytes, steps }: Of<'inChunks'>): void {
    this.#parts.lines.chunkBytes = bytes;
    if (bytes > 0) this.#script.insertBehindNext(...steps, { do: 'inChunks', bytes: 0, steps: [] });
  }

  async #stall({ until }: Of<'stall'>): Promise<void> {
    const { state, inbox } = this.#parts;
    await this.#conversation.needTurn();
    let isOver = false;
    const finish = (): void => {
      isOver = true;
      state.notify();
    };
    void Promise.resolve(until ?? new Promise(() => {})).then(finish, finish);
    await inbox.waitFor(() => {
      // Nobody can interrupt any more, so a stall without a promise would never end.
      if (until === undefined && state.isInputEnded) throw this.#conversation.abandon();
      return isOver ? true : undefined;
    });
  }

  #askPermission({ tool, input, fields }: Of<'askPermission'>): Asked {
    return this.#conversation.questions.askPermission({
      subtype: 'can_use_tool',
      tool_name: tool,
      input,
      tool_use_id: `toolu_fake_${randomUUID().slice(0, 8)}`,
      ...fields,
    });
  }

  async #keepReply({ question, reply }: Asked, cancelWhen: Until | undefined): Promise<void> {
    this.#parts.host.cancelWhen(question, cancelWhen);
    const answer = await reply;
    this.#reply = answer.kind === 'success' ? answer.response : undefined;
  }

  async #expectPrompt({ matcher }: Of<'expectPrompt'>): Promise<void> {
    const conversation = this.#conversation;
    if (conversation.turn) await conversation.endTurn({});
    await conversation.needTurn();
    const { prompt } = conversation;
    if (matcher !== undefined && !matchesPrompt(matcher, prompt)) {
      const problem = `the prompt is not what the script expects (${String(matcher)}): ${prompt}`;
      this.#parts.state.complain(problem);
    }
  }

  async #expectControl({ subtype, matcher }: Of<'expectControl'>): Promise<void> {
    const { state, inbox } = this.#parts;
    await inbox.waitFor(() =>
      state.requests.find((request) => request['subtype'] === subtype && (matcher?.(request) ?? true)),
    );
  }

  // Prompts the script has nothing for are answered, so that their host is not left waiting.
  async #serveTheRest(): Promise<void> {
    const { state, prompts, inbox } = this.#parts;
    for (;;) {
      const next = await inbox.waitFor(() => {
        if (prompts.length > 0) return 'prompt' as const;
        return state.isInputEnded ? ('end' as const) : undefined;
      });
      if (next === 'end') return;
      await this.#playUnscripted();
    }
  }

  async #playUnscripted(): Promise<void> {
    const conversation = this.#conversation;
    try {
      await conversation.beginTurn();
      if (!conversation.turn) return;
      this.#parts.state.complain(`a prompt for which the script has no turn: ${conversation.prompt}`);
      const text = 'The script of the fake CLI has no turn for this prompt.';
      conversation.finishTurn({ isError: true, text });
    } catch (error) {
      if (error !== INTERRUPTED) throw error;
      conversation.endInterruptedTurn();
    }
  }

  async #waitForInitialize(): Promise<void> {
    await this.#parts.inbox.waitFor(() => this.#parts.state.initialize);
  }

  /** The steps that were never played, as sentences. */
  listLeftOver(): string[] {
    const left = this.#isDone ? [] : this.#script.listNames();
    return left.length === 0 ? [] : [`steps of the script were not played: ${left.join(', ')}`];
  }

  #createContext(): FakeContext {
    const { index, launch, initialize = {} } = this.#parts.state;
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

function matchesPrompt(matcher: PromptMatcher, prompt: string): boolean {
  if (typeof matcher === 'string') return prompt.includes(matcher);
  return typeof matcher === 'function' ? matcher(prompt) : new RegExp(matcher).test(prompt);
}
