// A part of a cluster's audit, as a page asks for it and gets it, and the names of what was done.
import type { AuditedDeed, AuditEntry } from '@inboard/cluster/journal/audit-entry.js';

/** Which entries a page shows. */
export interface AuditQuery {
  /** Only entries in front of the one with this number. */
  before?: number | undefined;
  /** Who did it, exactly. */
  by?: string | undefined;
  what?: AuditedDeed | undefined;
  /** A text that an entry contains, in any case. Hidden values are not searched. */
  text?: string | undefined;
  /** The `newest` that the page knows. If it is still the newest, the answer is only that. */
  seen?: number | undefined;
}

/** Some entries, newest first. */
export interface AuditPart {
  /** Without secrets. */
  entries: readonly AuditRow[];
  /** The number of the newest entry of all, whether or not it is one of those asked for; 0 if there is none. */
  newest: number;
  /** The `before` of the next part; undefined if there are no older entries. */
  older?: number | undefined;
  /** Nothing was added since the page has read, so `entries` is empty. */
  isSame?: true | undefined;
  /** Why the audit cannot be read. */
  trouble?: string | undefined;
}

/** An entry, as a page shows it. */
export interface AuditRow extends AuditEntry {
  /** Long texts were cut, or whole inputs left out. */
  isCut?: true | undefined;
}

/** The words for what was done, in the order in which a page lists them. */
export const DEED_WORDS: Readonly<Record<AuditedDeed, string>> = {
  sent: 'sent',
  allowed: 'allowed',
  edited: 'edited',
  denied: 'denied',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  closed: 'closed',
  forgotten: 'forgotten',
  tenantForgotten: 'tenant forgotten',
  pruned: 'pruned',
};

/** Finds what was done by its name in the journal. */
export function readDeed(name: string): AuditedDeed | undefined {
  return Object.hasOwn(DEED_WORDS, name) ? (name as AuditedDeed) : undefined;
}
