// The conformance suite for session stores, as cases that any test runner can run. Each case uses keys of its own, so the
// cases can run on a shared database.
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';
import { CALLS_CASES, DELETE_CASES, LIST_CASES } from './session-store-optional-cases.js';
import { APPEND_CASES } from './session-store-cases.js';
import type { OptionalStoreMethod, StoreCheck } from './session-store-check.js';

/** Makes a store to test. A store with `Symbol.asyncDispose` is disposed of after its case. */
export type StoreFactory = () => SessionStore | Promise<SessionStore>;

/** One thing a store must do. */
export interface SessionStoreCase {
  readonly name: string;
  /** The optional methods that the case tests. It fails for a store without them. */
  readonly needs: readonly OptionalStoreMethod[];
  /** Resolves if the store passes. Otherwise it rejects with an AssertionError. */
  readonly run: (createStore: StoreFactory) => Promise<void>;
}

/** The functions of a test runner, as vitest, jest and node:test have them. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/** The test runner, and what the store can do. */
export interface DescribeSessionStoreOptions extends TestRunner {
  /** The optional methods that the store has. Cases about other methods are not declared. Default: all. */
  readonly methods?: readonly OptionalStoreMethod[] | undefined;
}

/** All cases, for a test runner other than vitest, jest or node:test. */
export function sessionStoreCases(): readonly SessionStoreCase[] {
  return [...APPEND_CASES, ...DELETE_CASES, ...LIST_CASES, ...CALLS_CASES].map((check) => ({
    name: check.name,
    needs: check.needs ?? [],
    run: (createStore) => runCheck(check, createStore),
  }));
}

/** Declares a test for every case: `describeSessionStore('my store', () => new MyStore(), { describe, it })`. */
export function describeSessionStore(
  name: string,
  createStore: StoreFactory,
  { describe, it, methods }: DescribeSessionStoreOptions,
): void {
  const cases = sessionStoreCases().filter(({ needs }) =>
    needs.every((method) => methods?.includes(method) ?? true),
  );
  describe(name, () => {
    for (const each of cases) it(each.name, () => each.run(createStore));
  });
}

async function runCheck(check: StoreCheck, createStore: StoreFactory): Promise<void> {
  const store = await createStore();
  try {
    await check.run(store);
  } finally {
    await (store as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
  }
}
