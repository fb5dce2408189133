// Finds out for waiting callers whether another process removed their question from the store.
import type { ApprovalStore } from './approval.js';

/** The method by which a store tells apart a removed question and one whose file exists but does not count. */
export const IS_REMOVED: unique symbol = Symbol('isRemoved');

/** A store that may have the method `IS_REMOVED`. */
export interface RemovalStore extends ApprovalStore {
  /**
   * Whether nothing is left of a stored question. Rejects if that cannot be known, for example because the folder is
   * gone.
   */
  [IS_REMOVED]?: (id: string) => Promise<boolean>;
}

/**
 * Whether a question that a store did not find was removed. If the store does not have the method, the question counts
 * as removed.
 */
export async function isRemoved(store: RemovalStore, id: string): Promise<boolean> {
  return (await store[IS_REMOVED]?.(id)) ?? true;
}
