// The kinds of data that `inboard cluster prune` removes by age. Each is an option of the command.
import type { RetentionKind } from '@inboard/cluster/journal/retention.js';

const KINDS: Record<RetentionKind, true> = {
  conversations: true,
  transcripts: true,
  calls: true,
  events: true,
  audit: true,
};

/** All kinds, in the order in which they are removed. */
export const PRUNED_KINDS: readonly RetentionKind[] = Object.keys(KINDS) as RetentionKind[];
