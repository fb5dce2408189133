// Tells code inside a tool's handler which call of which conversation it serves. The handler need not pass anything on.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fence } from '../../journal/records.js';

/** A tool call in a cluster. */
export interface ClusterCall {
  /** The key of the conversation. */
  readonly key: string;
  readonly turn: string;
  readonly tenant: string | undefined;
  /** Stays the same when the call is repeated after a crash, so it can serve as an idempotency key. */
  readonly callKey: string;
  /** Which attempt this is, starting at 1. */
  readonly attempt: number;
  /**
   * The fence of the lease under which it runs. Your own transaction can check with `holdFence` that the lease is still the
   * newest.
   */
  readonly fence: Fence;
}

const calls = new AsyncLocalStorage<ClusterCall>();

/** The tool call that the calling code is serving. Undefined outside a tool of a cluster's conversation. */
export function getClusterCall(): ClusterCall | undefined {
  return calls.getStore();
}

/** Runs a handler so that `getClusterCall()` returns this call in it. */
export function runAsCall<T>(call: ClusterCall, run: () => T): T {
  return calls.run(call, run);
}
