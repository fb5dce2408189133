// Shared by the conformance cases for ledgers: the ledger as two processes see it, conversations, entries and facts.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import type { Ledger, LedgerFence, LedgerStore, TakenConversation } from '@inboard/durable/ledger/ledger.js';

/** A ledger to be tested. */
export interface LedgerUnderTest {
  readonly ledger: Ledger;
  /** Opens the same ledger again, as another process would. Default: the same object. */
  readonly open?: (() => Ledger | Promise<Ledger>) | undefined;
  /**
   * The URL of a module that opens the same ledger in another process: `export function openLedger()`. With it, a process is
   * stopped in the middle of its writes. Leave it out for a ledger that lives in one process.
   */
  readonly program?: string | undefined;
  /** Removes what the case has left. */
  readonly close?: (() => void | Promise<void>) | undefined;
}

/** A case. It is given the ledger to run on. */
export interface LedgerCheck {
  readonly name: string;
  run(bench: LedgerBench): Promise<void>;
}

const PROJECT_KEY = 'conformance';

/** A conversation under one fence. */
export interface HeldConversation extends TakenConversation {
  readonly store: LedgerStore;
  readonly key: { projectKey: string; sessionId: string };
}

export class LedgerBench {
  readonly ledger: Ledger;
  /** The same ledger, as another process opens it. */
  readonly other: Ledger;
  readonly program: string | undefined;

  constructor({ ledger, program }: LedgerUnderTest, other: Ledger) {
    this.ledger = ledger;
    this.other = other;
    this.program = program;
  }

  /** Takes a conversation, which must not be busy. */
  async take(name: string = uniqueKey(), ledger: Ledger = this.ledger): Promise<HeldConversation> {
    const taken = await takeNow(ledger, name);
    const key = { projectKey: PROJECT_KEY, sessionId: taken.sessionId };
    return { ...taken, store: ledger.store(taken.fence), key };
  }

  /** Everything that the ledger has of a conversation, as another process reads it. */
  async read({ key }: Pick<HeldConversation, 'key'>): Promise<{ entries: unknown; facts: unknown }> {
    const store = this.other.store();
    return { entries: await store.load(key), facts: await store.calls(key).load() };
  }
}

/** Takes a conversation. A ledger that waits for the attempt before says for how long. */
async function takeNow(ledger: Ledger, name: string): Promise<TakenConversation> {
  for (let tries = 0; tries < 100; tries += 1) {
    const taken = await ledger.take(name, { owner: `owner-${randomUUID()}` });
    if (!('busyUntil' in taken)) return taken;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, taken.busyUntil - Date.now())));
  }
  throw new assert.AssertionError({ message: `take("${name}") said "busy" a hundred times` });
}

export const uniqueKey = (): string => `conversation "${randomUUID()}"`;

/** Asserts that a write was refused because its fence is lost. */
export async function refusesLost(write: () => unknown, what: string): Promise<void> {
  try {
    await write();
  } catch (error) {
    assert.equal(
      (error as { fatal?: unknown } | null)?.fatal,
      true,
      `the error of ${what} must have "fatal: true"`,
    );
    return;
  }
  assert.fail(`${what} must reject once a newer attempt has taken the conversation`);
}

export function createLedgerEntry(text: string = randomUUID()): SessionStoreEntry {
  return { type: 'user', uuid: randomUUID(), message: { role: 'user', content: text } };
}

export function createLedgerFact(callKey: string = `call-${randomUUID()}`): CallFact {
  return { type: 'waiting', callKey, at: 1 };
}

/** A name for each way to write under a fence, and a call of it. */
export function listWrites(
  ledger: Ledger,
  fence: LedgerFence,
  key: HeldConversation['key'],
): [string, () => unknown][] {
  const store = ledger.store(fence);
  return [
    ['append()', () => store.append(key, [createLedgerEntry()])],
    ['add()', async () => await store.calls(key).add(createLedgerFact())],
    ['claim()', () => store.calls(key).claim({ owner: 'a', ttlMs: 60_000 })],
    ['dropCalls()', () => ledger.dropCalls(fence)],
    ...(store.delete ? [['delete()', () => store.delete?.(key)] as [string, () => unknown]] : []),
  ];
}
