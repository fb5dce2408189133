// What can be asked of a running session: the shape of its run-time controls. How they travel is for `controls`.
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
import type { PermissionMode } from '../../wire/protocol/control/permission-payload.js';
import type { CliCapabilities } from './capabilities.js';

/** How thinking is shown. */
type ThinkingDisplay = 'summarized' | 'omitted' | 'highlights' | null;

/** When to stop waiting for a control; every one takes these with its last parameter. */
export interface ControlOptions {
  /** Rejects with a ControlTimeoutError after this many milliseconds. Default 0: no limit. */
  timeoutMs?: number | undefined;
  /** Rejects with an AbortError when it fires. */
  signal?: AbortSignal | undefined;
}

/** What can be asked of a running session. All work before, during and without iteration, until the input ends. */
export interface Controls {
  /** Ends the current turn; the session goes on. With `cancelQueued` also what waits behind it, which a CLI that knows this lists as `cancelled`. Undefined on CLIs that give no receipt. */
  interrupt(
    options?: ControlOptions & { cancelQueued?: boolean },
  ): Promise<SDKControlInterruptResponse | undefined>;
  setPermissionMode(mode: PermissionMode, options?: ControlOptions): Promise<void>;
  /** Without a model: back to the default. */
  setModel(model?: string, options?: ControlOptions): Promise<void>;
  /** @deprecated Prefer the option `thinking`. `null` removes the limit. */
  setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    display?: ThinkingDisplay,
    options?: ControlOptions,
  ): Promise<void>;

  /** The handshake's answer. Works after the end, too. */
  initializationResult(options?: ControlOptions): Promise<SDKControlInitializeResponse>;
  /** Repeats the handshake: hooks and servers are registered anew, questions that wait are put again, and what the handshake told is fresh. */
  reinitialize(options?: ControlOptions): Promise<SDKControlInitializeResponse>;
  /** Which CLI this is and what it says it can do. */
  capabilities(options?: ControlOptions): Promise<CliCapabilities>;
  /** Whether the CLI knows a control request, as in `get_task_output`, or names a capability, as in `interrupt_receipt_v1`. */
  supports(name: string, options?: ControlOptions): Promise<boolean>;
  /** Follows the CLI's later changes of its commands. */
  supportedCommands(options?: ControlOptions): Promise<SlashCommand[]>;
  supportedModels(options?: ControlOptions): Promise<ModelInfo[]>;
  supportedAgents(options?: ControlOptions): Promise<AgentInfo[]>;
  accountInfo(options?: ControlOptions): Promise<AccountInfo>;
  /** The models as they are now; `supportedModels` has them as the handshake told. */
  listModels(options?: ControlOptions): Promise<ModelInfo[]>;

  /** Replaces the servers set at run time, and all in-process ones; rolled back here if the CLI refuses, or is given up. */
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: ControlOptions,
  ): Promise<McpSetServersResult>;
  mcpServerStatus(options?: ControlOptions): Promise<McpServerStatus[]>;
  /** Rejects when the server cannot be reached. */
  reconnectMcpServer(serverName: string, options?: ControlOptions): Promise<void>;
  toggleMcpServer(serverName: string, enabled: boolean, options?: ControlOptions): Promise<void>;
  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
    options?: ControlOptions,
  ): Promise<{ warning?: string }>;
  readMcpResource(
    serverName: string,
    uri: string,
    options?: ControlOptions,
  ): Promise<SDKControlMcpReadResourceResponse>;
  /** Runs a tool of an MCP server outside this process, as in `mcp__server__tool`, without the model; nobody is asked for permission unless `checkPermissions` is set. */
  callMcpTool(
    tool: string,
    input?: Record<string, unknown>,
    options?: ControlOptions & { checkPermissions?: boolean; resultNotForModel?: boolean },
  ): Promise<SDKControlMcpCallResponse>;

  getContextUsage(
    options?: ControlOptions & { detail?: 'summary' | 'full' },
  ): Promise<SDKControlGetContextUsageResponse>;
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(
    options?: ControlOptions & { skipBehaviors?: boolean },
  ): Promise<SDKControlGetUsageResponse>;
  /** The cost so far, as text for people. */
  getSessionCost(options?: ControlOptions): Promise<string>;

  /** Settings in force, where each comes from, and what the session runs with. */
  getSettings(options?: ControlOptions): Promise<SDKControlGetSettingsResponse>;
  /** Merged into the settings of the command line; `null` clears a key. */
  applyFlagSettings(settings: FlagSettingsPatch, options?: ControlOptions): Promise<void>;
  updateSettings(
    source: 'userSettings' | 'localSettings',
    settings: Record<string, unknown>,
    options?: ControlOptions,
  ): Promise<void>;
  /** The permission rules and folders in force. */
  listPermissionRules(options?: ControlOptions): Promise<SDKControlListPermissionRulesResponse>;
  /** The hooks of settings and plugins; not those of this process. */
  getHooksListing(options?: ControlOptions): Promise<SDKControlGetHooksListingResponse>;

  /** Needs the option `enableFileCheckpointing`. */
  rewindFiles(
    userMessageId: string,
    options?: ControlOptions & { dryRun?: boolean },
  ): Promise<RewindFilesResult>;
  seedReadState(path: string, mtime: number, options?: ControlOptions): Promise<void>;
  /** Null when the file cannot be read. */
  readFile(
    path: string,
    options?: ControlOptions & { maxBytes?: number; encoding?: 'utf-8' | 'base64' },
  ): Promise<SDKControlReadFileResponse | null>;
  /** Files and folders that fit what was typed, for a mention with `@`; none while the CLI still looks around. */
  fileSuggestions(query: string, options?: ControlOptions): Promise<FileSuggestion[]>;
  /** Adds a folder to work in; what it holds for the session is loaded as told. */
  registerRepoRoot(
    directory: string,
    options?: ControlOptions & { reloadClaudeMd?: boolean; reloadPlugins?: boolean; reloadSkills?: boolean },
  ): Promise<void>;

  reloadPlugins(
    options?: ControlOptions & {
      holdOnCacheImpact?: boolean;
      addPlugins?: SdkPluginConfig[];
      /** Rejects with the code `reload_plugins_busy` while a turn runs. */
      refuseIfBusy?: boolean;
    },
  ): Promise<SDKControlReloadPluginsResponse>;
  reloadSkills(options?: ControlOptions): Promise<SDKControlReloadSkillsResponse>;
  reloadOutputStyles(options?: ControlOptions): Promise<SDKControlReloadOutputStylesResponse>;

  /** Of a shell that runs in the background: the tail of what it wrote. */
  getTaskOutput(taskId: string, options?: ControlOptions): Promise<SDKControlGetTaskOutputResponse>;
  /** Resolves also for a task that does not exist or is over. */
  stopTask(taskId: string, options?: ControlOptions): Promise<void>;
  /** Sends running tools to the background: all, or the one of a tool use. */
  backgroundTasks(toolUseId?: string, options?: ControlOptions): Promise<boolean>;
  /** Takes back a user message that waits for its turn, by the `uuid` it was sent with; false when it does not wait any more. */
  cancelQueuedMessage(messageUuid: string, options?: ControlOptions): Promise<boolean>;
  /** Gives this session a title, or another one by its id. */
  renameSession(title: string, sessionId?: string, options?: ControlOptions): Promise<void>;

  /** Anything else the CLI understands. */
  request<S extends ControlRequestSubtype>(
    subtype: S,
    fields?: ControlRequestFields<S>,
    options?: ControlOptions,
  ): Promise<ControlRequestResponse<S>>;
}
