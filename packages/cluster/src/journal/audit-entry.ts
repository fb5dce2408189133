// The types of a journal's audit: who did what, and when. Workers' own deeds (a turn began, was lost, ended) are events of the
// conversation, and not in the audit.
import type { TenantScope } from './filters.js';
import type { Json } from './records.js';

/**
 * What was done. `edited`: a call was allowed with another input. `completed` and `failed`: a pending call was given a result,
 * or an error. `forgotten` and `tenantForgotten`: data was removed on request. `pruned`: data was removed because of its age.
 */
export type AuditedDeed =
  | 'sent'
  | 'allowed'
  | 'edited'
  | 'denied'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'closed'
  | 'forgotten'
  | 'tenantForgotten'
  | 'pruned';

/** All kinds of deeds. */
export const AUDITED_DEEDS: readonly AuditedDeed[] = [
  'sent',
  'allowed',
  'edited',
  'denied',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
  'closed',
  'forgotten',
  'tenantForgotten',
  'pruned',
];

/** One deed. Entries are in the order of their numbers. Later entries have greater numbers, not always by one. */
export interface AuditEntry {
  seq: number;
  /** Milliseconds since 1970, by the journal's clock. */
  at: number;
  what: AuditedDeed;
  /** Who did it, as the caller said. Undefined if it did not say. */
  by?: string | undefined;
  tenant?: string | undefined;
  /** The key of the conversation. Undefined if it was forgotten, or if the deed is about no conversation. */
  conversation?: string | undefined;
  /** A number that stands for the conversation. It stays when the conversation is forgotten, and no other one ever gets it. */
  conversationNumber?: number | undefined;
  turn?: string | undefined;
  /** The id of the question that was answered. */
  question?: string | undefined;
  toolName?: string | undefined;
  /** The input that the question asked about. This and what follows go when the conversation is removed because of its age. */
  input?: Json | undefined;
  /** For `edited`: the input that was allowed in its place. */
  editedInput?: Json | undefined;
  /** For `denied`: what the model was told. */
  message?: string | undefined;
  /** For `allowed` and `edited`: rules that the answer added. */
  permissions?: Json | undefined;
  /** For `pruned`: the policy, and what was removed. */
  pruned?: Json | undefined;
}

/** Which entries to read. */
export interface AuditFilter extends TenantScope {
  /** Only entries of the conversation with this key, and of those that had it before and were removed because of their age. */
  key?: string | undefined;
  by?: string | undefined;
  what?: AuditedDeed | undefined;
  /** Only entries of this time or later, in milliseconds since 1970. */
  since?: number | undefined;
  /** Only entries before this time. */
  until?: number | undefined;
  /** Only entries behind the one with this number. */
  after?: number | undefined;
  /** Only entries in front of the one with this number. */
  before?: number | undefined;
  /** The newest entries, and the order from new to old. */
  newestFirst?: boolean | undefined;
  /** At most so many. Default 500. A journal may return fewer, also none, although there are more. */
  limit?: number | undefined;
}

/** Some entries, in order. */
export interface AuditPage {
  entries: AuditEntry[];
  /**
   * Where the next page begins: the `after` to ask for, or with `newestFirst` the `before`. Undefined if there are no more entries
   * now.
   */
  next?: number | undefined;
}
