// The records of a conversation's calls, as the other parts see them: opened with the first turn that has tools of ours, one set per
// session id. The code that writes and reads them is loaded only then.
import { AbortError, SessionClosedError } from '../../errors.js';
import { loadPart } from '../../util/load-part.js';
import type { LiveCli } from '../../live/live-cli.js';
import { nameTools } from '../../live/tooling/name-tools.js';
import type {
  PendingPermission,
  PermissionQuestions,
} from '../../answer/permissions/permission-questions.js';
import type { Options } from '../../options/options.js';
import type { SDKUserMessage } from '../../wire/protocol/messages/messages.js';
import { isInProcess, type McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { CallCompletion, Completion } from './completion/call-completion.js';
import type { OpenedRecords } from './completion/open-records.js';
import type { RecordedCalls } from './completion/recorded-calls.js';
import type { ConversationParts } from './conversation-parts.js';

/** One per conversation. */
export class CallRecording {
  readonly #parts: ConversationParts;
  #opened: OpenedRecords | undefined;
  #opening: { sessionId: string; done: Promise<void> } | undefined;
  #completion: CallCompletion | undefined;
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

  /** Completes the calls of a turn that was cut off; undefined where that is not possible. Rejects where it fails. */
  async complete(sessionId: string, cliVersion: string | undefined): Promise<Completion | undefined> {
    if (this.#isOver || !this.#isPossible) return undefined;
    await this.prepare(sessionId);
    const opened = this.#opened;
    if (!opened) return undefined;
    const { completeCalls } = await loadPart(() => import('./completion/complete-calls.js'));
    if (this.#isOver) return undefined;
    const { warnings } = this.#parts;
    this.#completion = completeCalls({ opened, options: this.#options, warnings, cliVersion });
    const completion = this.#completion;
    try {
      return await completion?.run(() => this.onAsking?.(completion.questions));
    } finally {
      completion?.close(new SessionClosedError('The calls are completed'));
      this.#completion = undefined;
    }
  }

  /** Whoever waits for a person is told that the turn is interrupted; false where nobody waits. */
  interrupt(): boolean {
    this.#completion?.interrupt();
    this.cancelKept(new AbortError('The turn was interrupted'));
    return this.#completion !== undefined;
  }

  /** No turn goes on, so nobody waits for the handlers of a CLI that is gone. */
  cancelKept(reason: Error): void {
    this.recorder?.cancelKept(reason);
  }

  /** The conversation is over: nobody goes on with what was cut off. */
  stop(reason: Error): void {
    this.#isOver = true;
    this.#completion?.close(reason);
    this.recorder?.stop(reason);
    void this.#opened?.close().catch(() => {});
  }

  async #open(sessionId: string): Promise<void> {
    const { warnings, calls } = this.#parts;
    try {
      const { openRecords } = await loadPart(() => import('./completion/open-records.js'));
      const identify: typeof calls.identify = (call) => calls.identify(call);
      await this.#opened?.close();
      this.#opened = await openRecords({ sessionId, options: this.#options, warnings, identify });
    } catch (cause) {
      const message =
        'The calls of this session cannot be recorded, so those that are cut off have an unknown outcome';
      warnings.report(new Error(message, { cause }));
    }
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
    const { options, journal } = this.#parts;
    const { persistSession, sessionStore, transport, spawnClaudeCodeProcess } = options;
    if (persistSession === false) return false;
    const isElsewhere = transport !== undefined || spawnClaudeCodeProcess !== undefined;
    if (!sessionStore && isElsewhere) return false;
    return hasOwn(options.mcpServers) || hasOwn(journal.servers);
  }
}

function hasOwn(servers: Record<string, McpServerConfig> | undefined): boolean {
  return Object.values(servers ?? {}).some((config) => isInProcess(config));
}
