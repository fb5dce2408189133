// Owns one session of the editor: a conversation with its own CLI. Handles prompts, their cancellation, and the person's
// choice of mode and model.
import type {
  ContentBlock,
  McpServer,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
} from '@agentclientprotocol/sdk';
import { UnsupportedOptionError } from '@inboard/core/errors.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { openSession, type Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { McpServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';
import type { OnElicitation } from '@inboard/core/wire/protocol/config/user-questions.js';
import { listLogins } from '@inboard/core/wire/protocol/control/logins.js';
import type { SDKControlInitializeResponse } from '@inboard/core/wire/protocol/control/initialize-reply.js';
import type { CanUseTool } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { PermissionMode } from '@inboard/core/wire/protocol/control/permissions.js';
import type { AcpOptions } from './acp-options.js';
import { joinServers } from './editor-servers.js';
import { toUserContent } from './prompt-content.js';
import { createEditorAsker } from './questions/ask-editor.js';
import { EditorLink, type EditorSide } from './questions/editor-link.js';
import { createElicitor } from './questions/request-form.js';
import { EDITOR_LOGIN_ADVICE, AcpRefusal } from './acp-refusal.js';
import { SessionConfig } from './session-config.js';
import { decideSession } from './session-options.js';
import { stopReasonOf } from './stop-reason.js';
import { MessageUpdates } from './updates/message-updates.js';
import { listCommands } from './updates/notices.js';

/** What all sessions of an agent share. */
export interface SessionSetup extends EditorSide {
  readonly options: AcpOptions;
  /** Returns the current servers of the agent. */
  readonly servers: () => Readonly<Record<string, McpServerConfig>>;
  readonly suspendAfterMs: number;
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
}

interface OpenPrompt {
  readonly turn: Turn;
  readonly stop: AbortController;
  /** Resolves when everything up to the result was sent to the editor, or when nothing more will be sent. */
  readonly shown: Deferred<void>;
}

/** A session whose CLI was started. The agent opens and closes it. */
export class EditorSession {
  readonly #setup: SessionSetup;
  readonly #request: SessionRequest;
  readonly #link: EditorLink;
  readonly #updates: MessageUpdates;
  readonly #canUseTool: CanUseTool;
  readonly #prompts = new Set<OpenPrompt>();
  readonly #session: Session;
  /** Rejects with the error that ended the session. */
  readonly #followed: Promise<void>;
  #commands: readonly unknown[] = [];
  #hasNewCommands = false;
  #config = new SessionConfig({ mode: 'default', mayBypass: false, models: [], model: undefined });

  /** Starts a CLI. Throws an AcpRefusal if the CLI has no login, and any error that keeps the CLI from starting. */
  static async open(setup: SessionSetup, request: SessionRequest): Promise<EditorSession> {
    try {
      return await EditorSession.#open(setup, request, true);
    } catch (error) {
      // An old CLI cannot pass on questions of MCP servers. It is still usable without them.
      if (!(error instanceof UnsupportedOptionError) || error.option !== 'onElicitation') throw error;
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
      await session.#begin();
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
    this.#updates = new MessageUpdates(request.cwd, {
      notices: isRecord(shown?.notices),
      compaction: isRecord(shown?.compaction),
    });
    this.#canUseTool = createEditorAsker({
      link: this.#link,
      updates: this.#updates,
      onCancelled: () => this.cancel(),
    });
    this.#session = this.#openCli(hasElicitation ? createElicitor(this.#link) : undefined);
    this.#link.sessionId = request.resume ?? this.#session.sessionId ?? '';
    this.#followed = this.#follow(this.#session);
    // Each prompt reports the same failure, so it is not reported here.
    this.#followed.catch(() => {});
  }

  /** The id by which the editor knows the session, even if the CLI uses another one later. */
  get id(): string {
    return this.#link.sessionId;
  }

  /** The modes and options of the session, in the form that the editor expects in an answer. */
  describe(): { modes: SessionModeState; configOptions: SessionConfigOption[] } {
    return { modes: this.#config.modes, configOptions: this.#config.options };
  }

  /** Shows messages of an earlier run again. Resolves when they are sent. */
  async replay(messages: readonly object[]): Promise<void> {
    this.#link.open();
    for (const message of messages) await this.#link.update(this.#updates.replay(message));
    await this.#link.update(this.#updates.abandonCalls());
  }

  /** Lets updates through, because the editor now knows the session. The first update lists the slash commands. */
  announce(): void {
    this.#link.open();
    if (!this.#hasNewCommands) void this.#link.update([listCommands(this.#commands)]);
  }

  /** Sends a prompt. Resolves when its turn is over, even if it was cancelled. Rejects if the turn or the session failed. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const content = toUserContent(blocks);
    const stop = new AbortController();
    const turn = this.#session.send(content, { signal: stop.signal });
    const prompt: OpenPrompt = { turn, stop, shown: createDeferred() };
    this.#prompts.add(prompt);
    const release = onAbort(signal, () => this.#stop(prompt));
    try {
      const outcome = await turn.outcome();
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
  }

  /** Switches the permission mode. Throws an AcpRefusal for a mode that cannot be chosen. */
  async setMode(id: unknown): Promise<void> {
    const mode = this.#config.readMode(id);
    await this.#session.setPermissionMode(mode);
    this.#noteMode(mode);
  }

  /** Changes one option and returns all of them. Throws an AcpRefusal for an unknown option. */
  async setOption(id: string, value: unknown): Promise<SessionConfigOption[]> {
    if (id === 'mode') await this.setMode(value);
    else if (id === 'model') {
      const model = this.#config.readModel(value);
      await this.#session.setModel(model);
      this.#config.noteModel(model);
    } else
      throw new AcpRefusal('invalidParams', `There is no option "${id}". The options are mode and model.`);
    return this.#config.options;
  }

  /** Gives the CLI the current servers of the agent. */
  async refreshServers(): Promise<void> {
    await this.#session.setMcpServers(this.#joinServers());
  }

  /** Cancels all turns and ends the CLI. */
  async close(): Promise<void> {
    this.cancel();
    this.#link.close();
    await this.#session.close();
    await this.#followed.catch(() => {});
  }

  #openCli(onElicitation: OnElicitation | undefined): Session {
    const { options, suspendAfterMs } = this.#setup;
    const { cwd, additionalDirectories = [], resume } = this.#request;
    const decided = { cwd, additionalDirectories, resume, suspendAfterMs, servers: this.#joinServers() };
    const answerers = { canUseTool: this.#canUseTool, onElicitation, link: this.#link };
    return openSession(decideSession(options, { ...decided, ...answerers }));
  }

  #joinServers(): Record<string, McpServerConfig> {
    return joinServers(this.#setup.servers(), this.#request.mcpServers);
  }

  async #begin(): Promise<void> {
    let facts: SDKControlInitializeResponse;
    try {
      facts = await this.#session.initializationResult();
    } catch (error) {
      // The error that ended the messages is the cause. The failed request only follows from it.
      await this.#followed;
      throw error;
    }
    const { account, models, commands, current_permission_mode: mode } = facts;
    this.#commands = commands ?? [];
    if (account?.tokenSource === 'none' && listLogins(account).length === 0) {
      throw new AcpRefusal('loginNeeded', `The Claude CLI has no login. ${EDITOR_LOGIN_ADVICE}`);
    }
    const { options } = this.#setup;
    this.#config = new SessionConfig({
      mode: mode ?? options.permissionMode ?? 'default',
      mayBypass: options.allowDangerouslySkipPermissions === true,
      models: models ?? [],
      model: options.model,
    });
  }

  async #follow(session: Session): Promise<void> {
    try {
      for await (const message of session.messages()) {
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
    if (!this.#config.noteMode(mode)) return;
    void this.#link.update([
      { sessionUpdate: 'current_mode_update', currentModeId: mode },
      { sessionUpdate: 'config_option_update', configOptions: this.#config.options },
    ]);
  }

  #stop(prompt: OpenPrompt): void {
    if (prompt.stop.signal.aborted) return;
    prompt.stop.abort();
    const timer = setTimeout(() => this.#endStubbornCli(), this.#setup.cancelGraceMs);
    const forget = (): void => clearTimeout(timer);
    prompt.turn.outcome().then(forget, forget);
  }

  // Kills a CLI that does not stop when it is told to. The conversation starts another CLI, which goes on from the transcript.
  // If the CLI has no process id here, the session is closed instead.
  #endStubbornCli(): void {
    this.#link.note('The CLI did not end a cancelled turn in time, so it is stopped.');
    const { pid } = this.#session;
    if (pid === undefined) {
      void this.#session.close().catch(() => {});
      return;
    }
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The CLI ended by itself at this moment. An error that is thrown in a timer would end the agent.
    }
  }
}
