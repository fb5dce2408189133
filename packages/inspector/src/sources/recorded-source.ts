// Recordings as a source of sessions. It reads the files, summarizes a few at a time, and checks regularly whether they have
// grown. Its creators decide which files there are (`trace-file.ts`, `trace-folder.ts`).
import { createRedactor } from '@inboard/core/record/trace/recorder/redact.js';
import { listSecretValues } from '@inboard/core/record/trace/recorder/secret-variables.js';
import { mapConcurrently } from '@inboard/core/util/map-concurrently.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { Action, ActionResult, EventBatch } from '../model/page-contract.js';
import type { SessionSummary } from '../model/session-summary.js';
import type { Question } from '../stream/question.js';
import type { SessionSource, SourceListener } from './session-source.js';
import { TraceFileSession } from './trace-file-session.js';

/** Calls the present versions of the tools of a recording. */
export interface ToolCaller {
  /** Gives the MCP result; rejects for an unknown tool. */
  call(
    call: { server: string; tool: string; input: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>;
}

/** A file that may be a recording. */
export interface FoundFile {
  /** The id of its session, or its beginning if the file was replaced. */
  name: string;
  path: string;
  /** The path as it was given. */
  shownPath: string;
}

/** The options of a source of recordings. */
export interface RecordedOptions {
  title: string;
  listFiles(): Promise<FoundFile[]>;
  tools?: ToolCaller | undefined;
  /** How long to wait before the files are checked again, in milliseconds. Default 1000. */
  pollMs?: number | undefined;
}

const FILES_AT_ONCE = 8;
const SUMMARIES_AT_ONCE = 2;
const POLL_MS = 1000;
/** The time between two summaries of one session, in milliseconds. */
const SUMMARY_EVERY_MS = 250;
const NO_TOOLS =
  'This is a recording. To call its tools as they are now, start the inspector with --tools <file>.';

/** The sessions of recorded files. */
export class RecordedSource implements SessionSource {
  readonly kind = 'files';
  readonly title: string;
  readonly noToolsBecause: string | undefined;
  readonly #options: RecordedOptions;
  readonly #pollMs: number;
  readonly #ended = new AbortController();
  readonly #listeners = new Set<SourceListener>();
  /** The sessions, by the names of their files. */
  #sessions = new Map<string, TraceFileSession>();
  /** The files that are not traces, with the reasons. */
  readonly #leftOut = new Map<string, string>();
  /** How many different files there were under each name. */
  readonly #generations = new Map<string, number>();
  /** The sessions whose files have new parts to read. */
  readonly #waiting = new Set<TraceFileSession>();
  readonly #reading = new Map<TraceFileSession, Promise<void>>();
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: RecordedOptions) {
    this.#options = options;
    this.title = options.title;
    this.#pollMs = options.pollMs ?? POLL_MS;
    this.noToolsBecause = options.tools ? undefined : NO_TOOLS;
  }

  /** Opens the source and reads the headers of the files. Their summaries follow in the background. */
  static async open(options: RecordedOptions): Promise<RecordedSource> {
    const source = new RecordedSource(options);
    await source.refresh();
    return source;
  }

  /** A sentence for each file that is not a trace. */
  get leftOut(): string[] {
    return [...this.#leftOut.values()].toSorted();
  }

  /** The number of bytes read from all files so far. */
  get bytesRead(): number {
    return [...this.#sessions.values()].reduce((sum, { file }) => sum + file.bytesRead, 0);
  }

  sessions(): SessionSummary[] {
    return [...this.#sessions.values()].map((session) => session.summarize());
  }

  questions(): Question[] {
    return [];
  }

  async read(session: string, after: number, limit: number): Promise<EventBatch> {
    try {
      return (await this.#find(session)?.read(after, limit)) ?? { lines: [], next: undefined };
    } catch {
      // The file is gone. The page keeps what it has read.
      return { lines: [], next: undefined };
    }
  }

  async readWhole(session: string, n: number): Promise<string | undefined> {
    try {
      return await this.#find(session)?.readWhole(n);
    } catch {
      return undefined;
    }
  }

  watch(listener: SourceListener): () => void {
    this.#listeners.add(listener);
    this.#poll();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearTimeout(this.#timer);
    };
  }

  async act(action: Exclude<Action, { action: 'create-link' }>): Promise<ActionResult> {
    if (action.action !== 'call-tool')
      return refuse('RECORDING', 'This is a recording: nothing runs behind it.');
    const { tools } = this.#options;
    if (!tools) return refuse('NO_TOOLS', NO_TOOLS);
    const { server, tool, input } = action;
    // Secrets are hidden in the result, as they are in a recording.
    const redactor = createRedactor({ values: listSecretValues(process.env) });
    const begun = performance.now();
    try {
      const result = await tools.call({ server, tool, input }, this.#ended.signal);
      const durationMs = performance.now() - begun;
      return { ok: true, result: { ...redactor.redactValue(result), durationMs } };
    } catch (error) {
      return refuse('TOOL_NOT_CALLED', redactor.redactText(messageOf(error)));
    }
  }

  /** Checks for files that are new, grown, replaced or gone. New parts are then read in the background. */
  async refresh(): Promise<void> {
    // A check that is running may have missed a change that the caller knows of.
    await this.#refreshing?.catch(() => {});
    this.#refreshing ??= this.#look().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  /** Resolves when all files that were found have been summarized. */
  async settled(): Promise<void> {
    await this.#refreshing;
    while (this.#reading.size > 0) await Promise.all(this.#reading.values());
  }

  async close(): Promise<void> {
    this.#ended.abort(new Error('The inspector is closed'));
    clearTimeout(this.#timer);
    this.#listeners.clear();
    this.#waiting.clear();
    await this.settled().catch(() => {});
  }

  #find(id: string): TraceFileSession | undefined {
    for (const session of this.#sessions.values()) if (session.id === id) return session;
    return undefined;
  }

  async #look(): Promise<void> {
    const files = await this.#options.listFiles();
    const before = this.#sessions;
    this.#leftOut.clear();
    const found = await mapConcurrently(files, FILES_AT_ONCE, (file) => this.#lookAt(file));
    if (this.#ended.signal.aborted) return;
    this.#sessions = new Map(found.flatMap((one) => (one ? [[one.name, one.session]] : [])));
    const isOther =
      before.size !== this.#sessions.size ||
      [...this.#sessions].some(([name, session]) => before.get(name) !== session);
    if (isOther) for (const listener of this.#listeners) listener.changed?.();
    this.#sumUp();
  }

  async #lookAt({
    name,
    path,
    shownPath,
  }: FoundFile): Promise<{ name: string; session: TraceFileSession } | undefined> {
    const known = this.#sessions.get(name);
    try {
      const how = await known?.file.look();
      if (known && how !== 'replaced') return { name, session: known };
      const generation = (this.#generations.get(name) ?? 0) + 1;
      // The event numbers of a replaced file begin again, so it becomes another session.
      const id = generation === 1 ? name : `${name} (${generation})`;
      const session = await TraceFileSession.open(id, path, shownPath);
      this.#generations.set(name, generation);
      return { name, session };
    } catch (error) {
      this.#leftOut.set(name, messageOf(error));
      return undefined;
    }
  }

  /** Reads the new parts of all files, a few files at a time. */
  #sumUp(): void {
    this.#waiting.clear();
    for (const session of this.#sessions.values()) {
      if (session.hasMore && !this.#reading.has(session)) this.#waiting.add(session);
      else if (session.wasCutSince) this.#tellSummary(session);
    }
    while (this.#reading.size < SUMMARIES_AT_ONCE && this.#waiting.size > 0) this.#readNext();
  }

  #readNext(): void {
    // The latest file first, because a page probably shows it.
    const [next] = [...this.#waiting].toSorted(
      ({ file: one }, { file: other }) => other.modifiedAt - one.modifiedAt,
    );
    if (!next || this.#ended.signal.aborted) return;
    this.#waiting.delete(next);
    this.#reading.set(next, this.#finishReading(next));
  }

  async #finishReading(session: TraceFileSession): Promise<void> {
    await this.#readOn(session);
    this.#reading.delete(session);
    this.#readNext();
  }

  async #readOn(session: TraceFileSession): Promise<void> {
    let toldAt = -Infinity;
    try {
      for (let isEnd = false; !isEnd && !this.#ended.signal.aborted;) {
        const step = await session.step();
        isEnd = step.isEnd;
        const { fresh } = step;
        if (fresh)
          for (const listener of this.#listeners) listener.events(session.id, fresh.first, fresh.lines);
        if (!isEnd && performance.now() - toldAt < SUMMARY_EVERY_MS) continue;
        toldAt = performance.now();
        this.#tellSummary(session);
      }
    } catch {
      // The file is gone or cannot be read. The next check reports that.
    }
  }

  #tellSummary(session: TraceFileSession): void {
    const summary = session.summarize();
    for (const listener of this.#listeners) listener.summary(summary);
  }

  #poll(afterMs = this.#pollMs): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size === 0 || this.#ended.signal.aborted) return;
    this.#timer = setTimeout(() => {
      const begun = performance.now();
      // A folder that cannot be read now may be readable later.
      const looked = this.refresh().catch(() => {});
      // A large folder is checked less often, so that it does not keep the disk busy.
      void looked.then(() => this.#poll(Math.max(this.#pollMs, (performance.now() - begun) * 20)));
    }, afterMs);
    this.#timer.unref();
  }
}

function refuse(code: string, message: string): ActionResult {
  return { ok: false, error: { code, message } };
}
