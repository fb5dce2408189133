// A stage for one scene on one engine: a conversation, a scripted model, a home for each pod as on a machine of its own, and the facts
// that the judge needs.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdsWithin, waitUntil } from '../support/wait-until.js';
import { findBroken } from './judge.mjs';

const PATIENCE_MS = 60_000;
export const PROMPT = 'Refund order 7';
export const ANSWER = 'The order is done.';

/**
 * Plays a scene: { scene, engine, rowsOf, conversation, folder, tools, tellsMessages }. `tools` are inboard and inboard/testing,
 * `tellsMessages` says whether the pods are told the messages of turns. Resolves with what was measured; rejects if a promise was broken.
 */
export async function playScene(parts) {
  const stage = new Stage(parts);
  try {
    await stage.open();
    await parts.scene.play(stage);
    const broken = findBroken(await stage.collect());
    if (broken.length > 0)
      throw new Error(
        broken.map(({ promise, what }) => `${promise}: ${what}`).join('\n') + `\n${stage.describe()}`,
      );
    return stage.measured;
  } finally {
    await stage.close();
  }
}

class Stage {
  measured = {};
  #outcomes = [];
  #questions = new Set();
  #taken = [];
  #pods = [];
  #homes = new Map();
  #rowsAtWake;
  #recoveredAt;
  /** The turn that waits behind that of a lost worker. */
  #next;

  constructor(parts) {
    Object.assign(this, parts);
    this.turn = { conversation: this.conversation, id: 'turn-1', content: PROMPT };
    this.effects = join(mkdtempSync(join(this.folder, 'scene-')), 'effects');
  }

  async open() {
    const { text, toolUse, startScriptedModel } = this.tools;
    // It knows only what it is sent, so that a turn that begins again is answered like the first.
    this.model = await startScriptedModel({
      idMark: this.conversation.replaceAll(/\W/g, '_'),
      script: [],
      onExhausted: ({ messages }) => {
        const said = JSON.stringify(messages);
        if (!said.includes(PROMPT)) return text('Hello.');
        return said.includes('"tool_result"') ? text(ANSWER) : toolUse('mcp__shop__refund', { order: '7' });
      },
    });
  }

  /** Starts a pod and waits until it works. */
  async start(name, plan = {}) {
    const { asks = false } = this.scene;
    const home =
      this.#homes.get(name) ?? (await this.tools.createIsolatedEnvironment({ baseUrl: this.model.url }));
    this.#homes.set(name, home);
    const options = { env: home.env, cwd: home.cwd, permissionMode: 'default' };
    const pod = this.engine.startPod(name, {
      options,
      asks,
      effects: this.effects,
      suspendAfterMs: 200,
      turn: this.turn,
      ...plan,
    });
    this.#pods.push(pod);
    await pod.says('ready');
    return pod;
  }

  /** Starts a pod again that has died, without a point at which it dies. */
  restart(name) {
    return this.start(name);
  }

  send() {
    return this.engine.send(this.turn);
  }

  /** The question to people, which is asked exactly once. */
  async question() {
    const { conversation, id } = this.turn;
    const list = async () => (await this.engine.questions(conversation, id)).map((question) => question.id);
    await waitUntil(
      async () => (await list()).length > 0,
      PATIENCE_MS,
      () => `a question. ${this.describe()}`,
    );
    for (const question of await list()) this.#questions.add(question);
    return [...this.#questions].at(-1);
  }

  /** Answers, and then another person answers otherwise: this must change nothing. */
  async answer(id) {
    const { conversation, id: turn } = this.turn;
    const { allow, deny } = this.tools;
    for (const [by, result] of [
      ['ann', allow()],
      ['bob', deny('No.')],
    ])
      this.#taken.push(await this.engine.answer(conversation, turn, { id, result, by }));
  }

  /** A person stops the turn. */
  cancel() {
    return this.engine.cancel(this.turn.conversation, this.turn.id);
  }

  /** Sends the next turn of the conversation, which waits for this one. */
  async sendNext() {
    this.#next = { ...this.turn, id: 'turn-2', content: 'Are you there?' };
    await this.engine.send(this.#next);
  }

  /** The call whose result comes later. */
  async pendingCall() {
    const { conversation, id } = this.turn;
    const list = () => this.engine.pending(conversation, id);
    await waitUntil(
      async () => (await list()).length > 0,
      PATIENCE_MS,
      () => `a pending call. ${this.describe()}`,
    );
    return (await list())[0].callKey;
  }

  /** Any process completes it. */
  async complete(callKey, result) {
    const { conversation, id } = this.turn;
    await this.engine.complete(conversation, id, callKey, result);
  }

  /**
   * Where the engine does not give the work of a lost worker to another one by itself: sees that it is left, although the others work,
   * and asks for it.
   */
  async recover(name) {
    if (!this.engine.recover) return;
    await this.sendNext();
    const other = { ...this.turn, conversation: `${this.conversation}-other`, content: 'Say hello' };
    await this.engine.send(other);
    const { text } = await this.engine.outcome(other.conversation, other.id);
    if (text !== 'Hello.') throw new Error(`The other turn ended with: ${text}`);
    // The next turn of the conversation waits behind it.
    for (const { conversation, id } of [this.turn, this.#next])
      if (await this.engine.isOver(conversation, id))
        throw new Error(
          `The engine is said to leave the conversation of a lost worker alone, but ${id} has ended.`,
        );
    this.measured.recovery = 'by hand';
    this.#recoveredAt = performance.now();
    await this.engine.recover(name);
  }

  async outcome() {
    const outcome = await this.#readOutcome();
    this.#outcomes.push(outcome);
    this.#measure();
    if (this.#next) await this.#readNext();
  }

  /** The conversation goes on after the turn. */
  async #readNext() {
    const { ok, text } = await this.engine.outcome(this.#next.conversation, this.#next.id);
    if (!ok) throw new Error(`The next turn ended with: ${text}. ${this.describe()}`);
  }

  async #readOutcome() {
    const { conversation, id } = this.turn;
    try {
      return await this.engine.outcome(conversation, id);
    } catch (error) {
      throw new Error(`${error.message}\n${this.describe()}`, { cause: error });
    }
  }

  /** How long it took from the death of a pod, or the request to recover it, until another one worked on the turn. */
  #measure() {
    const [first, ...others] = this.#pods;
    const next = others.at(-1);
    const attempt = next?.lines.find((line) => line.attempt === this.conversation);
    if (!attempt) return;
    const from = Math.max(
      first.diedAt ?? first.find('reached')?.at ?? 0,
      next.name === first.name ? 0 : (this.#recoveredAt ?? next.find('ready').at),
    );
    this.measured.nextAttemptMs = Math.round(attempt.at - from);
  }

  /** Wakes a pod that was stopped, after another one ended its turn. */
  async wake(pod) {
    this.#rowsAtWake = await this.rowsOf(this.conversation);
    pod.child.kill('SIGCONT');
    // It finds out with its next write, or before it.
    await pod.says('refused');
    await holdsWithin(() => pod.hasEnded, 500);
  }

  /** All facts, after every process has ended. The message is sent once more, which must change nothing. */
  async collect() {
    await this.send();
    this.#outcomes.push(await this.#readOutcome());
    const rows = await this.rowsOf(this.conversation);
    // Whatever the second message has begun comes before this turn.
    const last = { ...this.turn, id: 'turn-last', content: 'Are you still there?' };
    await this.engine.send(last);
    const { ok, text } = await this.engine.outcome(last.conversation, last.id);
    if (!ok) throw new Error(`The last turn ended with: ${text}. ${this.describe()}`);
    await this.#endPods();
    return {
      scene: this.scene,
      outcomes: this.#outcomes,
      effects: existsSync(this.effects) ? readFileSync(this.effects, 'utf8').trim().split('\n') : [],
      rows,
      rowsAtWake: this.#rowsAtWake,
      rowsAfter: await this.rowsOf(this.conversation),
      questions: [...this.#questions],
      taken: this.#taken,
      tellsMessages: this.tellsMessages,
      messages: this.model.conversation.findLast(({ body }) => JSON.stringify(body.messages).includes(PROMPT))
        ?.body.messages,
      pods: this.#pods,
      prompt: PROMPT,
      answer: ANSWER,
    };
  }

  async #endPods() {
    for (const { child } of this.#pods) child.kill('SIGKILL');
    await Promise.all(this.#pods.map(({ closed }) => closed));
  }

  async close() {
    await this.#endPods();
    await this.model?.close({ verify: false });
    for (const home of this.#homes.values()) await home.remove();
  }

  describe() {
    return this.#pods.map((pod) => `${pod.name}: ${pod.describe()}`).join('\n');
  }
}
