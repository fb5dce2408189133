// The part of a journal that an inspector may see and change: everything, or what belongs to one tenant. All other files of
// this folder use the journal only through this one, so that they treat a conversation of another tenant as unknown.
import type { ApprovalAnswer } from '@inboard/core/answer/permissions/approvals/approval.js';
import type {
  ConversationFilter,
  Journal,
  JournalChange,
  QuestionFilter,
  TenantScope,
} from '@inboard/cluster/journal/journal.js';
import type { AuditFilter, AuditPage } from '@inboard/cluster/journal/audit-entry.js';
import type { JournalQuestion } from '@inboard/cluster/journal/journal-question.js';
import type { ClusterEvent, ConversationRecord } from '@inboard/cluster/journal/records.js';
import { InboardError } from '@inboard/core/errors.js';
import { warnOfCallback } from '@inboard/core/util/call-listener.js';
import type { ClusterFigures } from '../../model/cluster-figures.js';

/** Shown instead of the worker's name, which a tenant may not see. */
const SOME_WORKER = 'a worker';
/** Shown to a tenant instead of the reason for a pause of all tenants. That reason was not written for tenants. */
const PAUSED_FOR_ALL = 'the turns of all tenants are postponed.';
/** Shown to a tenant instead of an error's own text, which may name hosts, roles and other tenants. */
const KNOWN_FAILURES: Readonly<Record<string, string>> = {
  CONVERSATION_UNKNOWN: 'There is no such conversation, or no longer.',
  CONVERSATION_CLOSED: 'The conversation is closed.',
};

/** A journal, as far as an inspector may see it. */
export class VisibleJournal {
  readonly #journal: Journal;
  readonly #scope: TenantScope;
  /** The tenant whose conversations are visible; undefined for all. */
  readonly tenant: string | undefined;

  constructor(journal: Journal, tenant: string | undefined) {
    this.#journal = journal;
    this.#scope = { tenant };
    this.tenant = tenant;
  }

  /** Opens the journal. `open` and `listen` reject with the original error, because only the program sees it. */
  async open(): Promise<void> {
    await this.#journal.open();
  }

  /** Reports changes of all tenants, by key. The listener then reads the conversation here, where the tenant is checked. */
  async listen(onChange: (change: JournalChange) => void): Promise<AsyncDisposable> {
    return await this.#journal.listen(onChange);
  }

  async conversation(key: string): Promise<ConversationRecord | undefined> {
    const record = await this.#ask((journal) => journal.conversation(key));
    return record && this.#isVisible(record) ? this.#show(record) : undefined;
  }

  async conversations(filter: Omit<ConversationFilter, 'tenant'>): Promise<ConversationRecord[]> {
    const found = await this.#ask((journal) => journal.conversations({ ...filter, ...this.#scope }));
    return found.filter((record) => this.#isVisible(record)).map((record) => this.#show(record));
  }

  async events(key: string, range: { after: number; limit?: number }): Promise<ClusterEvent[]> {
    return await this.#ask((journal) => journal.events(key, { ...range, ...this.#scope }));
  }

  /** One event, not shortened. */
  async readWhole(key: string, id: number): Promise<ClusterEvent | undefined> {
    if (this.#journal.readWhole)
      return await this.#ask(async (journal) => await journal.readWhole?.(key, id, this.#scope));
    const [event] = await this.events(key, { after: id - 1, limit: 1 });
    return event?.id === id ? event : undefined;
  }

  async questions(filter: Omit<QuestionFilter, 'tenant'> = {}): Promise<JournalQuestion[]> {
    const found = await this.#ask((journal) => journal.questions({ ...filter, ...this.#scope }));
    return found.filter((question) => this.#isVisible(question));
  }

  /** Whether the journal keeps an audit. */
  get hasAudit(): boolean {
    return this.#journal.audit !== undefined;
  }

  async audit(filter: Omit<AuditFilter, 'tenant'>): Promise<AuditPage> {
    const page = await this.#ask(async (journal) => await journal.audit?.({ ...filter, ...this.#scope }));
    if (!page) return { entries: [] };
    return { ...page, entries: page.entries.filter((entry) => this.#isVisible(entry)) };
  }

  /** Sends a message in the name of `by`. Rejects with CONVERSATION_UNKNOWN if no such conversation is visible. */
  async send(key: string, message: { id: string; content: string }, by: string): Promise<void> {
    await this.#ask((journal) => journal.enqueue({ key, ...message }, { ...this.#scope, by }));
  }

  async interrupt(key: string, by: string): Promise<boolean> {
    return await this.#ask((journal) => journal.interrupt(key, { ...this.#scope, by }));
  }

  /** Answers a question; gives whether this was the first answer. */
  async answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    return (await this.#ask((journal) => journal.answer(id, answer, this.#scope))).taken;
  }

  /** The figures. Workers serve all tenants, so a single tenant does not see them. */
  async figures(): Promise<Pick<ClusterFigures, 'stats' | 'workers' | 'pauses'>> {
    const [stats, workers, pauses] = await this.#ask((journal) =>
      Promise.all([
        journal.stats(this.#scope),
        this.tenant === undefined ? journal.workers() : undefined,
        journal.pauses(this.#scope),
      ]),
    );
    if (this.tenant === undefined) return { stats, workers, pauses };
    const shown = pauses
      .filter(({ tenant }) => tenant === undefined || tenant === this.tenant)
      .map((pause) => (pause.tenant === undefined ? { ...pause, reason: PAUSED_FOR_ALL } : pause));
    return { stats, workers, pauses: shown };
  }

  /** Asks the journal. The page of a tenant gets only a code and a sentence for an error. Unknown errors are warnings, too. */
  async #ask<T>(call: (journal: Journal) => Promise<T>): Promise<T> {
    try {
      return await call(this.#journal);
    } catch (error) {
      if (this.tenant === undefined) throw error;
      const code = error instanceof InboardError ? error.code : 'JOURNAL_UNAVAILABLE';
      const known = KNOWN_FAILURES[code];
      if (known === undefined) warnOfCallback('inspect journal', error);
      const message = known ?? `The journal does not answer as it should at the moment (${code}).`;
      throw new InboardError(code, message, { cause: error });
    }
  }

  // The tenant is checked again here, because an implementation of a journal may ignore the filter.
  #isVisible({ tenant }: { tenant?: string | undefined }): boolean {
    return this.tenant === undefined || tenant === this.tenant;
  }

  #show(record: ConversationRecord): ConversationRecord {
    if (this.tenant === undefined || !record.lease) return record;
    return { ...record, lease: { ...record.lease, owner: SOME_WORKER } };
  }
}
