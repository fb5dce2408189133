// The audit of the journal in memory. Each deed is noted by the function that does it, which runs without waiting.
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { AuditEntry, AuditFilter, AuditPage } from '../audit-entry.js';
import type { MemoryState, StoredConversation } from './memory-state.js';

const DEFAULT_LIMIT = 500;

/** Adds an entry, with the conversation that it is about, if there is one. */
export function noteDeed(
  state: MemoryState,
  deed: Omit<AuditEntry, 'seq' | 'at' | 'tenant' | 'conversation' | 'conversationNumber'>,
  conversation?: Pick<StoredConversation, 'number' | 'tenant'> & { key?: string | undefined },
): void {
  state.auditSeq += 1;
  const { key, number, tenant } = conversation ?? {};
  const about = { tenant, conversation: key, conversationNumber: number };
  state.audit.push(withoutUndefined({ seq: state.auditSeq, at: state.now(), ...deed, ...about }));
}

/**
 * Takes everything that came from a conversation out of its entries, and out of those of conversations that had its key before, of
 * this tenant or of any. Returns what one of them says of its conversation.
 */
export function eraseDeeds(
  state: MemoryState,
  key: string,
  of: { tenant: string | undefined } | 'all',
): Pick<AuditEntry, 'conversationNumber' | 'tenant'> | undefined {
  let newest: AuditEntry | undefined;
  replaceEntries(state, (entry) => {
    if (entry.conversation !== key || (of !== 'all' && entry.tenant !== of.tenant)) return entry;
    newest = entry;
    return emptyEntry(entry);
  });
  return newest;
}

/** Takes out of the entries of a conversation what was asked for and answered. */
export function stripDeeds(state: MemoryState, number: number): void {
  replaceEntries(state, (entry) => {
    if (entry.conversationNumber !== number) return entry;
    const { input: _input, editedInput: _edited, message: _message, permissions: _rules, ...others } = entry;
    return others;
  });
}

/** Takes the name of a tenant out of the entries of conversations that are gone. Returns whether there were any. */
export function eraseTenant(state: MemoryState, tenant: string): boolean {
  const numbers = new Set([...state.conversations.values()].map(({ number }) => number));
  let isKnown = false;
  replaceEntries(state, (entry) => {
    if (entry.tenant !== tenant || numbers.has(entry.conversationNumber ?? -1)) return entry;
    isKnown = true;
    const { tenant: _erased, ...others } = emptyEntry(entry);
    return others;
  });
  return isKnown;
}

/** That something was done, what kind of deed it was, by whom and when. */
function emptyEntry({ seq, at, what, by, tenant, conversationNumber }: AuditEntry): AuditEntry {
  return withoutUndefined({ seq, at, what, by, tenant, conversationNumber });
}

/** `Journal.audit`. */
export function readAudit(state: MemoryState, filter: AuditFilter = {}): AuditPage {
  const { tenant, key, by, what, since, until, after = 0, before = Infinity, limit = DEFAULT_LIMIT } = filter;
  const isWanted = (entry: AuditEntry): boolean =>
    entry.seq > after &&
    entry.seq < before &&
    (tenant === undefined || entry.tenant === tenant) &&
    (key === undefined || entry.conversation === key) &&
    (by === undefined || entry.by === by) &&
    (what === undefined || entry.what === what) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until);
  const found = state.audit.filter(isWanted);
  if (filter.newestFirst) found.reverse();
  const entries = found.slice(0, limit);
  return { entries, ...(found.length > limit && { next: entries.at(-1)?.seq }) };
}

function replaceEntries(state: MemoryState, replace: (entry: AuditEntry) => AuditEntry): void {
  for (const [at, entry] of state.audit.entries()) state.audit[at] = replace(entry);
}
