// Who may write: the owner of the newest lease, until it is given back.
import { LeaseLostError, type LeaseLoss } from '@inboard/core/errors.js';
import type { Fence, LeaseHistory } from '../records.js';
import type { MemoryState, StoredConversation } from './memory-state.js';

/** Why a fence counts no more. */
type WhyLost = Extract<LeaseLoss, 'taken' | 'removed' | 'released'>;

/** The conversation of a fence that counts; throws a LeaseLostError for one that is lost. */
export function requireFence(state: MemoryState, fence: Fence): StoredConversation {
  const conversation = state.conversations.get(fence.key);
  if (!conversation || !findLease(conversation, fence))
    throw new LeaseLostError(fence, { reason: whyLost(conversation, fence) });
  return conversation;
}

/** The same, for a fence whose time is not over. */
export function requireValidFence(state: MemoryState, fence: Fence): StoredConversation {
  const conversation = requireFence(state, fence);
  if (isOver(state, conversation)) throw new LeaseLostError(fence, { reason: 'late' });
  return conversation;
}

/** The lease of a fence, unless it is lost. One whose time is over counts until another one is granted. */
export function findLease({ leases }: StoredConversation, { epoch }: Fence): LeaseHistory | undefined {
  const newest = leases.at(-1);
  return newest && newest.epoch === epoch && !newest.released ? newest : undefined;
}

/** Whether the time of the newest lease is over. */
export function isOver(state: MemoryState, { leases }: StoredConversation): boolean {
  return state.now() >= (leases.at(-1)?.until ?? 0);
}

/** Why a fence is lost that `findLease` does not find. */
export function whyLost(conversation: StoredConversation | undefined, { epoch }: Fence): WhyLost {
  const newest = conversation?.leases.at(-1)?.epoch ?? 0;
  if (newest < epoch) return 'removed';
  return newest === epoch ? 'released' : 'taken';
}
