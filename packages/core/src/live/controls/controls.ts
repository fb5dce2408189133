// The public run-time controls of queries and sessions, as types. The control table says which request each method
// sends.
import type {
  AccountInfo,
  AgentInfo,
  ControlRequestFields,
  ControlRequestResponse,
  ControlRequestSubtype,
  FileSuggestion,
  FlagSettingsPatch,
  McpServerStatus,
  McpSetServersResult,
  ModelInfo,
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlGetHooksListingResponse,
  SDKControlGetSettingsResponse,
  SDKControlGetTaskOutputResponse,
  SDKControlGetUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlListPermissionRulesResponse,
  SDKControlMcpCallResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
  SdkPluginConfig,
  SlashCommand,
} from '../../wire/protocol/control/control.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { PermissionMode } from '../../wire/protocol/control/permissions.js';

/** How thinking is shown from now on; `null` leaves it to the CLI. */
export type ThinkingDisplayChange = 'summarized' | 'omitted' | 'highlights' | null;

/** When to stop waiting for a control. Every method of `Controls` takes these options as its last parameter. */
export interface ControlOptions {
  /** Rejects with a ControlTimeoutError after this many milliseconds. Default 0: no limit. */
  timeoutMs?: number | undefined;
  /** Rejects with an AbortError when the signal aborts. */
  signal?: AbortSignal | undefined;
}

/** Which CLI this is and what it says it can do. */
export interface CliCapabilities {
  /** The CLI's version. Undefined when neither the executable nor the CLI itself tells it. */
  version: string | undefined;
  /**
   * The capabilities as the CLI names them, like `interrupt_receipt_v1`. Some are named only in the first turn. CLIs
   * before 2.1.289 name none in the handshake.
   */
  names: string[];
}

/** What a running CLI can be asked. All methods work before, during and without iteration, until the input ends. */
export interface Controls {
  /**
   * Ends the current turn. The session continues. Right after `query()` or `send()`, that is the turn of the message: the interrupt
   * waits until the CLI has begun it. Without a turn it resolves and stops nothing. `cancelQueued` also drops the messages queued
   * behind the turn, and a CLI that supports this lists them as `cancelled`. Resolves with undefined on CLIs that give no receipt.
   */
  interrupt(
    options?: ControlOptions & { cancelQueued?: boolean | undefined },
  ): Promise<SDKControlInterruptResponse | undefined>;
  /** Changes the permission mode from now on. */
  setPermissionMode(mode: PermissionMode, options?: ControlOptions): Promise<void>;
  /** Changes the model from the next request on. Without an argument, the default model is used again. */
  setModel(model?: string, options?: ControlOptions): Promise<void>;
  /**
   * Limits the tokens for thinking; `null` removes the limit.
   * @deprecated Prefer the option `thinking`.
   */
  setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    display?: ThinkingDisplayChange,
    options?: ControlOptions,
  ): Promise<void>;

  /** The CLI's answer to the handshake. It can also be read after the session has ended. */
  initializationResult(options?: ControlOptions): Promise<SDKControlInitializeResponse>;
  /**
   * Repeats the handshake. This registers hooks and servers again, makes the CLI repeat its open questions, and
   * replaces the first answer.
   */
  reinitialize(options?: ControlOptions): Promise<SDKControlInitializeResponse>;
  /** Which CLI this is and what it says it can do. */
  capabilities(options?: ControlOptions): Promise<CliCapabilities>;
  /**
   * Whether the CLI knows a control request, such as `get_task_output`, or names a capability, such as
   * `interrupt_receipt_v1`.
   */
  supports(name: string, options?: ControlOptions): Promise<boolean>;
  /** The slash commands, including changes since the handshake. */
  supportedCommands(options?: ControlOptions): Promise<SlashCommand[]>;
  /** The models that the CLI listed in the handshake. `listModels` asks it again. */
  supportedModels(options?: ControlOptions): Promise<ModelInfo[]>;
  /** The available subagents; empty on CLIs that list none. */
  supportedAgents(options?: ControlOptions): Promise<AgentInfo[]>;
  /** Who is logged in, and how. */
  accountInfo(options?: ControlOptions): Promise<AccountInfo>;
  /** The models that are available now. `supportedModels` returns those from the handshake. */
  listModels(options?: ControlOptions): Promise<ModelInfo[]>;

  /**
   * Replaces all MCP servers that were set at run time, and all in-process servers. If the CLI refuses or the caller gives up,
   * the in-process servers stay as they were.
   */
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: ControlOptions,
  ): Promise<McpSetServersResult>;
  /** The MCP servers and whether each is connected. */
  mcpServerStatus(options?: ControlOptions): Promise<McpServerStatus[]>;
  /** Reconnects to an MCP server; rejects if it cannot be reached. */
  reconnectMcpServer(serverName: string, options?: ControlOptions): Promise<void>;
  /** Enables or disables an MCP server. CLI 2.1.33 still offers a disabled server's tools to the model. */
  toggleMcpServer(serverName: string, enabled: boolean, options?: ControlOptions): Promise<void>;
  /** Sets a permission mode for the tools of one MCP server; `null` removes it. */
  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
    options?: ControlOptions,
  ): Promise<{ warning?: string }>;
  /** Reads a resource from an MCP server by its URI. */
  readMcpResource(
    serverName: string,
    uri: string,
    options?: ControlOptions,
  ): Promise<SDKControlMcpReadResourceResponse>;
  /**
   * Calls a tool of an MCP server outside this process, by its full name (`mcp__server__tool`), without the model.
   * Permissions are not checked unless `checkPermissions` is set.
   */
  callMcpTool(
    tool: string,
    input?: Record<string, unknown>,
    options?: ControlOptions & {
      checkPermissions?: boolean | undefined;
      resultNotForModel?: boolean | undefined;
    },
  ): Promise<SDKControlMcpCallResponse>;

  /** What fills the context window, by category. */
  getContextUsage(
    options?: ControlOptions & { detail?: 'summary' | 'full' | undefined },
  ): Promise<SDKControlGetContextUsageResponse>;
  /** What the session has cost and how much of the plan's limits is used up. `skipBehaviors` leaves out `behaviors`. */
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(
    options?: ControlOptions & { skipBehaviors?: boolean | undefined },
  ): Promise<SDKControlGetUsageResponse>;
  /** The cost so far, as text for display. */
  getSessionCost(options?: ControlOptions): Promise<string>;

  /** The effective settings, where each comes from, and what the session actually uses. */
  getSettings(options?: ControlOptions): Promise<SDKControlGetSettingsResponse>;
  /** Merges these settings into those given on the command line; `null` clears a key. */
  applyFlagSettings(settings: FlagSettingsPatch, options?: ControlOptions): Promise<void>;
  /** Changes the user's settings file or the local settings file of the project. */
  updateSettings(
    source: 'userSettings' | 'localSettings',
    settings: Record<string, unknown>,
    options?: ControlOptions,
  ): Promise<void>;
  /** The permission rules and folders in effect. */
  listPermissionRules(options?: ControlOptions): Promise<SDKControlListPermissionRulesResponse>;
  /** The hooks from settings and plugins, without those in this process. */
  getHooksListing(options?: ControlOptions): Promise<SDKControlGetHooksListingResponse>;

  /**
   * Restores files to their state at a user message. `dryRun` only reports what would change. Needs the option
   * `enableFileCheckpointing`.
   */
  rewindFiles(
    userMessageId: string,
    options?: ControlOptions & { dryRun?: boolean | undefined },
  ): Promise<RewindFilesResult>;
  /**
   * Makes the CLI treat a file as read at that modification time (whole milliseconds), so that the model may edit it
   * without reading it first.
   */
  seedReadState(path: string, mtime: number, options?: ControlOptions): Promise<void>;
  /** Reads a file as the CLI sees it; null if it cannot be read. */
  readFile(
    path: string,
    options?: ControlOptions & { maxBytes?: number | undefined; encoding?: 'utf-8' | 'base64' | undefined },
  ): Promise<SDKControlReadFileResponse | null>;
  /** Files and folders that match what was typed after an `@`; empty while the CLI is still indexing them. */
  fileSuggestions(query: string, options?: ControlOptions): Promise<FileSuggestion[]>;
  /** Adds a folder to work in, and loads its instructions, plugins and skills as requested. */
  registerRepoRoot(
    directory: string,
    options?: ControlOptions & {
      reloadClaudeMd?: boolean | undefined;
      reloadPlugins?: boolean | undefined;
      reloadSkills?: boolean | undefined;
    },
  ): Promise<void>;

  /** Reloads the plugins, and adds those in `addPlugins`. */
  reloadPlugins(
    options?: ControlOptions & {
      holdOnCacheImpact?: boolean | undefined;
      addPlugins?: SdkPluginConfig[] | undefined;
      /** Rejects with the code `reload_plugins_busy` while a turn runs. */
      refuseIfBusy?: boolean | undefined;
    },
  ): Promise<SDKControlReloadPluginsResponse>;
  /** Reads the skills again and lists them. */
  reloadSkills(options?: ControlOptions): Promise<SDKControlReloadSkillsResponse>;
  /** Reads the output styles again and lists them. */
  reloadOutputStyles(options?: ControlOptions): Promise<SDKControlReloadOutputStylesResponse>;

  /** The last part of the output of a background shell. */
  getTaskOutput(taskId: string, options?: ControlOptions): Promise<SDKControlGetTaskOutputResponse>;
  /** Stops a background task. Also resolves if the task does not exist or has already ended. */
  stopTask(taskId: string, options?: ControlOptions): Promise<void>;
  /**
   * Moves running tools to the background: all of them, or only the one of this call. Resolves with false if the CLI reports
   * that it moved none.
   */
  backgroundTasks(toolUseId?: string, options?: ControlOptions): Promise<boolean>;
  /** Removes a queued user message, by the `uuid` it was sent with. Resolves with false if it is no longer queued. */
  cancelQueuedMessage(messageUuid: string, options?: ControlOptions): Promise<boolean>;
  /** Gives a title to this session, or to another one by its id. */
  renameSession(title: string, sessionId?: string, options?: ControlOptions): Promise<void>;

  /** Sends any control request, also one for which there is no method. */
  request<S extends ControlRequestSubtype>(
    subtype: S,
    fields?: ControlRequestFields<S>,
    options?: ControlOptions,
  ): Promise<ControlRequestResponse<S>>;
}

/** An answer of the CLI that has no promised shape. */
export type LooseReply = Record<string, unknown>;

/**
 * Methods that the official SDK's query has at run time although its types leave them out. Programs look for them. A
 * `LooseReply` is passed on as it comes. An old CLI refuses the requests that it does not know.
 */
export interface UnlistedControls {
  /** Makes a model write a session title from `description`. `persist` also saves it. Null if the model wrote none. */
  generateSessionTitle(
    description: string,
    options?: { persist?: boolean | undefined },
  ): Promise<string | null>;
  /** Asks about the conversation without adding to it. Null if there is no answer. */
  askSideQuestion(question: string): Promise<{ response: string; synthetic: boolean } | null>;
  /** Removes a queued user message, by its `uuid`. Resolves with false if it was too late. */
  cancelAsyncMessage(messageUuid: string): Promise<boolean>;
  /** The status of the CLI and its session. */
  getStatus(): Promise<LooseReply>;
  /** The plan made in plan mode. */
  getPlan(): Promise<LooseReply>;
  /** The conversation in the CLI's export format. */
  exportConversation(): Promise<LooseReply>;
  /** Changes the working directory. */
  setCwd(path: string): Promise<LooseReply>;
  /** Pauses or resumes the suggestions for the next prompt. */
  setPromptSuggestionsPaused(paused: boolean): Promise<void>;
  /** Starts the login at an MCP server; the reply may contain an address to open. */
  mcpAuthenticate(serverName: string, redirectUri?: string): Promise<LooseReply>;
  /** Completes the login at an MCP server with the address it redirected to. */
  mcpSubmitOAuthCallbackUrl(serverName: string, callbackUrl: string): Promise<LooseReply>;
  /** Forgets the login at an MCP server. */
  mcpClearAuth(serverName: string): Promise<LooseReply>;
  /** Opens the channel of an MCP server. */
  enableChannel(serverName: string): Promise<void>;
  /** Turns remote control of the session on or off. */
  enableRemoteControl(enabled: boolean, name?: string): Promise<LooseReply>;
  /** Starts the login of the CLI's user. */
  claudeAuthenticate(loginWithClaudeAi: boolean): Promise<LooseReply>;
  /** Completes the login that `claudeAuthenticate` started, with the code that the user got when logging in. */
  claudeOAuthCallback(authorizationCode: string, state: string): Promise<LooseReply>;
  /** Resolves when the login that `claudeAuthenticate` started is complete. */
  claudeOAuthWaitForCompletion(): Promise<LooseReply>;
}
