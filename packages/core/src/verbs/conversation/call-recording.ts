// The records of a conversation's calls, as the other parts see them: opened with the first turn that has tools of ours, one set per
// session id. The code that writes and reads them is loaded only then.
import { AbortError, SessionClosedError } from '../../errors.js';
import { loadPart } from '../../util/load-part.js';
import type { LiveCli } from '../../live/live-cli.js';
import { nameTools, type QueryOptions } from '../../live/tooling/name-tools.js';
import type {
  PendingPermission,
  PermissionQuestions,
} from '../../answer/permissions/permission-questions.js';
import type { Options } from '../../options/options.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { isInProcess, type McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { CallCompletion, Completion } from './completion/call-completion.js';
import type { Patience, PermissionChanges } from './completion/complete-calls.js';
import type { OpenedRecords } from './completion/open-records.js';
import type { RecordedCalls } from './completion/recorded-calls.js';
import type { ConversationParts } from './conversation-parts.js';

/** One per conversation. */
export class CallRecording {
  readonly #parts: ConversationParts;
  #opened: OpenedRecords | undefined;
  #opening: { sessionId: string; done: Promise<void> } | undefined;
  #completion: CallCompletion | undefined;
  /** Settles when nothing is completed any more. */
  #completing: Promise<unknown> | undefined;
  /** Has the claim of the session until a CLI is there. */
  #claimed: CallCompletion | undefined;
  #patience: Patience | undefined;
  #changes: PermissionChanges | undefined;
  #hasNamedHooks = false;
  #wasStopped = false;
  #isOver = false;
  /** Messages for calls that were completed since the last start of a CLI: its trace begins with them. */
  readonly completed: SDKUserMessage[] = [];
  /** Told of the questions that are asked while there is no CLI, before the first is. */
  onAsking: ((questions: PermissionQuestions) => void) | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /** What records the calls of the CLI; undefined as long as there is nothing to record. */
  get recorder(): RecordedCalls | undefined {
    return this.#opened?.recorder;
  }

  /** Questions that wait for an answer while there is no CLI. */
  get pending(): PendingPermission[] {
    return this.#completion?.questions.pending ?? [];
  }

  /** The same, for whoever shows them; undefined where nothing is completed at the moment. */
  get questions(): PermissionQuestions | undefined {
    return this.#completion?.questions;
  }

  /** Opens the records of a session before its first turn with tools of ours; undefined where there is nothing to wait for. Never rejects. */
  prepare(sessionId: string | undefined): Promise<void> | undefined {
    if (sessionId === undefined || !this.#isPossible || this.#opened?.sessionId === sessionId)
      return undefined;
    if (this.#opening?.sessionId !== sessionId) {
      const done = this.#open(sessionId).finally(() => (this.#opening = undefined));
      this.#opening = { sessionId, done };
    }
    return this.#opening.done;
  }

  /** The turn of this message begins. */
  cover(message: string, cliPid: number | undefined): void | Promise<void> {
    return this.recorder?.cover(message, cliPid);
  }

  /** A CLI is started: what it asks people is recorded. */
  follow(live: LiveCli): void {
    live.permissions.watch({
      asked: (requestId, question) => this.recorder?.noteQuestion(requestId, question),
      settled: (requestId, how) => this.recorder?.noteSettled(requestId, how),
    });
  }

  /** Why calls of this conversation cannot be completed although it has tools of ours; undefined where they can, or there are none. */
  get obstacle(): string | undefined {
    return this.#hasTools ? this.#findObstacle() : undefined;
  }

  #findObstacle(): string | undefined {
    const { persistSession, sessionStore } = this.#parts.options;
    if (persistSession === false) return 'the session is not saved ("persistSession: false")';
    return !sessionStore && this.#isElsewhere
      ? 'its transcript may be on another machine, and there is no "sessionStore"'
      : undefined;
  }

  /** Whether somebody else records the calls, and tries again what fails, as the worker of a cluster does. */
  get isFollowed(): boolean {
    return this.#opened?.records.readOnly === true;
  }

  /** Reads what a completion depends on, several times where that fails for a moment. Rejects as the last attempt, and where the turn is stopped. */
  async patiently<T>(read: () => Promise<T>): Promise<T> {
    this.#wasStopped = false;
    try {
      return await read();
    } catch (error) {
      if (!this.#isPossible || this.#isOver) throw error;
    }
    const part = await loadPart(() => import('./completion/complete-calls.js'));
    const patience = new part.Patience();
    this.#patience = patience;
    if (this.#isOver) patience.end(new SessionClosedError());
    try {
      return await patience.try(read);
    } finally {
      this.#wasStopped = patience.isInterrupted;
      this.#patience = undefined;
    }
  }

  /** Whether the last read ended because somebody stopped the turn. */
  get wasStopped(): boolean {
    return this.#wasStopped;
  }

  /** Completes the calls of a turn that was cut off; undefined where that is not possible. Rejects where it fails. */
  complete(sessionId: string, cliVersion: string | undefined): Promise<Completion | undefined> {
    const completing = this.#complete(sessionId, cliVersion);
    this.#completing = completing.finally(() => (this.#completing = undefined)).catch(() => {});
    return completing;
  }

  /** Stops a turn that waits without a CLI; resolves when that is in its transcript, at once where none does. */
  async stopTurn(): Promise<void> {
    if (this.#completing) this.interrupt();
    await this.#completing;
  }

  async #complete(sessionId: string, cliVersion: string | undefined): Promise<Completion | undefined> {
    if (this.#isOver || this.#findObstacle() !== undefined) return undefined;
    const part = await loadPart(() => import('./completion/complete-calls.js'));
    const patience = new part.Patience();
    this.#patience = patience;
    try {
      await this.#claimed?.release();
      await patience.try(() => this.#openAgain(sessionId));
      const opened = this.#opened;
      if (!opened || this.#isOver) return undefined;
      // Without tools of ours there may still be calls of those that the conversation had before.
      if (!this.#hasTools && (await patience.try(() => opened.records.load())).length === 0) return undefined;
      const { warnings, journal } = this.#parts;
      const options = this.#options;
      this.#changes ??= new part.PermissionChanges({
        options,
        warnings,
        onMode: (mode) => journal.note({ subtype: 'set_permission_mode', mode }),
      });
      const onHooksMissed = (hooks: readonly string[]): void => this.#nameHooks(hooks);
      const changes = this.#changes;
      const completion = part.completeCalls({
        opened,
        options,
        warnings,
        cliVersion,
        patience,
        changes,
        onHooksMissed,
      });
      this.#completion = completion;
      const done = await completion?.run(() => this.onAsking?.(completion.questions));
      this.#claimed = completion;
      return done;
    } finally {
      this.#completion?.close(new SessionClosedError('The calls are completed'));
      this.#completion = undefined;
      this.#patience = undefined;
      if (this.#isOver) await this.#claimed?.release();
    }
  }

  /** The options of a start, with what people have changed by their answers. */
  apply(options: QueryOptions): QueryOptions {
    return this.#changes?.apply(options) ?? options;
  }

  /** A CLI has the session, or is not going to: others need not wait any longer. */
  async release(cliPid?: number): Promise<void> {
    const claimed = this.#claimed;
    this.#claimed = undefined;
    await claimed?.noteCli(cliPid);
  }

  /** Whoever waits for a person is told that the turn is interrupted; false where nobody waits. */
  interrupt(): boolean {
    this.#patience?.interrupt();
    this.cancelKept(new AbortError('The turn was interrupted'));
    return this.#patience !== undefined;
  }

  /** No turn goes on, so nobody waits for the handlers of a CLI that is gone. */
  cancelKept(reason: Error): void {
    this.recorder?.cancelKept(reason);
  }

  /** The conversation is over: nobody goes on with what was cut off. */
  stop(reason: Error): void {
    this.#isOver = true;
    this.#patience?.end(reason);
    this.#completion?.close(reason);
    this.recorder?.stop(reason);
    void this.release()
      .then(() => this.#opened?.close())
      .catch(() => {});
  }

  /** Opens the records where that failed before. */
  async #openAgain(sessionId: string): Promise<void> {
    await this.#opening?.done;
    if (this.#opened?.sessionId !== sessionId) await this.#openNow(sessionId);
  }

  #nameHooks(hooks: readonly string[]): void {
    if (this.#hasNamedHooks) return;
    this.#hasNamedHooks = true;
    this.#parts.warnings.emit({
      code: 'SETTINGS_HOOKS_NOT_RUN',
      message: `A call was completed without a CLI, so hooks of settings that would have run after it did not: ${hooks.join(', ')}`,
    });
  }

  async #open(sessionId: string): Promise<void> {
    try {
      await this.#openNow(sessionId);
    } catch (cause) {
      const message =
        'The calls of this session cannot be recorded, so those that are cut off have an unknown outcome';
      this.#parts.warnings.report(new Error(message, { cause }));
    }
  }

  async #openNow(sessionId: string): Promise<void> {
    const { warnings, calls } = this.#parts;
    const { openRecords } = await loadPart(() => import('./completion/open-records.js'));
    const identify: typeof calls.identify = (call) => calls.identify(call);
    await this.#opened?.close();
    this.#opened = await openRecords({ sessionId, options: this.#options, warnings, identify });
  }

  /** With the servers there are now. */
  get #options(): Options {
    const { options, journal } = this.#parts;
    const named = nameTools(options);
    if (!journal.servers) return named;
    const kept = Object.entries(options.mcpServers ?? {}).filter(([, config]) => !isInProcess(config));
    return { ...named, mcpServers: { ...Object.fromEntries(kept), ...journal.servers } };
  }

  /** Whether there are tools of ours, and a transcript that can be read and written here. */
  get #isPossible(): boolean {
    return this.#hasTools && this.obstacle === undefined;
  }

  get #hasTools(): boolean {
    const { options, journal } = this.#parts;
    return hasOwn(options.mcpServers) || hasOwn(journal.servers);
  }

  get #isElsewhere(): boolean {
    const { transport, spawnClaudeCodeProcess } = this.#parts.options;
    return transport !== undefined || spawnClaudeCodeProcess !== undefined;
  }
}

function hasOwn(servers: Record<string, McpServerConfig> | undefined): boolean {
  return Object.values(servers ?? {}).some((config) => isInProcess(config));
}
