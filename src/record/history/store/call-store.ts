// Calling a store that the user wrote: it may hang, throw before it returns, or reject with any value.
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
  /** Milliseconds to wait. */
  readonly limitMs: number;
}

/** Makes a call and waits for it no longer than its limit; rejects with a SessionStoreError only. */
export async function callStore<Value>(
  details: StoreCall,
  call: () => Value | PromiseLike<Value>,
): Promise<Awaited<Value>> {
  const { limitMs, operation, sessionId } = details;
  const session = withoutUndefined({ sessionId });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      // In an async function, so that what the store throws synchronously is a rejection too.
      (async () => await call())(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const message = `${nameCall(details)} timed out after ${limitMs}ms${nameTarget(details)}`;
          reject(new SessionStoreError(operation, message, { ...session, limitMs, retryable: true }));
        }, limitMs);
      }),
    ]);
  } catch (thrown) {
    if (thrown instanceof SessionStoreError) throw thrown;
    // A store may reject with nothing; the cause is an error all the same.
    const cause = thrown ?? new Error(String(thrown));
    const message = `${nameCall(details)} failed${nameTarget(details)}: ${messageOf(cause)}`;
    throw new SessionStoreError(operation, message, { ...session, cause, retryable: true });
  } finally {
    clearTimeout(timer);
  }
}

function nameCall({ store, operation }: StoreCall): string {
  const name = Object.getPrototypeOf(store)?.constructor?.name as unknown;
  const isNamed = typeof name === 'string' && !['', 'Object', 'SessionStore'].includes(name);
  return `SessionStore.${operation}()${isNamed ? ` of ${name}` : ''}`;
}

function nameTarget({ sessionId, subpath }: StoreCall): string {
  if (sessionId === undefined) return '';
  return ` for session ${sessionId}${subpath === undefined ? '' : ` subpath ${subpath}`}`;
}
