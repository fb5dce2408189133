// The run-time controls of a session: each method is one control request, or reads the handshake's answer.
import { ControlRequestError } from '../errors.js';
import type {
  AccountInfo,
  AgentInfo,
  ControlRequestFields,
  ControlRequestResponse,
  ControlRequestSubtype,
  FlagSettingsPatch,
  McpServerStatus,
  McpSetServersResult,
  ModelInfo,
  RewindFilesResult,
  SDKControlGetContextUsageResponse,
  SDKControlGetUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
  SdkPluginConfig,
  SlashCommand,
} from '../protocol/control.js';
import type { McpServerConfig } from '../protocol/mcp-config.js';
import type { PermissionMode } from '../protocol/permission-payload.js';

/** How thinking is shown. */
type ThinkingDisplay = 'summarized' | 'omitted' | 'highlights' | null;

/** What can be asked of a running session. All work before, during and without iteration, until the input ends. */
export interface Controls {
  /** Ends the current turn; the session goes on. Undefined on CLIs that give no receipt. */
  interrupt(): Promise<SDKControlInterruptResponse | undefined>;
  setPermissionMode(mode: PermissionMode): Promise<void>;
  /** Without a model: back to the default. */
  setModel(model?: string): Promise<void>;
  /** @deprecated Prefer the option `thinking`. `null` removes the limit. */
  setMaxThinkingTokens(maxThinkingTokens: number | null, display?: ThinkingDisplay): Promise<void>;
  /** The handshake's answer. Works after the end, too. */
  initializationResult(): Promise<SDKControlInitializeResponse>;
  /** Follows the CLI's later changes of its commands. */
  supportedCommands(): Promise<SlashCommand[]>;
  supportedModels(): Promise<ModelInfo[]>;
  supportedAgents(): Promise<AgentInfo[]>;
  accountInfo(): Promise<AccountInfo>;
  /** Replaces the servers set at run time, and all in-process ones; rolled back here if the CLI refuses. */
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  mcpServerStatus(): Promise<McpServerStatus[]>;
  /** Rejects when the server cannot be reached. */
  reconnectMcpServer(serverName: string): Promise<void>;
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
  ): Promise<{ warning?: string }>;
  readMcpResource(serverName: string, uri: string): Promise<SDKControlMcpReadResourceResponse>;
  getContextUsage(options?: { detail?: 'summary' | 'full' }): Promise<SDKControlGetContextUsageResponse>;
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    skipBehaviors?: boolean;
  }): Promise<SDKControlGetUsageResponse>;
  /** Merged into the settings of the command line; `null` clears a key. */
  applyFlagSettings(settings: FlagSettingsPatch): Promise<void>;
  updateSettings(source: 'userSettings' | 'localSettings', settings: Record<string, unknown>): Promise<void>;
  /** Needs the option `enableFileCheckpointing`. */
  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<RewindFilesResult>;
  seedReadState(path: string, mtime: number): Promise<void>;
  /** Null when the file cannot be read. */
  readFile(
    path: string,
    options?: { maxBytes?: number; encoding?: 'utf-8' | 'base64' },
  ): Promise<SDKControlReadFileResponse | null>;
  reloadPlugins(options?: {
    holdOnCacheImpact?: boolean;
    addPlugins?: SdkPluginConfig[];
    refuseIfBusy?: boolean;
  }): Promise<SDKControlReloadPluginsResponse>;
  reloadSkills(): Promise<SDKControlReloadSkillsResponse>;
  reloadOutputStyles(): Promise<SDKControlReloadOutputStylesResponse>;
  stopTask(taskId: string): Promise<void>;
  /** Sends running tools to the background: all, or the one of a tool use. */
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /** Anything else the CLI understands. */
  request<S extends ControlRequestSubtype>(
    subtype: S,
    fields?: ControlRequestFields<S>,
    options?: { signal?: AbortSignal },
  ): Promise<ControlRequestResponse<S>>;
}

/** What the controls are made on. */
export interface ControlSource {
  request(request: { subtype: string }, options?: { signal?: AbortSignal }): Promise<unknown>;
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  /** The commands of the last `commands_changed`, if there was one. */
  readonly changedCommands: SlashCommand[] | undefined;
}

/** Makes the controls of a session. */
export function createControls(source: ControlSource): Controls {
  const request = <S extends ControlRequestSubtype>(
    subtype: S,
    fields?: ControlRequestFields<S>,
    options?: { signal?: AbortSignal },
  ): Promise<ControlRequestResponse<S>> =>
    settleQuietly(
      source.request({ subtype, ...dropUndefined(fields ?? {}) }, options) as Promise<
        ControlRequestResponse<S>
      >,
    );
  const acknowledge = async <S extends ControlRequestSubtype>(
    subtype: S,
    fields: ControlRequestFields<S>,
  ): Promise<void> => {
    await request(subtype, fields);
  };
  const read = <T>(pick: (reply: SDKControlInitializeResponse) => T): Promise<T> =>
    settleQuietly(source.initialized.then(pick));

  return {
    request,
    interrupt: () =>
      settleQuietly(
        request('interrupt').then((receipt) => (receipt?.still_queued === undefined ? undefined : receipt)),
      ),
    setPermissionMode: (mode) => settleQuietly(acknowledge('set_permission_mode', { mode })),
    setModel: (model) => settleQuietly(acknowledge('set_model', { model })),
    setMaxThinkingTokens: (tokens, display) =>
      settleQuietly(
        acknowledge('set_max_thinking_tokens', { max_thinking_tokens: tokens, thinking_display: display }),
      ),
    initializationResult: () => read((reply) => reply),
    supportedCommands: () => read((reply) => source.changedCommands ?? reply.commands),
    supportedModels: () => read((reply) => reply.models),
    supportedAgents: () => read((reply) => reply.agents ?? []),
    accountInfo: () => read((reply) => reply.account),
    setMcpServers: (servers) => settleQuietly(source.setMcpServers(servers)),
    mcpServerStatus: () => settleQuietly(request('mcp_status').then((reply) => reply?.mcpServers ?? [])),
    reconnectMcpServer: (serverName) => settleQuietly(acknowledge('mcp_reconnect', { serverName })),
    toggleMcpServer: (serverName, enabled) =>
      settleQuietly(acknowledge('mcp_toggle', { serverName, enabled })),
    setMcpPermissionModeOverride: (serverName, mode) =>
      settleQuietly(
        request('set_mcp_permission_mode_override', { serverName, mode }).then((reply) => reply ?? {}),
      ),
    readMcpResource: (serverName, uri) => request('mcp_read_resource', { serverName, uri }),
    getContextUsage: (options) => request('get_context_usage', { detail: options?.detail }),
    usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: (options) =>
      request('get_usage', { skip_behaviors: options?.skipBehaviors }),
    applyFlagSettings: (settings) => settleQuietly(acknowledge('apply_flag_settings', { settings })),
    updateSettings: (target, settings) =>
      settleQuietly(acknowledge('update_settings', { source: target, settings })),
    rewindFiles: (userMessageId, options) =>
      request('rewind_files', { user_message_id: userMessageId, dry_run: options?.dryRun }),
    seedReadState: (path, mtime) => settleQuietly(acknowledge('seed_read_state', { path, mtime })),
    readFile: (path, options) =>
      settleQuietly(
        request('read_file', { path, max_bytes: options?.maxBytes, encoding: options?.encoding }).catch(
          (error: unknown) => {
            // A refusal means "cannot be read"; a session that is over is another matter.
            if (error instanceof ControlRequestError) return null;
            throw error;
          },
        ),
      ),
    reloadPlugins: (options) =>
      request('reload_plugins', {
        hold_on_cache_impact: options?.holdOnCacheImpact,
        add_plugins: options?.addPlugins,
        refuse_if_busy: options?.refuseIfBusy,
      }),
    reloadSkills: () => request('reload_skills'),
    reloadOutputStyles: () => request('reload_output_styles'),
    stopTask: (taskId) => settleQuietly(acknowledge('stop_task', { task_id: taskId })),
    backgroundTasks: (toolUseId) =>
      settleQuietly(
        request('background_tasks', { tool_use_id: toolUseId }).then((reply) => reply?.backgrounded ?? true),
      ),
  };
}

/** A caller who does not await a control must not crash the host when the session ends first. */
export function settleQuietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

function dropUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
