// The conversations of a cluster as a source of sessions, read from its journal, whichever processes work on them. It keeps
// no events. It reads the summaries again when the journal reports a change, and every few seconds.
import type { Journal, JournalChange } from '@inboard/cluster/journal/journal.js';
import type { ConversationRecord, ConversationState } from '@inboard/cluster/journal/records.js';
import {
  createRedactor,
  type RedactOptions,
  type Redactor,
} from '@inboard/core/record/trace/recorder/redact.js';
import { listSecretValues } from '@inboard/core/record/trace/recorder/secret-variables.js';
import { mapConcurrently } from '@inboard/core/util/map-concurrently.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { AuditPart, AuditQuery } from '../../model/audit-part.js';
import type { ClusterFigures } from '../../model/cluster-figures.js';
import type { Action, ActionResult, EventBatch } from '../../model/page-contract.js';
import type { SessionSummary } from '../../model/session-summary.js';
import type { Question } from '../../stream/question.js';
import type { SessionSource, SourceListener } from '../session-source.js';
import {
  idOfNumber,
  eventLineOf,
  openingLine,
  wholeEventOf,
  type EventTeller,
} from './conversation-events.js';
import { ConversationList, READS_AT_ONCE } from './conversation-list.js';
import { actOnConversation } from './journal-actions.js';
import { readAuditPart } from './journal-audit.js';
import { JournalQuestions } from './journal-questions.js';
import { VisibleJournal } from './visible-journal.js';

/** The time between two readings of all that is active, while a page is open, in milliseconds. */
const LOOK_EVERY_MS = 2000;
/** How long changes are collected before they are read, in milliseconds. */
const GATHER_MS = 100;
/** If more conversations than this change at a time, all active ones are read instead. */
const MOST_CHANGES = 100;
const ACTIVE: readonly ConversationState[] = ['running', 'parked', 'queued'];

/** How conversations are shown. */
export interface JournalSourceOptions {
  journal: Journal;
  title: string;
  isReadOnly: boolean;
  /** Shows only the conversations of this tenant. */
  tenant?: string | undefined;
  redact?: RedactOptions | false | undefined;
  /** Wakes a worker for a conversation; without it, the next sweep finds the conversation. */
  wake?: ((key: string) => Promise<void>) | undefined;
}

/** The conversations of one journal. It does not close the journal; the creator of the journal does. */
export class JournalSource implements SessionSource {
  readonly kind = 'live';
  readonly title: string;
  readonly noToolsBecause = 'Tools of a cluster run in its workers, and cannot be called from here.';
  readonly #options: JournalSourceOptions;
  readonly #journal: VisibleJournal;
  readonly #redactor: Redactor;
  readonly #listeners = new Set<SourceListener>();
  readonly #list: ConversationList;
  readonly #questions: JournalQuestions;
  /** The number of the last event that was sent, for each conversation that a page shows. */
  readonly #told = new Map<string, number>();
  readonly #changes = new Map<string, Set<JournalChange['kind']>>();
  #figures: ClusterFigures | undefined;
  #hasMissed = false;
  #working: Promise<void> = Promise.resolve();
  #gatherTimer: NodeJS.Timeout | undefined;
  #lookTimer: NodeJS.Timeout | undefined;
  #listening: AsyncDisposable | undefined;
  #isClosed = false;

  private constructor(options: JournalSourceOptions) {
    const { redact = {}, isReadOnly } = options;
    const journal = new VisibleJournal(options.journal, options.tenant);
    this.title = options.title;
    this.#options = options;
    this.#journal = journal;
    this.#redactor = createRedactor(
      redact && { ...redact, values: [...listSecretValues(process.env), ...(redact.values ?? [])] },
    );
    this.#list = new ConversationList({ isReadOnly });
    this.#questions = new JournalQuestions({ journal, redactor: this.#redactor, canAnswer: !isReadOnly });
  }

  /** Opens the source and reads the present state; rejects if the journal cannot be read. */
  static async open(options: JournalSourceOptions): Promise<JournalSource> {
    const source = new JournalSource(options);
    await source.#journal.open();
    await source.#list.scan(source.#journal);
    await source.#look();
    source.#listening = await source.#journal.listen((change) => source.#hear(change));
    return source;
  }

  sessions(): SessionSummary[] {
    return this.#list.summaries();
  }

  questions(): Question[] {
    return this.#questions.list();
  }

  cluster(): ClusterFigures | undefined {
    return this.#figures;
  }

  async read(session: string, after: number, limit: number): Promise<EventBatch> {
    // The record is read again, because the key may belong to another conversation by now.
    const record = await this.#journal.conversation(session);
    if (!record) return { lines: [], next: undefined };
    const teller = this.#tellerOf(record);
    const events = await this.#journal.events(session, { after: idOfNumber(after), limit });
    const lines = events.map((event) => eventLineOf(event, teller));
    if (after === 0) lines.unshift(openingLine(teller));
    const last = events.at(-1);
    const next = last ? last.id + 1 : undefined;
    const isWhole = events.length < limit;
    // New events are sent from here on, or from an earlier number if another page has read less.
    if (isWhole)
      this.#told.set(session, Math.min(this.#told.get(session) ?? Infinity, next ?? Math.max(after, 1)));
    return {
      lines,
      next: isWhole ? undefined : next,
      total: Math.max(record.lastEventId, last?.id ?? 0) + 1,
    };
  }

  async readWhole(session: string, n: number): Promise<string | undefined> {
    const record = await this.#journal.conversation(session);
    if (!record) return undefined;
    if (n <= 1) return openingLine(this.#tellerOf(record));
    const event = await this.#journal.readWhole(session, idOfNumber(n));
    return event && wholeEventOf(event, this.#tellerOf(record));
  }

  get hasAudit(): boolean {
    return this.#journal.hasAudit;
  }

  async audit(query: AuditQuery): Promise<AuditPart> {
    try {
      return await readAuditPart(query, { journal: this.#journal, redactor: this.#redactor });
    } catch (error) {
      return { entries: [], newest: 0, trouble: this.#redactor.redactText(messageOf(error)) };
    }
  }

  watch(listener: SourceListener): () => void {
    this.#listeners.add(listener);
    if (this.#hasMissed) this.#queue(() => this.#lookAnew());
    this.#lookLater();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#lookTimer);
      this.#lookTimer = undefined;
    };
  }

  async act(action: Exclude<Action, { action: 'create-link' }>): Promise<ActionResult> {
    const { isReadOnly, wake } = this.#options;
    if (isReadOnly)
      return { ok: false, error: { code: 'READ_ONLY', message: 'This inspector is read-only.' } };
    const result = await actOnConversation(action, {
      journal: this.#journal,
      wake,
      questions: this.#questions,
      redactor: this.#redactor,
    });
    this.#hear({ key: action.session, kind: 'answer' });
    return result;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#gatherTimer);
    clearTimeout(this.#lookTimer);
    this.#listeners.clear();
    const listening = this.#listening;
    this.#listening = undefined;
    // Closing the listener fails if the database is unreachable. The database notices the closed connection itself.
    await Promise.resolve(listening?.[Symbol.asyncDispose]()).catch(() => {});
    await this.#working;
  }

  #tellerOf({ key, createdAt }: Pick<ConversationRecord, 'key' | 'createdAt'>): EventTeller {
    return { key, createdAt, redactor: this.#redactor };
  }

  #hear({ key, kind }: JournalChange): void {
    if (this.#isClosed) return;
    if (key === undefined || this.#listeners.size === 0) {
      this.#hasMissed = true;
      if (this.#listeners.size > 0) this.#queue(() => this.#lookAnew());
      return;
    }
    const kinds = this.#changes.get(key) ?? new Set();
    this.#changes.set(key, kinds.add(kind));
    this.#gatherTimer ??= setTimeout(() => {
      this.#gatherTimer = undefined;
      this.#queue(() => this.#takeChanges());
    }, GATHER_MS).unref();
  }

  /** Runs readings one after the other, so that an older answer never replaces a newer one. */
  #queue(work: () => Promise<void>): void {
    this.#working = this.#working.then(async () => {
      if (this.#isClosed) return;
      try {
        await work();
        if (this.#figures?.trouble !== undefined) this.#tellFigures({ ...this.#figures, trouble: undefined });
      } catch (error) {
        this.#hasMissed = true;
        if (this.#figures)
          this.#tellFigures({ ...this.#figures, trouble: this.#redactor.redactText(messageOf(error)) });
      }
    });
  }

  #lookLater(): void {
    if (this.#isClosed || this.#listeners.size === 0) return;
    this.#lookTimer ??= setTimeout(() => {
      this.#lookTimer = undefined;
      this.#queue(() => (this.#hasMissed ? this.#lookAnew() : this.#look()));
      void this.#working.then(() => this.#lookLater());
    }, LOOK_EVERY_MS).unref();
  }

  /** Reads everything, also idle conversations, because changes were missed. */
  async #lookAnew(): Promise<void> {
    this.#hasMissed = false;
    const isOther = await this.#list.scan(this.#journal);
    if (isOther) this.#tell((listener) => listener.changed?.());
    await this.#look();
    for (const key of this.#told.keys()) await this.#tellEvents(key);
  }

  /** Reads the active conversations, the open questions, and the figures. */
  async #look(): Promise<void> {
    const figures = await this.#journal.figures();
    for (const state of ACTIVE) this.#tellSummaries(await this.#list.readState(this.#journal, state));
    this.#tellSummaries(await this.#list.readStale(this.#journal));
    this.#tellGone();
    await this.#readQuestions();
    const total = Object.values(figures.stats.conversations).reduce((sum, count) => sum + count, 0);
    this.#tellFigures({
      ...figures,
      leftOut: this.#list.explainLeftOut(total),
      trouble: undefined,
    });
  }

  async #takeChanges(): Promise<void> {
    const changes = new Map(this.#changes);
    this.#changes.clear();
    if (changes.size > MOST_CHANGES) {
      this.#list.markChanged(changes.keys());
      await this.#look();
    } else {
      const read = await mapConcurrently([...changes.keys()], READS_AT_ONCE, async (key) =>
        this.#list.take(key, await this.#journal.conversation(key)),
      );
      this.#tellSummaries(read.flatMap((summary) => summary ?? []));
      this.#tellGone();
      const isAsked = [...changes.values()].some((kinds) => kinds.has('question') || kinds.has('answer'));
      if (isAsked) await this.#readQuestions();
    }
    for (const key of changes.keys()) if (this.#told.has(key)) await this.#tellEvents(key);
  }

  async #tellEvents(key: string): Promise<void> {
    const isWanted = [...this.#listeners].some(({ session }) => session === key);
    const record = isWanted ? await this.#journal.conversation(key) : undefined;
    const from = this.#told.get(key);
    if (!isWanted || !record || from === undefined) {
      this.#told.delete(key);
      return;
    }
    const teller = this.#tellerOf(record);
    for (let after = idOfNumber(from); ;) {
      const events = await this.#journal.events(key, { after });
      const [first] = events;
      const last = events.at(-1);
      if (!first || !last) return;
      after = last.id;
      this.#told.set(key, last.id + 1);
      const lines = events.map((event) => eventLineOf(event, teller));
      this.#tell((listener) => listener.events(key, first.id + 1, lines));
    }
  }

  async #readQuestions(): Promise<void> {
    const { asked, settled } = await this.#questions.refresh();
    for (const question of asked) this.#tell((listener) => listener.asked(question));
    for (const { session, id } of settled) this.#tell((listener) => listener.settled(session, id));
  }

  #tellSummaries(summaries: readonly SessionSummary[]): void {
    for (const summary of summaries) this.#tell((listener) => listener.summary(summary));
  }

  #tellGone(): void {
    if (this.#list.takeGone()) this.#tell((listener) => listener.changed?.());
  }

  // Only changes are sent. Otherwise a page of one tenant could notice activity of other tenants.
  #tellFigures(figures: ClusterFigures): void {
    if (JSON.stringify(figures) === JSON.stringify(this.#figures)) return;
    this.#figures = figures;
    this.#tell((listener) => listener.cluster?.(figures));
  }

  #tell(call: (listener: SourceListener) => void): void {
    for (const listener of this.#listeners) call(listener);
  }
}
