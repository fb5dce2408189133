// Finds out whether a stored question was removed by another process, for the callers that wait for its answer.
import type { ApprovalStore } from './approval.js';

/** The method of a store that tells a removed question from a question whose file exists but does not count. */
export const IS_REMOVED: unique symbol = Symbol('isRemoved');

/** A store that may have this method. */
export interface RemovalStore extends ApprovalStore {
  /**
   * Whether nothing is left of a stored question. Rejects if that cannot be known, for example because the folder is
   * gone.
   */
  [IS_REMOVED]?: (id: string) => Promise<boolean>;
}

/**
 * Whether a question that a store did not find was removed. If the store has no such method, the question counts as
 * removed.
 */
export async function isRemoved(store: RemovalStore, id: string): Promise<boolean> {
  return (await store[IS_REMOVED]?.(id)) ?? true;
}
