// Checks fences for the journal in memory. The owner of the newest lease may write until the lease is given back.
import { LeaseLostError, type LeaseLoss } from '@inboard/core/errors.js';
import type { Fence, LeaseHistory } from '../records.js';
import type { MemoryState, StoredConversation } from './memory-state.js';

/** Why a fence is lost. */
type WhyLost = Extract<LeaseLoss, 'taken' | 'removed' | 'released'>;

/** The conversation of a fence. Throws a LeaseLostError if the fence is lost. */
export function requireFence(state: MemoryState, fence: Fence): StoredConversation {
  const conversation = state.conversations.get(fence.key);
  if (!conversation || !findLease(conversation, fence))
    throw new LeaseLostError(fence, { reason: whyLost(conversation, fence) });
  return conversation;
}

/** The conversation of a fence. Throws a LeaseLostError if the fence is lost, or if its lease has expired. */
export function requireValidFence(state: MemoryState, fence: Fence): StoredConversation {
  const conversation = requireFence(state, fence);
  if (isOver(state, conversation)) throw new LeaseLostError(fence, { reason: 'late' });
  return conversation;
}

/** The lease of a fence, unless the fence is lost. A lease that has expired still counts until another is granted. */
export function findLease({ leases }: StoredConversation, { epoch }: Fence): LeaseHistory | undefined {
  const newest = leases.at(-1);
  return newest && newest.epoch === epoch && !newest.released ? newest : undefined;
}

/** Whether the newest lease has expired. */
export function isOver(state: MemoryState, { leases }: StoredConversation): boolean {
  return state.now() >= (leases.at(-1)?.until ?? 0);
}

/** Why `findLease` does not find the lease of a fence. */
export function whyLost(conversation: StoredConversation | undefined, { epoch }: Fence): WhyLost {
  const newest = conversation?.leases.at(-1)?.epoch ?? 0;
  if (newest < epoch) return 'removed';
  return newest === epoch ? 'released' : 'taken';
}
