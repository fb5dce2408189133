// The journal as an actor of the run sees it: it stops before and after each call, and what each call gives is compared with
// what the model says.
import type { Journal } from '../../src/journal/journal.js';
import type { Fence, TurnOutcome } from '../../src/journal/records.js';
import type { SessionKey, SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import type { Model, Verdict } from './model.js';
import type { Actor } from './scheduler.js';

/** The journal gave something else than the model. */
class Disagreement extends Error {}

/** What the run keeps beside the journal. */
export interface Books {
  readonly journal: Journal;
  readonly model: Model;
  /** What happened, in order, for the report of a failure. */
  readonly log: string[];
  sent: Array<{ key: string; id: string }>;
  removed: Set<string>;
  runs: Array<{ key: string; callKey: string; epoch: number }>;
}

/** The journal of one actor. */
export class ComparedJournal {
  readonly #books: Books;
  readonly #actor: Actor;

  constructor(books: Books, actor: Actor) {
    this.#books = books;
    this.#actor = actor;
  }

  async enqueue(key: string, id: string, afterMs: number): Promise<void> {
    const start = { agent: 'model', data: null };
    const sent = { key, id, content: `${key} ${id}`, afterMs, start };
    await this.#compare(
      `enqueue ${key} ${id}`,
      (model) => model.enqueue(key, id, afterMs),
      (journal) => journal.enqueue(sent),
      ({ isNew }) => (isNew ? 'new' : 'known'),
      (verdict) => {
        if (verdict === 'new') this.#books.sent.push({ key, id });
        if (verdict === 'new') this.#books.removed.delete(key);
      },
    );
  }

  async cancel(key: string, id: string): Promise<void> {
    await this.#compare(
      `cancel ${key} ${id}`,
      (model) => model.cancel(key, id),
      (journal) => journal.cancel(key, id),
    );
  }

  async interrupt(key: string): Promise<void> {
    await this.#compare(
      `interrupt ${key}`,
      (model) => model.interrupt(key),
      (journal) => journal.interrupt(key),
    );
  }

  async closeConversation(key: string): Promise<void> {
    await this.#compare(
      `close ${key}`,
      (model) => model.closeConversation(key),
      (journal) => journal.closeConversation(key),
      () => 'done',
    );
  }

  async remove(key: string): Promise<void> {
    const books = this.#books;
    await this.#compare(
      `remove ${key}`,
      (model) => model.remove(key),
      (journal) => journal.remove(key),
      String,
      () => {
        books.sent = books.sent.filter((each) => each.key !== key);
        books.removed.add(key);
      },
    );
  }

  async pause(ms: number): Promise<void> {
    const pause = (model: Model): Verdict => {
      model.pausedUntil = Math.max(model.pausedUntil, model.now + ms);
      return 'done';
    };
    await this.#compare(
      `pause ${ms}`,
      pause,
      (journal) => journal.pause({ ms, reason: 'model' }),
      () => 'done',
    );
  }

  async answer(id: string): Promise<void> {
    const answer = { result: { behavior: 'allow' as const, updatedInput: {} }, answeredAt: 0 };
    await this.#compare(
      `answer ${id}`,
      (model) => model.answer(id),
      (journal) => journal.answer(id, answer),
      ({ taken, key }) => `${taken} ${key}`,
    );
  }

  async questions(): Promise<string[]> {
    await this.#actor.pause();
    return (await this.#books.journal.questions()).map(({ id }) => id);
  }

  async due(): Promise<string[]> {
    const keys = (due: readonly { key: string }[]): string =>
      due
        .map(({ key }) => key)
        .sort()
        .join(' ');
    const due = await this.#compare(
      'due',
      (model) => model.due().join(' '),
      (journal) => journal.due(1000),
      keys,
    );
    return due.map(({ key }) => key);
  }

  async lease(key: string, ms: number): Promise<Fence | undefined> {
    let given: number | undefined;
    const answer = await this.#compare(
      `lease ${key}`,
      (model) => model.lease(key, ms, given),
      async (journal) => {
        const taken = await journal.lease(key, { owner: this.#actor.name, ms });
        if (taken.state === 'granted') given = taken.fence.epoch;
        return taken;
      },
      ({ state }) => state,
    );
    return answer.state === 'granted' ? answer.fence : undefined;
  }

  /** Whether it is held, and the turn to end. */
  async renew(fence: Fence, ms: number): Promise<{ held: boolean; stop?: string | undefined }> {
    const { key, epoch } = fence;
    const [renewed] = await this.#compare(
      `renew ${key}@${epoch}`,
      (model) => model.renew(key, epoch, ms),
      (journal) => journal.renew([fence], ms),
      ([first]) => (first?.held ? `held${first.stop === undefined ? '' : ` ${first.stop}`}` : 'lost'),
    );
    return renewed ?? { held: false };
  }

  async release(
    fence: Fence,
    left?: { turn: string; turnCostUsd: number; afterMs?: number; failed?: boolean },
  ): Promise<void> {
    const { key, epoch } = fence;
    await this.#compare(
      `release ${key}@${epoch}`,
      (model) => model.release(key, epoch, left),
      (journal) => journal.release(fence, left),
    );
  }

  async next(fence: Fence) {
    const { key, epoch } = fence;
    return await this.#compare(
      `next ${key}@${epoch}`,
      (model) => model.next(key, epoch),
      (journal) => journal.next(fence),
      (turn) => (turn ? `${turn.id} attempt ${turn.attempt}${turn.stop ? ' stop' : ''}` : 'none'),
    );
  }

  async finish(fence: Fence, turn: string, outcome: TurnOutcome): Promise<boolean> {
    const { key, epoch } = fence;
    return await this.#compare(
      `finish ${key}@${epoch} ${turn} ${outcome.kind}`,
      (model) => model.finish(key, epoch, turn, outcome.kind),
      (journal) => journal.finish(fence, turn, { outcome, events: [{ turn, type: 'text', text: 'last' }] }),
    );
  }

  /** As two methods, where the journal has none for both. */
  async finishAndNext(fence: Fence, turn: string, outcome: TurnOutcome): Promise<void> {
    const { key, epoch } = fence;
    if (!this.#books.journal.finishAndNext) {
      await this.finish(fence, turn, outcome);
      return;
    }
    await this.#compare(
      `finishAndNext ${key}@${epoch} ${turn} ${outcome.kind}`,
      (model) => model.finishAndNext(key, epoch, turn, outcome.kind),
      async (journal) =>
        (await journal.finishAndNext?.(fence, turn, {
          outcome,
          events: [{ turn, type: 'text', text: 'last' }],
        })) ?? { ended: false },
      ({ ended, next }) =>
        `${ended} ${next ? `${next.id} attempt ${next.attempt}${next.stop ? ' stop' : ''}` : 'none'}`,
    );
  }

  async park(fence: Fence, turn: string, question: string): Promise<boolean> {
    const { key, epoch } = fence;
    return await this.#compare(
      `park ${key}@${epoch} ${turn}`,
      (model) => model.park(key, epoch, turn, [question]),
      (journal) => journal.park(fence, turn, { questions: [question], turnCostUsd: 0.1 }),
    );
  }

  async ask(fence: Fence, turn: string, id: string): Promise<boolean> {
    const { key, epoch } = fence;
    const answer = await this.#compare(
      `ask ${key}@${epoch} ${id}`,
      (model) => model.ask(key, epoch, turn, id),
      (journal) => journal.ask(fence, turn, { id, kind: 'permission', attempt: 1, askedAt: 0, input: {} }),
      (given) => (given ? 'answered' : 'asked'),
    );
    return answer !== undefined;
  }

  async beginCall(fence: Fence, turn: string, call: { callKey: string; toolName: string }) {
    const { key, epoch } = fence;
    return await this.#compare(
      `beginCall ${key}@${epoch} ${call.callKey}`,
      (model) => model.beginCall(key, epoch, turn, call.callKey),
      (journal) => journal.beginCall(fence, { ...call, turn, input: {} }),
      (known) => (known.state === 'begun' ? `begun ${known.begun}` : known.state),
    );
  }

  async endCall(fence: Fence, callKey: string): Promise<void> {
    const { key, epoch } = fence;
    const end = (journal: Journal): Promise<void> => journal.endCall(fence, callKey, `result of ${epoch}`);
    await this.#compare(
      `endCall ${key}@${epoch} ${callKey}`,
      (model) => model.endCall(key, epoch, callKey),
      end,
      () => 'done',
    );
  }

  async publish(fence: Fence, turn: string, batch?: string): Promise<void> {
    await this.#write('publish', fence, (journal) =>
      journal.publish(fence, [{ turn, type: 'text', text: 'x' }], batch),
    );
  }

  async append(fence: Fence, at: SessionKey, entry: SessionStoreEntry): Promise<void> {
    await this.#write('append', fence, (journal) => journal.store(fence).append(at, [entry]));
  }

  async load(at: SessionKey): Promise<SessionStoreEntry[]> {
    await this.#actor.pause();
    return (await this.#books.journal.store().load(at)) ?? [];
  }

  async sessionOf(key: string): Promise<string | undefined> {
    await this.#actor.pause();
    return (await this.#books.journal.conversation(key))?.sessionId;
  }

  async #write(what: string, fence: Fence, run: (journal: Journal) => Promise<unknown>): Promise<void> {
    const { key, epoch } = fence;
    await this.#compare(
      `${what} ${key}@${epoch}`,
      (model) => model.write(key, epoch),
      run,
      () => 'done',
    );
  }

  async #compare<T>(
    what: string,
    predict: (model: Model) => Verdict,
    run: (journal: Journal) => Promise<T>,
    judge: (given: T) => Verdict = String,
    note: (verdict: Verdict) => void = () => undefined,
  ): Promise<T> {
    const { journal, model, log } = this.#books;
    await this.#actor.pause();
    let given: T | undefined;
    let fault: unknown;
    let verdict: Verdict;
    try {
      given = await run(journal);
      verdict = judge(given);
    } catch (error) {
      fault = error;
      verdict = String((error as { code?: unknown }).code ?? error);
    }
    const expected = predict(model);
    log.push(`${model.now} ${this.#actor.name}: ${what} -> ${verdict}`);
    if (verdict !== expected)
      throw new Disagreement(`${what} gave "${verdict}", the model says "${expected}"`);
    note(verdict);
    // Committed: the caller does not know it yet.
    await this.#actor.pause();
    if (fault !== undefined) throw fault;
    return given as T;
  }
}
