// Owns one session of the editor: a conversation with its own CLI. Handles prompts, their cancellation, and the person's
// choice of mode and model.
import type {
  ContentBlock,
  McpServer,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
} from '@agentclientprotocol/sdk';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { McpServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { PermissionMode } from '@inboard/core/wire/protocol/control/permissions.js';
import type { AcpOptions } from './acp-options.js';
import { HandshakeFacts } from './handshake-facts.js';
import { ContinuedTurn, lacksElicitation } from './continued-turn.js';
import { joinServers } from './editor-servers.js';
import { toUserContent } from './prompt-content.js';
import { openCli, type CliLifetime, type OpenedCli } from './open-cli.js';
import { createEditorAsker } from './questions/ask-editor.js';
import { EditorLink, type EditorSide } from './questions/editor-link.js';
import { createElicitor } from './questions/request-form.js';
import { AcpRefusal } from './acp-refusal.js';
import { stopReasonOf } from './stop-reason.js';
import { stopWork, type StoppableWork } from './stop-work.js';
import { MessageUpdates } from './updates/message-updates.js';
import { listCommands } from './updates/notices.js';

/** What all sessions of an agent share. */
export interface SessionSetup extends EditorSide, CliLifetime {
  readonly options: AcpOptions;
  /** Returns the current servers of the agent. */
  readonly servers: () => Readonly<Record<string, McpServerConfig>>;
  /** Milliseconds that a cancelled turn has to end. After that, its CLI is killed. */
  readonly cancelGraceMs: number;
}

/** The editor's request for a session. */
export interface SessionRequest {
  readonly cwd: string;
  readonly additionalDirectories?: string[] | undefined;
  readonly mcpServers?: McpServer[] | undefined;
  /** The id of a session to resume. */
  readonly resume?: string | undefined;
  /** The calls of the session that wait for an answer, by the ids of their tool uses. The session goes on with their turn. */
  readonly waiting?: ReadonlySet<string> | undefined;
}

interface OpenPrompt extends StoppableWork {
  readonly turn: Turn;
  /** Resolves when everything up to the result was sent to the editor, or when nothing more will be sent. */
  readonly shown: Deferred<void>;
}

/** A session whose CLI was started, or is started once there is an answer. The agent opens and closes it. */
export class EditorSession {
  readonly #setup: SessionSetup;
  readonly #request: SessionRequest;
  readonly #link: EditorLink;
  readonly #updates: MessageUpdates;
  readonly #canUseTool: CanUseTool;
  readonly #prompts = new Set<OpenPrompt>();
  readonly #facts: HandshakeFacts;
  #cli: OpenedCli;
  /** Rejects with the error that ended the session. */
  #followed: Promise<void>;
  #continued: ContinuedTurn | undefined;
  #hasNewCommands = false;

  /**
   * Starts a CLI, unless the session waits for an answer. Throws an AcpRefusal if the CLI has no login, and any error that
   * keeps the CLI from starting.
   */
  static async open(setup: SessionSetup, request: SessionRequest): Promise<EditorSession> {
    try {
      return await EditorSession.#open(setup, request, true);
    } catch (error) {
      // An old CLI cannot pass on questions of MCP servers. It is still usable without them.
      if (!lacksElicitation(error)) throw error;
      return EditorSession.#open(setup, request, false);
    }
  }

  static async #open(
    setup: SessionSetup,
    request: SessionRequest,
    hasElicitation: boolean,
  ): Promise<EditorSession> {
    const session = new EditorSession(setup, request, hasElicitation);
    try {
      if (!session.#isWaiting) await session.#facts.learn(session.#cli.session, session.#followed, true);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  private constructor(setup: SessionSetup, request: SessionRequest, hasElicitation: boolean) {
    this.#setup = setup;
    this.#request = request;
    this.#link = new EditorLink(setup);
    const { session: shown } = setup.capabilities;
    this.#updates = new MessageUpdates({
      cwd: request.cwd,
      kinds: { notices: isRecord(shown?.notices), compaction: isRecord(shown?.compaction) },
      waiting: request.waiting ?? new Set(),
      listCosts: () => this.#cli.session.usageReport().turns.map(({ turnCostUsd }) => turnCostUsd),
    });
    this.#canUseTool = createEditorAsker({
      link: this.#link,
      updates: this.#updates,
      onCancelled: () => this.cancel(),
    });
    this.#facts = new HandshakeFacts(setup.options);
    this.#cli = this.#openCli(hasElicitation);
    this.#link.sessionId = request.resume ?? this.#cli.session.sessionId ?? '';
    this.#followed = this.#follow(this.#cli.session);
  }

  /** The id by which the editor knows the session, even if the CLI uses another one later. */
  get id(): string {
    return this.#link.sessionId;
  }

  /** The modes and options of the session, in the form that the editor expects in an answer. */
  describe(): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
    return { modes: this.#facts.config.modes, configOptions: this.#facts.config.options };
  }

  /** Shows messages of an earlier run again. Resolves when they are sent. */
  async replay(messages: readonly object[]): Promise<void> {
    this.#link.open();
    for (const message of messages) await this.#link.update(this.#updates.replay(message));
    await this.#link.update(this.#updates.abandonPastCalls());
  }

  /** Goes on with a turn that waits for an answer: asks the person again. Does nothing where nothing waits. */
  goOn(): void {
    if (!this.#isWaiting || this.#continued !== undefined) return;
    const { session } = this.#cli;
    const shown = { facts: this.#facts, link: this.#link, updates: this.#updates };
    const onTooOld = (): void => this.#goOnWithoutElicitation();
    this.#continued = new ContinuedTurn({ session, followed: this.#followed, ...shown, onTooOld });
  }

  // What was answered is in the transcript by now, so no person is asked again.
  #goOnWithoutElicitation(): void {
    this.#cli.idle.stop();
    this.#cli = this.#openCli(false);
    this.#followed = this.#follow(this.#cli.session);
    this.#continued = undefined;
    this.goOn();
  }

  /** Lets updates through, because the editor now knows the session. The first update lists the slash commands. */
  announce(): void {
    this.#link.open();
    if (!this.#hasNewCommands && !this.#isWaiting)
      void this.#link.update([listCommands(this.#facts.commands)]);
  }

  /** Sends a prompt. Resolves when its turn is over, even if it was cancelled. Rejects if the turn or the session failed. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const content = toUserContent(blocks);
    const stop = new AbortController();
    const turn = this.#cli.session.send(content, { signal: stop.signal });
    const over = turn.outcome();
    const prompt: OpenPrompt = { turn, over, stop, shown: createDeferred() };
    this.#prompts.add(prompt);
    const release = onAbort(signal, () => this.#stop(prompt));
    try {
      const outcome = await over;
      await prompt.shown.promise;
      return { stopReason: stop.signal.aborted ? 'cancelled' : stopReasonOf(outcome) };
    } catch (error) {
      await this.#link.update(this.#updates.abandonCalls());
      // The prompt was withdrawn before its turn began, or its CLI was killed because the turn did not stop.
      if (stop.signal.aborted) return { stopReason: 'cancelled' };
      throw error;
    } finally {
      release();
      this.#prompts.delete(prompt);
    }
  }

  /** Cancels the running turn and the waiting ones. Their prompts are answered with `cancelled`. */
  cancel(): void {
    for (const prompt of this.#prompts) this.#stop(prompt);
    if (this.#continued) this.#stop(this.#continued);
  }

  /** Switches the permission mode. Throws an AcpRefusal for a mode that cannot be chosen. */
  async setMode(id: unknown): Promise<void> {
    const mode = this.#facts.config.readMode(id);
    await this.#apply(this.#cli.session.setPermissionMode(mode));
    this.#noteMode(mode);
  }

  /** Changes one option and returns all of them. Throws an AcpRefusal for an unknown option. */
  async setOption(id: string, value: unknown): Promise<SessionConfigOption[]> {
    if (id === 'mode') await this.setMode(value);
    else if (id === 'model') {
      const model = this.#facts.config.readModel(value);
      await this.#apply(this.#cli.session.setModel(model));
      this.#facts.config.noteModel(model);
    } else
      throw new AcpRefusal('invalidParams', `There is no option "${id}". The options are mode and model.`);
    return this.#facts.config.options;
  }

  // While a turn waits for an answer there is no CLI. The next one gets the change, and the editor does not wait for that.
  async #apply(change: Promise<unknown>): Promise<void> {
    const isLater = this.#continued !== undefined && this.#cli.session.state === 'starting';
    if (!isLater) await change;
    else change.catch((error: unknown) => this.#link.note(`A choice was not applied: ${messageOf(error)}`));
  }

  /** Gives the CLI the current servers of the agent. */
  async refreshServers(): Promise<void> {
    await this.#cli.session.setMcpServers(this.#joinServers());
  }

  /** Cancels all turns and ends the CLI. */
  async close(): Promise<void> {
    this.cancel();
    this.#cli.idle.stop();
    this.#link.close();
    await this.#cli.session.close();
    await this.#followed.catch(() => {});
  }

  get #isWaiting(): boolean {
    return (this.#request.waiting?.size ?? 0) > 0;
  }

  #openCli(hasElicitation: boolean): OpenedCli {
    const { cwd, additionalDirectories = [], resume } = this.#request;
    return openCli(this.#setup.options, this.#setup, {
      cwd,
      additionalDirectories,
      resume,
      servers: this.#joinServers(),
      canUseTool: this.#canUseTool,
      onElicitation: hasElicitation ? createElicitor(this.#link) : undefined,
      link: this.#link,
      isContinued: this.#isWaiting,
    });
  }

  #joinServers(): Record<string, McpServerConfig> {
    return joinServers(this.#setup.servers(), this.#request.mcpServers);
  }

  #follow(session: Session): Promise<void> {
    const followed = this.#showMessages(session);
    // Each prompt reports the same failure, so it is not reported here.
    followed.catch(() => {});
    return followed;
  }

  async #showMessages(session: Session): Promise<void> {
    try {
      for await (const message of session.messages()) {
        this.#cli.idle.touch();
        if (message.type === 'system' && message.subtype === 'commands_changed') this.#hasNewCommands = true;
        await this.#link.update(this.#updates.take(message));
        if (message.type === 'system' && 'permissionMode' in message) {
          const { permissionMode } = message;
          if (permissionMode !== undefined) this.#noteMode(permissionMode);
        }
        if (message.type !== 'result') continue;
        for (const { turn, shown } of this.#prompts) if (turn.state === 'over') shown.resolve();
      }
    } finally {
      for (const { shown } of this.#prompts) shown.resolve();
    }
  }

  #noteMode(mode: PermissionMode): void {
    if (!this.#facts.config.noteMode(mode)) return;
    void this.#link.update([
      { sessionUpdate: 'current_mode_update', currentModeId: mode },
      { sessionUpdate: 'config_option_update', configOptions: this.#facts.config.options },
    ]);
  }

  #stop(work: StoppableWork): void {
    const { cancelGraceMs: graceMs } = this.#setup;
    stopWork(work, { session: this.#cli.session, graceMs, note: this.#link.note });
  }
}
