// Shared by the conformance cases for call records: two handles on the records of one session, facts to add, and helpers
// that claim and wait.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  CallClaim,
  CallFact,
  CallRecords,
  HeldClaim,
} from '@inboard/core/wire/protocol/config/call-records.js';

/** The records of one session, to be tested. */
export interface CallRecordsUnderTest {
  /** The records of a session that nothing else uses, as one process would open them. */
  readonly records: CallRecords;
  /** Opens the records of the same session again, as another process would. Default: the same object. */
  readonly open?: (() => CallRecords | Promise<CallRecords>) | undefined;
  /** Moves the clock of claims forward, if that is possible. Without it, a case waits for real time to pass. */
  readonly advance?: ((ms: number) => void | Promise<void>) | undefined;
  /** Removes what the case has left. */
  readonly close?: (() => void | Promise<void>) | undefined;
}

/** A case. It is given the records to run on. */
export interface CallRecordsCheck {
  readonly name: string;
  run(bench: CallRecordsBench): Promise<void>;
}

/** The duration of a claim that does not expire in a case. */
export const LONG_CLAIM_MS = 600_000;
/** The duration of a claim that expires in a case. */
export const SHORT_CLAIM_MS = 150;
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 10;

export class CallRecordsBench {
  readonly records: CallRecords;
  /** The records of the same session, as another process opens them. */
  readonly other: CallRecords;
  /** Records of another session. */
  readonly stranger: CallRecords;
  readonly #advance: CallRecordsUnderTest['advance'];

  constructor(own: CallRecordsUnderTest, other: CallRecords, stranger: CallRecords) {
    this.records = own.records;
    this.other = other;
    this.stranger = stranger;
    this.#advance = own.advance;
  }

  /** Adds facts, one after the other. */
  async add(facts: readonly CallFact[], records: CallRecords = this.records): Promise<void> {
    for (const fact of facts) await records.add(fact);
  }

  /** Asserts that both handles have these facts. */
  async expect(facts: readonly CallFact[], what = 'the facts that were added'): Promise<void> {
    assert.deepEqual(await this.records.load(), facts, `load() must give ${what}`);
    assert.deepEqual(await this.other.load(), facts, `load() of another process must give ${what}`);
  }

  /** Takes the claim, which must be free. */
  async take(ttlMs: number = LONG_CLAIM_MS, records: CallRecords = this.records): Promise<CallClaim> {
    return takenOf(await records.claim({ owner: nameOwner(), ttlMs }));
  }

  /** Takes the claim as soon as the present one has expired. */
  async takeOver(records: CallRecords = this.other): Promise<CallClaim> {
    let claim: CallClaim | undefined;
    await this.until('the claim has run out', async () => {
      const answer = await records.claim({ owner: nameOwner(), ttlMs: LONG_CLAIM_MS });
      if (isTaken(answer)) claim = answer;
      return claim !== undefined;
    });
    return claim as CallClaim;
  }

  /** Waits until a condition holds. Moves the clock if it can be moved. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (let looks = 0; !(await isSo()); looks += 1) {
      assert.ok(performance.now() < end, `gave up after ${PATIENCE_MS / 1000} s of waiting until ${what}`);
      if (looks > 0) await this.#advance?.(SHORT_CLAIM_MS);
      await delay(this.#advance ? 0 : LOOK_EVERY_MS);
    }
  }

  /** Lets some time pass. */
  async pass(): Promise<void> {
    if (this.#advance) await this.#advance(SHORT_CLAIM_MS);
    else await delay(2 * LOOK_EVERY_MS);
  }
}

export const nameOwner = (): string => `process-${randomUUID()}`;

/** Whether a claim was granted. */
export function isTaken(answer: CallClaim | HeldClaim): answer is CallClaim {
  return typeof (answer as Partial<CallClaim>).renew === 'function';
}

/** Asserts that a claim was granted, and returns it. */
function takenOf(answer: CallClaim | HeldClaim): CallClaim {
  assert.ok(isTaken(answer), `claim() gave ${JSON.stringify(answer)} instead of the claim`);
  return answer;
}

/** Asserts that an answer of `claim()` names another holder, and returns it. */
export function heldOf(answer: CallClaim | HeldClaim): HeldClaim {
  assert.ok(!isTaken(answer), 'claim() gave a claim that somebody else has');
  assert.equal(typeof answer.heldBy, 'string', 'heldBy must name who has the claim');
  assert.ok(Number.isFinite(answer.until), 'until must be a time in milliseconds');
  return answer;
}

/** Creates one fact of every kind, nearly all about the same call. */
export function createFacts(callKey: string = uniqueCallKey()): CallFact[] {
  const call = { callKey, toolUseId: `toolu_${callKey}`, toolName: 'mcp__shop__pay', input: { order: 7 } };
  const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] as const;
  return [
    { type: 'covers', message: randomUUID(), at: 1 },
    { type: 'asked', ...call, question: { suggestions: [...suggestions], title: 'Pay?' }, at: 2 },
    {
      type: 'answered',
      callKey,
      answer: { behavior: 'allow', updatedInput: { order: 8 } },
      by: 'ann',
      at: 3,
    },
    { type: 'begun', ...call, ranInput: { order: 8 }, attempt: 1, owner: 'one', at: 4 },
    { type: 'waiting', callKey, at: 5 },
    { type: 'working', callKey, at: 6 },
    { type: 'left', callKey, at: 6 },
    { type: 'progress', callKey, progress: 1, total: 2, message: 'paying', at: 6 },
    {
      type: 'pending',
      callKey,
      note: 'bank',
      output: { server: 'shop', tool: 'pay', schema: { type: 'object' } },
      at: 6,
    },
    {
      type: 'ended',
      callKey,
      result: { content: [{ type: 'text', text: 'paid' }], isError: false },
      by: 'bank',
      completion: 'one',
      at: 7,
    },
    { type: 'withdrawn', callKey: `${callKey}-other`, at: 8 },
  ];
}

/** Creates short facts, each about a different call. */
export function createMany(count: number, prefix: string = uniqueCallKey()): CallFact[] {
  return Array.from({ length: count }, (_, at) => ({ type: 'waiting', callKey: `${prefix}-${at}`, at }));
}

export const uniqueCallKey = (): string => `call-${randomUUID()}`;

/** Creates a fact whose result has this many characters. */
export function createLarge(characters: number): CallFact {
  const text = 'é'.repeat(characters);
  return { type: 'ended', callKey: uniqueCallKey(), result: { content: [{ type: 'text', text }] }, at: 1 };
}
