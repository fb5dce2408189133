// The sessions of this process as a source. Each session is recorded with its questions from the moment it is added, and is
// kept for a while after its end.
import type { Approval } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
import {
  watchQueues,
  type AnsweringQueue,
  type WaitingQuestion,
} from '@inboard/core/answer/permissions/approvals/queue-registry.js';
import { createRedactor, type RedactOptions } from '@inboard/core/record/trace/recorder/redact.js';
import { listSecretValues } from '@inboard/core/record/trace/recorder/secret-variables.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { EventBatch } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { InspectedSession } from '@inboard/core/live/watch/inspected-session.js';
import { actOnSession } from './live/live-actions.js';
import { LiveSession } from './live/live-session.js';
import { LogFolder } from '@inboard/core/wire/process/log-folder.js';
import { readApproval, readOpenQuestion } from './live/present-question.js';
import { followPending } from './live/pending-cards.js';
import { followQueue } from './live/queue-follower.js';
import { CardRegistry, type Card } from './live/card-registry.js';
import { ToolSchemas } from './live/tool-schemas.js';
import type { SessionSource, SourceListener } from './session-source.js';

/** How long a line waits before it becomes an event, in milliseconds. Pieces of a streamed text are joined meanwhile. */
const WORK_EVERY_MS = 100;
/** The time between two summaries of a session, in milliseconds. */
const SUM_UP_EVERY_MS = 250;
/** How many ended sessions are kept. */
const MOST_ENDED = 500;

/** How sessions are shown. */
export interface LiveSourceOptions {
  title: string;
  isReadOnly: boolean;
  /** Whether all sessions of the process are shown, and also questions that belong to no session. */
  isWhole: boolean;
  /** What to hide in all sessions. Default: for each session, what its trace hides, or would hide if it had one. */
  redact?: RedactOptions | false | undefined;
}

/** The sessions that were added to it. */
export class LiveSource implements SessionSource {
  readonly kind = 'live';
  readonly title: string;
  readonly noToolsBecause = undefined;
  readonly redact = (text: string): string => this.#createRedactor(undefined).redactText(text);
  readonly #options: LiveSourceOptions;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #known = new WeakMap<InspectedSession, LiveSession>();
  readonly #ends = new Map<LiveSession, () => void>();
  readonly #queueEnds: (() => void)[] = [];
  readonly #listeners = new Set<SourceListener>();
  readonly #folder = new LogFolder('inspect');
  readonly #cards: CardRegistry;
  readonly #stopQueues: () => void;
  readonly #behind = new Set<LiveSession>();
  readonly #changed = new Set<LiveSession>();
  #timer: NodeJS.Timeout | undefined;
  #sumTimer: NodeJS.Timeout | undefined;
  #isWorking = false;
  #last = 0;
  #opened = 0;
  #elsewhere: LiveSession | undefined;
  #isClosed = false;

  constructor(options: LiveSourceOptions) {
    this.title = options.title;
    this.#options = options;
    this.#cards = new CardRegistry(
      {
        asked: (question) => this.#tell((listener) => listener.asked(question)),
        settled: (session, id) => this.#tell((listener) => listener.settled(session, id)),
      },
      !options.isReadOnly,
    );
    this.#stopQueues = watchQueues({
      asked: (waiting) => this.#askOfQueue(waiting),
      settled: (waiting, result, by) => {
        const { requestId, question } = waiting;
        if (requestId === undefined) this.#cards.settled(question.id, result, by);
        else this.#cards.unlink(requestId, by);
      },
    });
  }

  /** Shows a session from now on; does nothing if it is shown already. */
  add(inspected: InspectedSession): void {
    if (this.#isClosed || this.#known.has(inspected)) return;
    const session = this.#open(inspected);
    this.#known.set(inspected, session);
    const schemas = new ToolSchemas(inspected);
    const takeOff = inspected.tap(session);
    const stopQuestions = inspected.watchQuestions({
      asked: (open) => {
        const asked = readOpenQuestion(open);
        const facts = { ...asked, schema: asked.schema ?? schemas.find(asked.subject) };
        const card = this.#cards.askOfCli(session, facts, open);
        if (facts.kind === 'permission' && !facts.schema) void this.#addSchema(card, schemas);
      },
      settled: (id, { answer, by }) => this.#cards.settled(id, answer, by),
    });
    const ends = [takeOff, stopQuestions, followPending(inspected, session, this.#cards)];
    this.#ends.set(session, () => ends.forEach((end) => end()));
    void schemas.refresh();
  }

  /** Shows the questions of a queue from now on, including those of other processes. */
  addQueue(queue: Approvals): void {
    const end = followQueue(queue, {
      isKnown: (id) => this.#cards.has(id),
      asked: (approval) => this.#askElsewhere(queue, approval),
      settled: (id, result, by) => this.#cards.settled(id, result, by),
      failed: (error) => this.#findElsewhere().warning('APPROVALS_UNREADABLE', messageOf(error)),
    });
    this.#queueEnds.push(end);
  }

  sessions(): SessionSummary[] {
    this.#workOff();
    return [...this.#sessions.values()].map((session) => session.summary());
  }

  /** The number of characters of all sessions' events in memory. */
  get restingCharacters(): number {
    let sum = 0;
    for (const { restingCharacters } of this.#sessions.values()) sum += restingCharacters;
    return sum;
  }

  questions(): ReturnType<SessionSource['questions']> {
    return this.#cards.list();
  }

  async read(session: string, after: number, limit: number): Promise<EventBatch> {
    const found = this.#sessions.get(session);
    if (!found) return { lines: [], next: undefined };
    while (found.isBehind) found.work();
    const { lines, last, total } = await found.read(after, limit);
    return { lines, next: lines.length > 0 ? last : undefined, total };
  }

  async readWhole(session: string, n: number): Promise<string | undefined> {
    return await this.#sessions.get(session)?.readWhole(n);
  }

  watch(listener: SourceListener): () => void {
    this.#workOff();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async act(action: Parameters<SessionSource['act']>[0]): ReturnType<SessionSource['act']> {
    if (this.#options.isReadOnly)
      return { ok: false, error: { code: 'READ_ONLY', message: 'This inspector is read-only.' } };
    return await actOnSession(action, { find: (id) => this.#sessions.get(id), cards: this.#cards });
  }

  /** Removes all taps and all kept events. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#sumTimer);
    this.#stopQueues();
    for (const end of [...this.#ends.values(), ...this.#queueEnds]) end();
    this.#ends.clear();
    for (const session of this.#sessions.values()) session.remove();
    this.#sessions.clear();
    this.#listeners.clear();
    this.#folder.close();
  }

  #open(inspected: InspectedSession | undefined): LiveSession {
    const id = `s${(this.#opened += 1)}`;
    const session = new LiveSession({
      id,
      inspected,
      kind: inspected?.kind ?? 'conversation',
      title: inspected ? inspected.title : 'Questions outside these sessions',
      redactor: this.#createRedactor(inspected),
      folder: this.#folder,
      nextNumber: () => (this.#last += 1),
      onPassed: (each) => this.#schedule(each),
      onEvents: (each, first, lines) => this.#tell((listener) => listener.events(each.id, first, lines)),
      hasReaders: () => this.#listeners.size > 0,
    });
    this.#sessions.set(id, session);
    return session;
  }

  #createRedactor(inspected: InspectedSession | undefined): ReturnType<typeof createRedactor> {
    const { redact = inspected?.redact ?? {} } = this.#options;
    if (redact === false) return createRedactor(false);
    const secrets = listSecretValues(inspected?.environment() ?? process.env);
    return createRedactor({ ...redact, values: [...secrets, ...(redact.values ?? [])] });
  }

  #schedule(session: LiveSession): void {
    this.#behind.add(session);
    if (this.#timer !== undefined || this.#isWorking) return;
    // The sessions keep the process alive, not the inspector.
    this.#timer = setTimeout(() => this.#work(), WORK_EVERY_MS).unref();
  }

  /** Does a slice of each session's work, then lets the program do its own work before the next slice. */
  #work(): void {
    this.#timer = undefined;
    this.#isWorking = true;
    for (const session of this.#behind) this.#workOn(session);
    this.#isWorking = false;
    if (this.#behind.size > 0) this.#timer = setTimeout(() => this.#work(), 0).unref();
  }

  #workOn(session: LiveSession): void {
    const isBehind = session.work();
    this.#changed.add(session);
    if (!isBehind) {
      this.#behind.delete(session);
      if (session.isOver) this.#endSession(session);
    }
    if (this.#listeners.size > 0 && this.#sumTimer === undefined)
      this.#sumTimer = setTimeout(() => this.#sumUp(), SUM_UP_EVERY_MS).unref();
  }

  /** Does all the work at once, because a page asks for the present state. */
  #workOff(): void {
    for (const session of this.#behind) while (session.isBehind) this.#workOn(session);
  }

  #sumUp(): void {
    this.#sumTimer = undefined;
    for (const session of this.#changed) this.#tell((listener) => listener.summary(session.summary()));
    this.#changed.clear();
  }

  /** Ends a session. Its events are kept until there are too many ended sessions. */
  #endSession(session: LiveSession): void {
    this.#cards.forget(session);
    this.#ends.get(session)?.();
    this.#ends.delete(session);
    const ended = [...this.#sessions.values()].filter((each) => each.isOver && !each.isBehind);
    for (const each of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) {
      each.remove();
      this.#sessions.delete(each.id);
    }
  }

  async #addSchema(card: Card, schemas: ToolSchemas): Promise<void> {
    const schema = await schemas.load(card.facts.subject);
    if (schema) this.#cards.complete(card, schema);
  }

  #askOfQueue(waiting: WaitingQuestion): void {
    const { queue, question, requestId, context } = waiting;
    if (requestId !== undefined) {
      this.#cards.link(requestId, waiting);
      return;
    }
    const sessionId = question.sessionId ?? context?.sessionId;
    const session = this.#findConversation(sessionId);
    if (!session) {
      if (this.#options.isWhole) this.#askElsewhere(queue, question);
      return;
    }
    const facts = { ...readApproval(question), toolUseId: readToolUseId(context) };
    this.#cards.ask(session, facts, (answer, by) => queue.answer(question.id, answer as never, { by }));
  }

  #askElsewhere(queue: AnsweringQueue, question: Approval): void {
    const settle: Card['settle'] = (answer, by) => queue.answer(question.id, answer as never, { by });
    this.#cards.ask(this.#findElsewhere(), readApproval(question), settle);
  }

  /** The placeholder session for questions that belong to no session that is shown. */
  #findElsewhere(): LiveSession {
    this.#elsewhere ??= this.#open(undefined);
    return this.#elsewhere;
  }

  #findConversation(sessionId: string | undefined): LiveSession | undefined {
    const running = [...this.#sessions.values()].filter((session) => !session.isOver && session.inspected);
    const found = running.find(
      (session) => sessionId !== undefined && session.inspected?.sessionId() === sessionId,
    );
    return found ?? (sessionId === undefined && running.length === 1 ? running[0] : undefined);
  }

  #tell(call: (listener: SourceListener) => void): void {
    for (const listener of this.#listeners) call(listener);
  }
}

function readToolUseId(context: object | undefined): string | undefined {
  const { toolUseId } = (context ?? {}) as { toolUseId?: unknown };
  return typeof toolUseId === 'string' ? toolUseId : undefined;
}
