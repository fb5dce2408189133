// Calling a store that the user wrote: it may hang, throw before it returns, or reject with any value.
import { onAbort } from '../../../util/on-abort.js';
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { SessionStoreError } from '../../../errors.js';
import type { SessionStore } from '../../../wire/protocol/config/session-store.js';

/** What the error says about the call. */
export interface StoreCall {
  readonly store: SessionStore;
  readonly operation: keyof SessionStore;
  readonly sessionId?: string | undefined;
  readonly subpath?: string | undefined;
  /** Whether an Error of the store goes on as it is, for callers who know the store. Default false. */
  readonly keepsErrors?: boolean | undefined;
  /** Milliseconds to wait. Default 60 s. */
  readonly limitMs?: number | undefined;
  /** Ends the waiting when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_LIMIT_MS = 60_000;

/** Makes a call and waits for it no longer than its limit and its signal; rejects with a SessionStoreError only. */
export async function callStore<Value>(
  details: StoreCall,
  call: () => Value | PromiseLike<Value>,
): Promise<Awaited<Value>> {
  const { limitMs = DEFAULT_LIMIT_MS, operation, sessionId, signal } = details;
  const session = withoutUndefined({ sessionId });
  let timer: NodeJS.Timeout | undefined;
  let forgetSignal: (() => void) | undefined;
  try {
    return await Promise.race([
      // In an async function, so that what the store throws synchronously is a rejection too.
      (async () => await call())(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const message = `${nameCall(details)} timed out after ${limitMs}ms${nameTarget(details)}`;
          reject(new SessionStoreError(operation, message, { ...session, limitMs, retryable: true }));
        }, limitMs);
        forgetSignal = signal && onAbort(signal, () => reject(signal.reason as Error));
      }),
    ]);
  } catch (thrown) {
    if (thrown instanceof SessionStoreError) throw thrown;
    if (details.keepsErrors === true && thrown instanceof Error) throw thrown;
    // A store may reject with nothing; the cause is an error all the same.
    const cause = thrown ?? new Error(String(thrown));
    const message = `${nameCall(details)} failed${nameTarget(details)}: ${messageOf(cause)}`;
    throw new SessionStoreError(operation, message, { ...session, cause, retryable: !saysFatal(cause) });
  } finally {
    clearTimeout(timer);
    forgetSignal?.();
  }
}

/** Whether a store has said that it will not take anything from this process any more, by throwing an error whose `fatal` is true. */
export function isFatal(error: unknown): error is SessionStoreError {
  return error instanceof SessionStoreError && saysFatal(error.cause ?? error);
}

function saysFatal(error: unknown): boolean {
  return isRecord(error) && error['fatal'] === true;
}

/** The method, as in `SessionStore.load() of MyStore`. */
export function nameCall({ store, operation }: StoreCall): string {
  const name = readClassName(store);
  const isNamed = typeof name === 'string' && !['', 'Object', 'SessionStore'].includes(name);
  return `SessionStore.${operation}()${isNamed ? ` of ${name}` : ''}`;
}

/** Which transcript it was about, as in ` for session … subpath …`; empty for a whole project. */
export function nameTarget({ sessionId, subpath }: StoreCall): string {
  if (sessionId === undefined) return '';
  return ` for session ${sessionId}${subpath === undefined ? '' : ` subpath ${subpath}`}`;
}

function readClassName(store: SessionStore): unknown {
  try {
    return (Object.getPrototypeOf(store) as { constructor?: { name?: unknown } } | null)?.constructor?.name;
  } catch {
    // A proxy that answers no such question.
    return undefined;
  }
}
