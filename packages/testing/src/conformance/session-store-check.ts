// Shared by the conformance cases for session stores: keys and entries to store, and functions that check what a store
// returns.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '@inboard/core/wire/protocol/config/session-store.js';

/** The methods a store may leave out. */
export type OptionalStoreMethod = Exclude<keyof SessionStore, 'append' | 'load'>;

/** A case. It is given the store to run on. */
export interface StoreCheck {
  readonly name: string;
  readonly needs?: readonly OptionalStoreMethod[];
  run(store: SessionStore): Promise<void>;
}

/** A key that no other case and no earlier run has used. */
export function createKey(more: Partial<SessionKey> = {}): SessionKey {
  return { projectKey: `-conformance-${randomUUID()}`, sessionId: randomUUID(), ...more };
}

/** An entry as the CLI writes it, with a new uuid. */
export function createStoreEntry(
  text: string,
  more: Readonly<Record<string, unknown>> = {},
): SessionStoreEntry {
  const message = { role: 'user', content: text };
  return { type: 'user', uuid: randomUUID(), timestamp: '2025-01-02T03:04:05.678Z', message, ...more };
}

/** A number of different entries. */
export function createEntries(count: number, prefix = 'entry'): SessionStoreEntry[] {
  return Array.from({ length: count }, (_, index) => createStoreEntry(`${prefix} ${index}`));
}

/** Checks that a store has exactly these entries under a key. */
export async function expectEntries(
  store: SessionStore,
  key: SessionKey,
  expected: readonly SessionStoreEntry[],
): Promise<void> {
  const loaded = await store.load(key);
  assert.ok(loaded !== null, `load() gave null, ${expected.length} entries were appended`);
  assert.deepEqual(loaded, expected);
}

/** Checks that a store returns null for a key. */
export async function expectNothing(store: SessionStore, key: SessionKey, what: string): Promise<void> {
  assert.equal(await store.load(key), null, `load() of ${what} must give null`);
}

/** Returns a method of the store. Fails if the store does not have it. */
export function requireMethod<Name extends OptionalStoreMethod>(
  store: SessionStore,
  name: Name,
): NonNullable<SessionStore[Name]> {
  const method = store[name];
  assert.ok(method, `the store has no ${name}()`);
  return method.bind(store) as NonNullable<SessionStore[Name]>;
}
