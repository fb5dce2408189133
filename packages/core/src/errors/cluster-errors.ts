// Errors of clusters, and of CLIs on other hosts.
import { InboardError, type ErrorFacts } from './base.js';

/**
 * Why a lease is lost. `taken`: another worker has the conversation. `removed`: the conversation was removed. `released`:
 * the worker gave the lease back. `late`: the worker did not renew it in time, because its process was stopped or its
 * event loop was blocked. `locked`: a transaction kept the conversation locked, so that the lease could not be renewed.
 * `unreachable`: the journal did not answer in time.
 */
export type LeaseLoss = 'taken' | 'removed' | 'released' | 'late' | 'locked' | 'unreachable';

const WHY_LOST: Readonly<Record<LeaseLoss, string>> = {
  taken: 'another worker has taken the conversation over',
  removed: 'the conversation was removed',
  released: 'this worker has given it back',
  late: 'this worker did not renew it in time, because its process was stopped or its event loop was blocked',
  locked: 'a transaction kept the conversation locked for too long, so that the lease could not be renewed',
  unreachable: 'the journal did not answer in time to renew it',
};

/**
 * The worker has lost its lease on the conversation, so the journal refuses its writes. `reason` says why, if that is
 * known.
 */
export class LeaseLostError extends InboardError {
  static override readonly name: string = 'LeaseLostError';
  declare readonly code: 'LEASE_LOST';
  /** The key of the conversation. */
  readonly key: string;
  /** The epoch of the lost lease. */
  readonly epoch: number;
  /** Why it is lost: `taken`, `removed`, `released`, `late`, `locked` or `unreachable`. Missing if the journal does not say. */
  declare readonly reason?: LeaseLoss;
  /** A session ends when its session store throws an error with this field. */
  readonly fatal = true;

  constructor(
    fence: { key: string; epoch: number },
    facts: ErrorFacts & { reason?: LeaseLoss | undefined } = {},
  ) {
    const { reason } = facts;
    const why =
      reason === undefined
        ? 'it was given back, another worker has taken the conversation over, or the conversation was removed'
        : WHY_LOST[reason];
    super(
      'LEASE_LOST',
      `The lease ${fence.epoch} on the conversation "${fence.key}" is lost: ${why}.`,
      facts,
    );
    this.key = fence.key;
    this.epoch = fence.epoch;
    if (reason !== undefined) this.reason = reason;
  }
}

/** Why a cluster cannot do what was asked. */
export type ClusterFault =
  | 'CONVERSATION_UNKNOWN'
  | 'CONVERSATION_CLOSED'
  | 'TURN_UNKNOWN'
  | 'AGENT_UNKNOWN'
  | 'BUDGET_EXCEEDED'
  | 'BUDGET_RESERVED'
  | 'BUDGET_FAILED'
  | 'TURN_TRIED_TOO_OFTEN'
  | 'CLUSTER_CLOSED'
  | 'CLUSTER_LIBRARY_MISSING'
  | 'JOURNAL_UNAVAILABLE'
  | 'JOURNAL_VERSION'
  | 'DISPATCHER_UNAVAILABLE';

/** A cluster cannot do what was asked. */
export class ClusterError extends InboardError {
  static override readonly name: string = 'ClusterError';
  declare readonly code: ClusterFault;
  /** The conversation concerned, if any. */
  declare readonly key?: string;

  constructor(code: ClusterFault, message: string, facts: ErrorFacts & { key?: string } = {}) {
    super(code, message, facts);
    if (facts.key !== undefined) this.key = facts.key;
  }
}

/** Why a CLI on another host cannot be used. */
export type RemoteFault =
  | 'REMOTE_REFUSED'
  | 'REMOTE_LINK_LOST'
  | 'REMOTE_LISTEN_FAILED'
  | 'REMOTE_NOT_SECURE'
  | 'REMOTE_PROTOCOL'
  | 'REMOTE_START_FAILED';

/** A CLI on another host cannot be used. */
export class RemoteError extends InboardError {
  static override readonly name: string = 'RemoteError';
  declare readonly code: RemoteFault;
  constructor(code: RemoteFault, message: string, facts: ErrorFacts = {}) {
    super(code, message, facts);
  }
}

/** Why a conversation on Temporal does not do what was asked. */
export type TemporalFault =
  'TEMPORAL_TURN_FAILED' | 'TEMPORAL_TURN_UNKNOWN' | 'TEMPORAL_TURN_FORGOTTEN' | 'TEMPORAL_ANSWER_REFUSED';

/** A conversation on Temporal has no outcome for a turn, or does not take an answer. */
export class TemporalError extends InboardError {
  static override readonly name: string = 'TemporalError';
  declare readonly code: TemporalFault;
  /** The `type` of the failure that ended the turn, if it has one. */
  declare readonly failureType?: string;

  constructor(code: TemporalFault, message: string, facts: ErrorFacts & { failureType?: string } = {}) {
    super(code, message, facts);
    if (facts.failureType !== undefined) this.failureType = facts.failureType;
  }
}
