// What an inspector may see and change of a journal: everything, or what belongs to one tenant. All other files of this folder have
// the journal only through this one, so that a conversation of another tenant is to them what an unknown one is.
import type { ApprovalAnswer } from '@inboard/core/answer/permissions/approvals/approval.js';
import type {
  ConversationFilter,
  Journal,
  JournalChange,
  QuestionFilter,
  TenantScope,
} from '@inboard/cluster/journal/journal.js';
import type { ClusterApproval, ClusterEvent, ConversationRecord } from '@inboard/cluster/journal/records.js';
import { InboardError } from '@inboard/core/errors.js';
import { warnOfCallback } from '@inboard/core/util/call-listener.js';
import type { ClusterFigures } from '../../model/cluster-figures.js';

/** Stands for the worker that has a conversation: a tenant is not told the names of workers. */
const SOME_WORKER = 'a worker';
/** Stands for why all turns are put off: whoever wrote the reason did not write it for a tenant. */
const PAUSED_FOR_ALL = 'the turns of all tenants are postponed.';
/** What a tenant is told instead of a failure's own text, which may name hosts, roles and other tenants. */
const KNOWN_FAILURES: Readonly<Record<string, string>> = {
  CONVERSATION_UNKNOWN: 'There is no such conversation, or no longer.',
  CONVERSATION_CLOSED: 'The conversation is closed.',
};

/** A journal, as far as an inspector may see it. */
export class VisibleJournal {
  readonly #journal: Journal;
  readonly #scope: TenantScope;
  /** Whose conversations these are; undefined for all. */
  readonly tenant: string | undefined;

  constructor(journal: Journal, tenant: string | undefined) {
    this.#journal = journal;
    this.#scope = { tenant };
    this.tenant = tenant;
  }

  /** Rejects with the whole error: it is for the program that opens an inspector. So does `listen`. */
  async open(): Promise<void> {
    await this.#journal.open();
  }

  /** Tells keys of any tenant: whoever hears one asks here what it is about. */
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

  /** One event, with nothing shortened. */
  async readWhole(key: string, id: number): Promise<ClusterEvent | undefined> {
    if (this.#journal.readWhole)
      return await this.#ask(async (journal) => await journal.readWhole?.(key, id, this.#scope));
    const [event] = await this.events(key, { after: id - 1, limit: 1 });
    return event?.id === id ? event : undefined;
  }

  async questions(filter: Omit<QuestionFilter, 'tenant'> = {}): Promise<ClusterApproval[]> {
    const found = await this.#ask((journal) => journal.questions({ ...filter, ...this.#scope }));
    return found.filter((question) => this.#isVisible(question));
  }

  /** Rejects with CONVERSATION_UNKNOWN where there is none to see. */
  async send(key: string, message: { id: string; content: string }): Promise<void> {
    await this.#ask((journal) => journal.enqueue({ key, ...message }, this.#scope));
  }

  async interrupt(key: string): Promise<boolean> {
    return await this.#ask((journal) => journal.interrupt(key, this.#scope));
  }

  /** Whether this was the first answer. */
  async answer(id: string, answer: ApprovalAnswer): Promise<boolean> {
    return (await this.#ask((journal) => journal.answer(id, answer, this.#scope))).taken;
  }

  /** The numbers. Workers serve all tenants, so that one tenant is not told of them. */
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

  /** All that is asked for a page. A tenant's page gets the code of a failure and one sentence; the process gets the rest, as a warning. */
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

  // Once more, although the journal was asked for one tenant: a journal of a program's own may not know the filter.
  #isVisible({ tenant }: { tenant?: string | undefined }): boolean {
    return this.tenant === undefined || tenant === this.tenant;
  }

  #show(record: ConversationRecord): ConversationRecord {
    if (this.tenant === undefined || !record.lease) return record;
    return { ...record, lease: { ...record.lease, owner: SOME_WORKER } };
  }
}
