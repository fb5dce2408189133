// Who may write: the owner of the newest lease, until it is given back.
import { LeaseLostError } from '../../../errors.js';
import type { Fence, LeaseHistory } from '../records.js';
import type { MemoryState, StoredConversation } from './memory-state.js';

/** The conversation of a fence that counts; throws a LeaseLostError for one that is lost. */
export function requireFence(state: MemoryState, fence: Fence): StoredConversation {
  const conversation = state.conversations.get(fence.key);
  if (!conversation || !findLease(conversation, fence)) throw new LeaseLostError(fence);
  return conversation;
}

/** The lease of a fence, unless it is lost. One whose time is over counts as long as nobody else was given one. */
export function findLease({ leases }: StoredConversation, { epoch }: Fence): LeaseHistory | undefined {
  const newest = leases.at(-1);
  return newest && newest.epoch === epoch && !newest.released ? newest : undefined;
}
