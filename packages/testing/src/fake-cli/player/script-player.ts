// Plays a script in a run of the fake CLI, step by step. It then answers any further prompts. It also ends turns that
// are interrupted. `play-step` says what each step does.
import { messageOf } from '@inboard/core/util/message-of.js';
import type { RunParts } from '../run-parts.js';
import { INTERRUPTION, OVER } from '../run-state.js';
import { checkItem, checkScript, isReply, type ScriptRules } from '../script/check-script.js';
import type { FakeScript, FakeScriptItem, FakeStep } from '../script/fake-step.js';
import { isList, RemainingScript } from '../script/remaining-script.js';
import type { FakeConversation } from './fake-conversation.js';
import { endAnsweredTurn, playStep, STEP_KINDS } from './play-step.js';
import { callWithContext } from '../../script/script-context.js';
import { createFakeContext, type Playing } from './playing.js';

export class ScriptPlayer {
  readonly #playing: Playing;
  readonly #rules: ScriptRules;

  constructor(parts: RunParts, conversation: FakeConversation) {
    const script = new RemainingScript();
    this.#playing = { ...parts, conversation, script, answers: [], reply: undefined, isDone: false };
    this.#rules = { kinds: STEP_KINDS, isByHand: parts.state.settings.isByHand };
  }

  /** Begins to play the script. A failure becomes a problem of the run. */
  start(script: FakeScript): void {
    const { state, host } = this.#playing;
    void this.#play(script).catch((error: unknown) => {
      if (error === OVER) return;
      // The test's own code failed, in a step or in the function that returns the script.
      this.#playing.isDone = true;
      state.complain(`the script failed: ${messageOf(error)}`);
      host.leave({ code: 1, stderr: `${String(error)}\n` });
    });
  }

  /** The steps that were never played, as a message. */
  listLeftOver(): string[] {
    const { isDone, script } = this.#playing;
    const left = isDone ? [] : script.listNames();
    return left.length === 0 ? [] : [`steps of the script were not played: ${left.join(', ')}`];
  }

  async #play(given: FakeScript): Promise<void> {
    const { script, conversation } = this.#playing;
    const items = typeof given === 'function' ? this.#callForScript(given) : given;
    // A list is not awaited, because the first step may have to come before the first line.
    const list = Array.isArray(items) ? items : await items;
    checkScript(list, 'script', this.#rules);
    script.append(...list);
    for (;;) {
      while (script.next !== undefined) await this.#playNext(script.next);
      if (!conversation.turn) break;
      script.append({ do: 'endTurn', end: {} });
    }
    this.#playing.isDone = true;
    await this.#serveTheRest();
    conversation.leave();
  }

  #callForScript(script: Extract<FakeScript, (...args: never) => unknown>): ReturnType<typeof script> {
    const { state, inbox } = this.#playing;
    const { args, env } = state.launch;
    const items = script({ index: state.index, args, env, firstPrompt: state.firstPrompt.promise });
    // The function may await the first prompt, so lines must be read before its promise settles.
    if (!Array.isArray(items)) inbox.open();
    return items;
  }

  #playNext(item: FakeScriptItem): void | Promise<void> {
    const { script, state } = this.#playing;
    if (typeof item === 'function') return this.#callItem(item);
    if (isList(item)) return script.replaceNext(...item);
    if (isReply(item)) return this.#playStep({ do: 'reply', reply: item });
    return state.settings.isByHand ? this.#playByHand(item) : this.#playStep(item);
  }

  async #callItem(item: Extract<FakeScriptItem, (...args: never) => unknown>): Promise<void> {
    const { script, inbox, conversation } = this.#playing;
    await inbox.pause();
    // The function gives the next reply, so there must be a prompt to reply to.
    if (conversation.isAnswered || (script.isOfReplies && !conversation.turn)) {
      const hasTurn = await this.#endInterrupted(async () => {
        await endAnsweredTurn('function', this.#playing);
        await conversation.needTurn();
      });
      if (!hasTurn) return;
    }
    const next = await callWithContext(item, createFakeContext(this.#playing));
    if (next) checkItem(next, 'what a function of the script returned', this.#rules);
    script.replaceNext(...(next ? [next] : []));
  }

  /**
   * Plays a step by hand. Steps that wait for nothing follow each other one microtask apart, so that the host can
   * hardly act between them.
   */
  #playByHand(step: FakeStep): void | Promise<void> {
    const { script } = this.#playing;
    const played = playStep(step, this.#playing, () => {});
    return played ? played.then(() => script.replaceNext()) : script.replaceNext();
  }

  async #playStep(step: FakeStep): Promise<void> {
    const { script, conversation, inbox } = this.#playing;
    let isPlayed = false;
    const finish = (): void => {
      if (!isPlayed) script.replaceNext();
      isPlayed = true;
    };
    try {
      // Without this pause, a whole conversation would be written before the host reads the first line.
      if (conversation.turn) await inbox.pause();
      await endAnsweredTurn(step.do, this.#playing);
      await playStep(step, this.#playing, finish);
      finish();
    } catch (error) {
      if (error !== INTERRUPTION) throw error;
      script.skipTurn();
      conversation.endInterruptedTurn();
    }
  }

  /** Runs a function. If the host interrupts the turn meanwhile, ends the turn and returns false. */
  async #endInterrupted(act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      return true;
    } catch (error) {
      if (error !== INTERRUPTION) throw error;
      this.#playing.conversation.endInterruptedTurn();
      return false;
    }
  }

  // Answers prompts for which the script has no steps left, so that the host does not wait for ever.
  async #serveTheRest(): Promise<void> {
    const { state, prompts, inbox } = this.#playing;
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
    const { conversation, state } = this.#playing;
    await this.#endInterrupted(async () => {
      await conversation.beginTurn();
      if (!conversation.turn) return;
      state.complain(`a prompt for which the script has no turn: ${conversation.prompt}`);
      const text = 'The script of the fake CLI has no turn for this prompt.';
      conversation.finishTurn({ isError: true, text });
    });
  }
}
