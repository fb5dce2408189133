// Calls a store that the user wrote. Such a store may hang, throw synchronously, or reject with any value.
import { onAbort } from '../../../util/on-abort.js';
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { SessionStoreError } from '../../../errors.js';
import type { SessionStore } from '../../../wire/protocol/config/session-store.js';

/** Which method is called for which transcript, and how long the call may take. */
export interface StoreCall {
  readonly store: SessionStore;
  readonly operation: keyof SessionStore;
  readonly sessionId?: string | undefined;
  readonly subpath?: string | undefined;
  /** Whether an Error of the store is passed on unchanged, because the caller knows the store. Default false. */
  readonly keepsErrors?: boolean | undefined;
  /** How many milliseconds to wait. Default 60 s. */
  readonly limitMs?: number | undefined;
  /** Ends the waiting when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_LIMIT_MS = 60_000;

/**
 * Makes a call, and waits no longer than its limit and its signal allow. Rejects with a SessionStoreError, or with the
 * store's own Error if `keepsErrors` is set.
 */
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
      // In an async function, a synchronous throw of the store becomes a rejection.
      (async () => await call())(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const message = `${nameStoreCall(details)} timed out after ${limitMs}ms${nameTarget(details)}`;
          reject(new SessionStoreError(operation, message, { ...session, limitMs, retryable: true }));
        }, limitMs);
        forgetSignal = signal && onAbort(signal, () => reject(signal.reason as Error));
      }),
    ]);
  } catch (thrown) {
    if (thrown instanceof SessionStoreError) throw thrown;
    if (details.keepsErrors === true && thrown instanceof Error) throw thrown;
    // A store may reject with undefined or null. The cause is then an Error that says so.
    const cause = thrown ?? new Error(String(thrown));
    const message = `${nameStoreCall(details)} failed${nameTarget(details)}: ${messageOf(cause)}`;
    throw new SessionStoreError(operation, message, { ...session, cause, retryable: !saysFatal(cause) });
  } finally {
    clearTimeout(timer);
    forgetSignal?.();
  }
}

/** Whether the store accepts nothing from this process any more. It says so by an error whose `fatal` is true. */
export function isFatal(error: unknown): error is SessionStoreError {
  return error instanceof SessionStoreError && saysFatal(error.cause ?? error);
}

function saysFatal(error: unknown): boolean {
  return isRecord(error) && error['fatal'] === true;
}

/** The method, as in `SessionStore.load() of MyStore`. */
export function nameStoreCall({ store, operation }: StoreCall): string {
  const name = readClassName(store);
  const isNamed = typeof name === 'string' && !['', 'Object', 'SessionStore'].includes(name);
  return `SessionStore.${operation}()${isNamed ? ` of ${name}` : ''}`;
}

/** The transcript of the call, as in ` for session … subpath …`; empty for a whole project. */
export function nameTarget({ sessionId, subpath }: StoreCall): string {
  if (sessionId === undefined) return '';
  return ` for session ${sessionId}${subpath === undefined ? '' : ` subpath ${subpath}`}`;
}

function readClassName(store: SessionStore): unknown {
  try {
    return (Object.getPrototypeOf(store) as { constructor?: { name?: unknown } } | null)?.constructor?.name;
  } catch {
    // The store is a proxy that does not answer this question.
    return undefined;
  }
}
