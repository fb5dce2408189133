// Reads parts of a cluster's audit for pages: newest first, without secrets, and of bounded size and work.
import type { AuditEntry } from '@inboard/cluster/journal/audit-entry.js';
import type { Redactor } from '@inboard/core/record/trace/recorder/redact.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { AuditPart, AuditQuery, AuditRow } from '../../model/audit-part.js';
import { cutEvent } from '../../stream/cut-event.js';
import type { VisibleJournal } from './visible-journal.js';

/** How many entries a part has at most. */
const MOST_ROWS = 100;
/** A search for a text reads so many entries at a time, and asks the journal so many times before it shows what it has found. */
const SEARCHED_AT_A_TIME = 500;
const MOST_READS = 10;
const MOST_TEXT_CHARACTERS = 2000;
/** The inputs of a longer entry are left out. */
const MOST_ROW_CHARACTERS = 32_000;

/** Reads the newest entries that match, or those before a number. */
export async function readAuditPart(
  { before, by, what, text = '', seen }: AuditQuery,
  { journal, redactor }: { journal: VisibleJournal; redactor: Redactor },
): Promise<AuditPart> {
  const [latest] = (await journal.audit({ newestFirst: true, limit: 1 })).entries;
  const newest = latest?.seq ?? 0;
  if (seen === newest) return { entries: [], newest, isSame: true };
  const searched = text.toLowerCase();
  const entries: AuditRow[] = [];
  let older = before;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const limit = searched === '' ? MOST_ROWS - entries.length : SEARCHED_AT_A_TIME;
    const page = await journal.audit(withoutUndefined({ newestFirst: true, before: older, by, what, limit }));
    for (const [at, entry] of page.entries.entries()) {
      const shown = hideSecrets(entry, redactor);
      if (searched !== '' && !wordsOf(shown).includes(searched)) continue;
      entries.push(cutRow(shown));
      if (entries.length < MOST_ROWS) continue;
      const isLast = at === page.entries.length - 1 && page.next === undefined;
      return { entries, newest, older: isLast ? undefined : entry.seq };
    }
    // A journal of the user's own that gives the same number again would be read for ever.
    if (page.next === undefined || page.next === older) return { entries, newest };
    older = page.next;
  }
  return { entries, newest, older };
}

// Keys and ids stay as they are, as in all views: pages find conversations by them.
function hideSecrets(entry: AuditEntry, redactor: Redactor): AuditEntry {
  const { by, message, input, editedInput, permissions, pruned } = entry;
  return withoutUndefined({
    ...entry,
    by: by === undefined ? undefined : redactor.redactText(by),
    message: message === undefined ? undefined : redactor.redactText(message),
    ...redactor.redactValue({ input, editedInput, permissions, pruned }),
  });
}

// Only what a page shows is searched. Otherwise a search could find out hidden values.
function wordsOf({
  by,
  what,
  conversation,
  turn,
  question,
  toolName,
  message,
  ...others
}: AuditEntry): string {
  const { input, editedInput, permissions, pruned } = others;
  const values = [input, editedInput, permissions, pruned].map((value) =>
    value === undefined ? '' : stringifyDeep(value),
  );
  return [by, what, conversation, turn, question, toolName, message, ...values].join('\n').toLowerCase();
}

function cutRow(entry: AuditEntry): AuditRow {
  const { json, isCut } = cutEvent(stringifyDeep(entry) as string, { mostText: MOST_TEXT_CHARACTERS });
  if (json.length <= MOST_ROW_CHARACTERS)
    return isCut ? { ...(JSON.parse(json) as AuditEntry), isCut } : entry;
  const { input: _i, editedInput: _e, permissions: _p, pruned: _r, ...facts } = entry;
  return { ...facts, message: facts.message?.slice(0, MOST_TEXT_CHARACTERS), isCut: true };
}
