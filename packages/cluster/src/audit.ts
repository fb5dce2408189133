// Reads the audit of a journal, page by page, so that an export of any size needs little memory.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { checkShape, oneOf, shape } from '@inboard/core/util/option-shapes.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { checkMethodOptions } from './check-options.js';
import type { ClusterAuditFilter } from './cluster.js';
import { AUDITED_DEEDS, type AuditEntry, type AuditFilter } from './journal/audit-entry.js';
import { checkBy, checkKey, checkName } from './journal/check-names.js';
import type { Journal } from './journal/journal.js';

const TIME = shape('a valid Date, or a time in milliseconds since 1970', (value) =>
  Number.isFinite(value instanceof Date ? value.getTime() : value),
);
const NUMBER = shape(
  'the "seq" of an entry',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);

/** Reads the entries in order, up to the newest of now. `open` gives the journal, which is asked when the reading begins. */
export function readAuditEntries(
  open: () => Promise<Journal>,
  given: ClusterAuditFilter = {},
): AsyncIterableIterator<AuditEntry> {
  checkMethodOptions('audit()', given);
  return readPages(open, readFilter(given));
}

async function* readPages(
  open: () => Promise<Journal>,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry, undefined> {
  const journal = await open();
  if (!journal.audit)
    throw new InvalidOptionsError(
      ['journal'],
      'This journal keeps no audit: it has no method "audit". postgresJournal() and memoryJournal() have one.',
    );
  for (let after = filter.after; ;) {
    const { entries, next } = await journal.audit({ ...filter, ...(after !== undefined && { after }) });
    // A journal of the user's own may ignore the filter.
    for (const entry of entries)
      if (filter.tenant === undefined || entry.tenant === filter.tenant) yield entry;
    if (next === undefined || next === after) return undefined;
    after = next;
  }
}

function readFilter({ conversation: key, since, until, ...others }: ClusterAuditFilter): AuditFilter {
  const { tenant, by, what, after } = others;
  if (key !== undefined) checkKey(key);
  if (tenant !== undefined) checkName('tenant', tenant);
  checkBy(by);
  checkShape('what', what, oneOf(...AUDITED_DEEDS));
  checkShape('after', after, NUMBER);
  for (const [name, time] of Object.entries({ since, until })) checkShape(name, time, TIME);
  const read = (time: Date | number | undefined): number | undefined =>
    time === undefined ? undefined : Number(time);
  return withoutUndefined({ ...others, key, since: read(since), until: read(until) });
}

/** The name in the options of a deed. Throws an InvalidOptionsError for options that are none. */
export function readCaller(
  method: Parameters<typeof checkMethodOptions>[0],
  given: unknown,
): { by?: string } {
  checkMethodOptions(method, given);
  const by = isRecord(given) ? given['by'] : undefined;
  checkBy(by);
  return by === undefined ? {} : { by: by as string };
}
