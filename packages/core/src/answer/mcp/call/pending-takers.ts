// Lets the program behind `aroundTool` take pending calls, where it keeps the records itself, as the worker of a cluster does.
import type { PendedCall, RefusedPending } from '../binding/cli-link.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { AroundToolCall } from '../tool/tool-events.js';

/** Leaves a call open, and resolves with its result, or with the reason why there can be none. */
export type TakePending = (call: PendedCall) => Promise<CallToolResult | RefusedPending>;

const takers = new WeakMap<AroundToolCall, TakePending>();

/** Takes this call if its handler returns `pending()`. To be called before the handler runs. */
export function takePending(call: AroundToolCall, take: TakePending): void {
  takers.set(call, take);
}

/** Undefined where the conversation itself records the call. */
export function findPendingTaker(call: AroundToolCall | undefined): TakePending | undefined {
  return call && takers.get(call);
}
