// How whoever waits learns that a question was removed by somebody else.
import type { ApprovalStore } from './approval.js';

/** The method of a store that can tell a question that was removed from one that is there but does not count. */
export const IS_REMOVED: unique symbol = Symbol('isRemoved');

/** A store that may have that method. */
export interface RemovalStore extends ApprovalStore {
  /** Whether nothing is left of a question that was stored. Rejects where that cannot be known, as with a folder that is gone. */
  [IS_REMOVED]?: (id: string) => Promise<boolean>;
}

/** Whether a question that a store did not find was removed. Other stores have said so by not finding it. */
export async function isRemoved(store: RemovalStore, id: string): Promise<boolean> {
  return (await store[IS_REMOVED]?.(id)) ?? true;
}
