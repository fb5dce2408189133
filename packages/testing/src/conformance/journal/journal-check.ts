// Shared by the conformance cases for journals: a bench with two handles on one journal, and helpers that send, lease and
// wait.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
} from '@inboard/core/answer/permissions/approvals/approval.js';
import type { Journal, LeaseAnswer, NewTurn } from '@inboard/cluster/journal/journal.js';
import type { Fence, Json, TurnOutcome, TurnRecord } from '@inboard/cluster/journal/records.js';

/** A journal to be tested. */
export interface JournalUnderTest {
  /** A handle, as a process would have it. It is closed after the case. */
  readonly journal: Journal;
  /**
   * Opens another handle on the same data, as another process would. It is closed after the case. Default: the same
   * handle.
   */
  readonly open?: (() => Promise<Journal>) | undefined;
  /** Moves the journal's clock forward, if that is possible. Without it, a case waits for real time to pass. */
  readonly advance?: ((ms: number) => void | Promise<void>) | undefined;
}

/** A case. It is given the journal to run on. */
export interface JournalCheck {
  readonly name: string;
  run(bench: JournalBench): Promise<void>;
}

/** The duration of a lease that does not expire in a case. */
export const LONG_LEASE_MS = 600_000;
/** The duration of a lease that expires in a case. */
export const SHORT_LEASE_MS = 150;
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 10;

/** Two handles on one journal, and names that no other case and no earlier run has used. */
export class JournalBench {
  readonly journal: Journal;
  /** A second handle, as another process opens it. */
  readonly other: Journal;
  readonly tenant: string = `tenant-${randomUUID()}`;
  readonly #advance: JournalUnderTest['advance'];

  constructor(journal: Journal, other: Journal, advance: JournalUnderTest['advance']) {
    this.journal = journal;
    this.other = other;
    this.#advance = advance;
  }

  key(name = 'conversation'): string {
    return `${name}-${randomUUID()}`;
  }

  /** Sends a message, with all fields that the first message of a conversation needs. */
  async send(key: string, more: Partial<NewTurn> = {}): Promise<TurnRecord> {
    const start = { agent: 'support', data: { name: 'Ann' }, tenant: this.tenant };
    const id = randomUUID();
    return (await this.journal.enqueue({ key, id, content: `message ${id}`, start, ...more })).turn;
  }

  /** Takes a lease that must be granted. */
  async grant(key: string, ms: number = LONG_LEASE_MS, journal: Journal = this.journal): Promise<Fence> {
    const answer = await journal.lease(key, { owner: `worker-${randomUUID()}`, ms });
    return grantedOf(answer).fence;
  }

  /** Makes a conversation with one running turn. */
  async run(
    ms: number = LONG_LEASE_MS,
    key: string = this.key(),
  ): Promise<{ key: string; fence: Fence; turn: TurnRecord }> {
    await this.send(key);
    const fence = await this.grant(key);
    const turn = await this.journal.next(fence);
    assert.ok(turn, 'next() gave no turn, one was sent');
    // The lease becomes short only now, so that it cannot expire on a slow journal before the turn began.
    if (ms !== LONG_LEASE_MS) await this.journal.renew([fence], ms);
    return { key, fence, turn };
  }

  /** Makes a conversation whose turn is parked because of a question. */
  async park(): Promise<{ key: string; fence: Fence; turn: TurnRecord; question: string }> {
    const running = await this.run();
    const question = createQuestion();
    await this.journal.ask(running.fence, running.turn.id, question);
    const parked = { questions: [question.id], turnCostUsd: 0.5 };
    assert.equal(await this.journal.park(running.fence, running.turn.id, parked), true, 'park() gave false');
    await this.journal.release(running.fence);
    return { ...running, question: question.id };
  }

  /** Waits until the lease of a conversation has run out. */
  async expire(key: string): Promise<void> {
    await this.until('the lease has run out', async () => {
      const found = await this.journal.conversation(key);
      return found !== undefined && found.lease === undefined;
    });
  }

  /** Waits until a condition holds. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (let looks = 0; !(await isSo()); looks += 1) {
      assert.ok(performance.now() < end, `gave up after ${PATIENCE_MS / 1000} s of waiting until ${what}`);
      // Moves the clock if it can be moved. A notification needs real time as well, so there is always a short wait.
      if (this.#advance && looks > 0) await this.#advance(SHORT_LEASE_MS);
      await delay(this.#advance ? 0 : LOOK_EVERY_MS);
    }
  }

  /** Which of these conversations are due, in order. */
  async due(
    keys: readonly string[],
    journal: Journal = this.journal,
  ): Promise<Array<{ key: string; recovered: boolean }>> {
    const all = await journal.due(1_000_000);
    return all.filter(({ key }) => keys.includes(key));
  }

  /** The number of turn events with this state for a turn. */
  async countEvents(key: string, turn: string, state: string): Promise<number> {
    const events = await this.journal.events(key);
    return events.filter((event) => event.type === 'turn' && event.turn === turn && event.state === state)
      .length;
  }

  /** All data of a conversation, to compare before and after. The current lease is left out: it may expire meanwhile. */
  async snapshot(key: string): Promise<unknown> {
    const { conversation, ...rest } = (await this.journal.history(key)) ?? {};
    return JSON.parse(JSON.stringify({ conversation: { ...conversation, lease: null }, ...rest })) as unknown;
  }
}

/** Asserts that an answer of `lease()` grants the lease, and returns it. */
export function grantedOf(answer: LeaseAnswer): Extract<LeaseAnswer, { state: 'granted' }> {
  assert.ok(answer.state === 'granted', `lease() gave ${JSON.stringify(answer)} instead of granting`);
  return answer;
}

/** A question with an id of its own. */
export function createQuestion(more: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  const id = `question-${randomUUID()}`;
  return {
    id,
    kind: 'permission',
    attempt: 1,
    askedAt: 0,
    toolName: 'pay',
    input: { order: 7 },
    ...more,
  };
}

/** An answer that allows. */
export function createAnswer(by = 'ann'): ApprovalAnswer {
  return { result: { behavior: 'allow', updatedInput: { order: 7 } }, answeredAt: 0, by };
}

/** The outcome of a successful turn. */
export function createOutcome(more: Partial<TurnOutcome> = {}): TurnOutcome {
  return { ok: true, kind: 'success', text: 'done', turnCostUsd: 0, ...more };
}

/** Makes the same call many times at once, alternating between the two handles. */
export async function race<T>(
  bench: JournalBench,
  count: number,
  run: (journal: Journal, at: number) => Promise<T>,
): Promise<T[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, at) => run(at % 2 === 0 ? bench.journal : bench.other, at)),
  );
}

/** Asserts that a call is refused with an error that has this code, and returns the error. */
export async function expectRefused(
  call: () => Promise<unknown>,
  code: string,
  what: string,
): Promise<unknown> {
  let refusal: unknown;
  await assert.rejects(
    // A synchronous throw counts too.
    async () => await call(),
    (error: unknown) => {
      assert.equal((error as { code?: unknown }).code, code, `${what}: ${String(error)}`);
      refusal = error;
      return true;
    },
    `${what} must be refused with ${code}`,
  );
  return refusal;
}

/** The numbers from 1 to `count`, as JSON values. */
export function numbers(count: number): Json[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}
