// Conversations over many machines, and CLIs on other hosts.
import { InboardError, type ErrorFacts } from './base.js';

/** Another worker has taken over the conversation: what this one writes no longer counts. */
export class LeaseLostError extends InboardError {
  static override readonly name: string = 'LeaseLostError';
  declare readonly code: 'LEASE_LOST';
  /** The conversation. */
  readonly key: string;
  /** The epoch of the lost lease. */
  readonly epoch: number;
  /** Ends the session whose store throws it. */
  readonly fatal = true;

  constructor(fence: { key: string; epoch: number }, facts: ErrorFacts = {}) {
    super(
      'LEASE_LOST',
      `The lease ${fence.epoch} on the conversation "${fence.key}" was lost: another worker has taken it over, or it was removed.`,
      facts,
    );
    this.key = fence.key;
    this.epoch = fence.epoch;
  }
}

/** Why a cluster cannot do what was asked. */
export type ClusterFault =
  | 'CONVERSATION_UNKNOWN'
  | 'CONVERSATION_CLOSED'
  | 'TURN_UNKNOWN'
  | 'AGENT_UNKNOWN'
  | 'BUDGET_EXCEEDED'
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
