// Tool calls of the journal in memory. A call is written down before its handler runs, so that a worker that takes over knows
// of it.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { CallRecord, Fence, Json, KnownCall } from '../records.js';
import { requireFence } from './fence.js';
import { requireTurn, type MemoryState } from './memory-state.js';
import { requireUnderWay } from './under-way.js';

/** `Journal.beginCall`. */
export function beginCall(state: MemoryState, { key, ...fence }: Fence, call: CallRecord): KnownCall {
  const conversation = requireFence(state, { key, ...fence });
  requireUnderWay(conversation, requireTurn(conversation, call.turn));
  const { callKey, turn, toolName, input } = call;
  const known = conversation.calls.get(callKey);
  if (known?.result !== undefined) return { state: 'ended', begun: known.begun, result: known.result };
  if (!known) {
    const first = { callKey, turn, toolName, input, epoch: fence.epoch, begun: 1, ended: 0, endedEpoch: 0 };
    conversation.calls.set(callKey, first);
    return { state: 'new' };
  }
  if (known.epoch !== fence.epoch) {
    known.epoch = fence.epoch;
    known.begun += 1;
  }
  const before = known.begun - 1;
  return before === 0 ? { state: 'new' } : { state: 'begun', begun: before };
}

/** `Journal.endCall`. */
export function endCall(state: MemoryState, fence: Fence, callKey: string, result: Json): void {
  const conversation = requireFence(state, fence);
  const call = conversation.calls.get(callKey);
  if (!call) {
    throw new InvalidOptionsError(['callKey'], `No call "${callKey}" was begun in "${fence.key}"`);
  }
  call.result = result;
  if (call.endedEpoch !== fence.epoch) call.ended += 1;
  call.endedEpoch = fence.epoch;
  call.epoch = fence.epoch;
}
