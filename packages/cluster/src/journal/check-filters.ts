// Checks the names in the filters and scopes that methods of a journal take. Without the check, a misspelt `tenant` would
// select all tenants.
import { checkOptionNames, optionNamesOf } from '@inboard/core/util/check-option-names.js';
import type { AuditFilter } from './audit-entry.js';
import type { Caller, CallerScope } from './filters.js';
import type { RetentionRun } from './retention.js';
import type { ConversationFilter, Journal, QuestionFilter, TenantScope } from './journal.js';

type EventsFilter = NonNullable<Parameters<Journal['events']>[1]>;
type DueOptions = NonNullable<Parameters<Journal['due']>[1]>;
type SpentFilter = NonNullable<Parameters<Journal['spent']>[0]>;

const SCOPE = optionNamesOf<TenantScope>({ tenant: true });
const CALLER = optionNamesOf<Caller>({ by: true });
const CALLER_SCOPE = optionNamesOf<CallerScope>({ tenant: true, by: true });

/** For each method: the index of the filter or scope among its arguments, and the names it may have. */
export const FILTERS = {
  conversations: {
    at: 0,
    known: optionNamesOf<ConversationFilter>({
      tenant: true,
      state: true,
      failed: true,
      waitsFor: true,
      after: true,
      limit: true,
    }),
  },
  questions: {
    at: 0,
    known: optionNamesOf<QuestionFilter>({
      id: true,
      key: true,
      tenant: true,
      answered: true,
      after: true,
      limit: true,
    }),
  },
  events: { at: 1, known: optionNamesOf<EventsFilter>({ tenant: true, after: true, limit: true }) },
  due: { at: 1, known: optionNamesOf<DueOptions>({ withinMs: true }) },
  spent: { at: 0, known: optionNamesOf<SpentFilter>({ tenant: true, days: true }) },
  pauses: { at: 0, known: SCOPE },
  stats: { at: 0, known: SCOPE },
  enqueue: { at: 1, known: CALLER_SCOPE },
  interrupt: { at: 1, known: CALLER_SCOPE },
  cancel: { at: 2, known: CALLER },
  closeConversation: { at: 1, known: CALLER },
  remove: { at: 1, known: CALLER },
  forgetTenant: { at: 1, known: CALLER },
  retain: {
    at: 1,
    known: optionNamesOf<RetentionRun>({ apply: true, by: true, signal: true, keepOn: true }),
  },
  audit: {
    at: 0,
    known: optionNamesOf<AuditFilter>({
      tenant: true,
      key: true,
      by: true,
      what: true,
      since: true,
      until: true,
      after: true,
      before: true,
      newestFirst: true,
      limit: true,
    }),
  },
  answer: { at: 2, known: SCOPE },
  readWhole: { at: 2, known: SCOPE },
} as const satisfies Partial<Record<keyof Journal, { at: number; known: readonly string[] }>>;

type Method = (...given: unknown[]) => Promise<unknown>;

/** Makes the methods of a journal reject a filter or scope with an unknown name. Changes the journal, and returns it. */
export function withCheckedFilters(journal: Journal): Journal {
  const methods = journal as unknown as Record<string, Method | undefined>;
  for (const [name, { at, known }] of Object.entries(FILTERS)) {
    const method = methods[name];
    if (!method) continue;
    methods[name] = async (...given) => {
      checkOptionNames(`${name}() of a journal`, given[at], known);
      return await method.apply(journal, given);
    };
  }
  return journal;
}
