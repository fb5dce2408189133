// Calling a store somebody else wrote: it may hang, throw before it returns, or reject with anything at all.
import { messageOf } from '../../../util/message-of.js';
import { SessionStoreError } from '../../../errors.js';
import type { SessionStore } from '../../../wire/protocol/control/session-payload.js';

/** Which call it is, for the error. */
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
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      // In a function of its own, so that what is thrown at once is a rejection too.
      (async () => await call())(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const message = `${nameCall(details)} timed out after ${limitMs}ms${nameTarget(details)}`;
          reject(new SessionStoreError(operation, message, { ...pick(sessionId), limitMs, retryable: true }));
        }, limitMs);
      }),
    ]);
  } catch (thrown) {
    if (thrown instanceof SessionStoreError) throw thrown;
    // A store may reject with nothing; whoever reads the cause finds that said.
    const cause = thrown ?? new Error(String(thrown));
    const message = `${nameCall(details)} failed${nameTarget(details)}: ${messageOf(cause)}`;
    throw new SessionStoreError(operation, message, { ...pick(sessionId), cause, retryable: true });
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

function pick(sessionId: string | undefined): { sessionId?: string } {
  return sessionId === undefined ? {} : { sessionId };
}
