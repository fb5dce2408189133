// The run-time controls of a session: each method is one control request, or reads the handshake's answer.
import { ControlRequestError } from '../../errors.js';
import type {
  ControlRequestFields,
  ControlRequestResponse,
  ControlRequestSubtype,
  McpSetServersResult,
  SDKControlInitializeResponse,
  SlashCommand,
} from '../../wire/protocol/control/control.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { CapabilityWatch } from './capabilities.js';
import type { ControlOptions, Controls } from './control-surface.js';
import { isUnknownControl, refuseField } from './control-versions.js';
import { limitControl } from './limit-control.js';

export type { ControlOptions, Controls } from './control-surface.js';

/** What the controls are made on. */
export interface ControlSource {
  /** Must give up, leaving nothing behind, when the signal aborts. */
  request(request: { subtype: string }, options?: { signal?: AbortSignal | undefined }): Promise<unknown>;
  setMcpServers(
    servers: Record<string, McpServerConfig>,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<McpSetServersResult>;
  reinitialize(options?: { signal?: AbortSignal | undefined }): Promise<SDKControlInitializeResponse>;
  readonly initialized: Promise<SDKControlInitializeResponse>;
  readonly capabilities: Pick<CapabilityWatch, 'known' | 'has'>;
  /** The commands of the last `commands_changed`, if there was one. */
  readonly changedCommands: SlashCommand[] | undefined;
}

/** Makes the controls of a session. */
export function createControls(source: ControlSource): Controls {
  const request = <S extends ControlRequestSubtype>(
    subtype: S,
    fields?: ControlRequestFields<S>,
    options?: ControlOptions,
  ): Promise<ControlRequestResponse<S>> =>
    settleQuietly(
      limitControl(
        subtype,
        options,
        (signal) =>
          source.request({ subtype, ...dropUndefined(fields ?? {}) }, signal && { signal }) as Promise<
            ControlRequestResponse<S>
          >,
      ),
    );
  const acknowledge = <S extends ControlRequestSubtype>(
    subtype: S,
    fields: ControlRequestFields<S>,
    options?: ControlOptions,
  ): Promise<void> => take(request(subtype, fields, options), () => {});
  const read = <T>(
    options: ControlOptions | undefined,
    pick: (reply: SDKControlInitializeResponse) => T,
  ): Promise<T> => settleQuietly(limitControl('initialize', options, () => source.initialized.then(pick)));
  /** A field that a CLI drops without a word is refused here when the CLI does not say that it knows it. */
  const demand = async (needs: {
    subtype: string;
    field: string;
    capability: string;
    isGiven: unknown;
  }): Promise<void> => {
    if (!needs.isGiven) return;
    await source.initialized;
    if (!source.capabilities.has(needs.capability))
      throw refuseField(needs, source.capabilities.known.version);
  };

  return {
    request,
    interrupt: (options) =>
      take(request('interrupt', { cancel_queued: options?.cancelQueued }, options), (receipt) =>
        receipt?.still_queued === undefined ? undefined : receipt,
      ),
    setPermissionMode: (mode, options) => acknowledge('set_permission_mode', { mode }, options),
    setModel: (model, options) => acknowledge('set_model', { model }, options),
    setMaxThinkingTokens: (tokens, display, options) =>
      acknowledge(
        'set_max_thinking_tokens',
        { max_thinking_tokens: tokens, thinking_display: display },
        options,
      ),
    initializationResult: (options) => read(options, (reply) => reply),
    reinitialize: (options) =>
      settleQuietly(
        limitControl('initialize', options, (signal) => source.reinitialize(signal && { signal })),
      ),
    capabilities: (options) => read(options, () => source.capabilities.known),
    supports: (name, options) => read(options, () => source.capabilities.has(name)),
    supportedCommands: (options) => read(options, (reply) => source.changedCommands ?? reply.commands),
    supportedModels: (options) => read(options, (reply) => reply.models),
    supportedAgents: (options) => read(options, (reply) => reply.agents ?? []),
    accountInfo: (options) => read(options, (reply) => reply.account),
    listModels: (options) => take(request('list_models', {}, options), (reply) => reply?.models ?? []),
    setMcpServers: (servers, options) =>
      settleQuietly(
        limitControl('mcp_set_servers', options, (signal) =>
          source.setMcpServers(servers, signal && { signal }),
        ),
      ),
    mcpServerStatus: (options) =>
      take(request('mcp_status', {}, options), (reply) => reply?.mcpServers ?? []),
    reconnectMcpServer: (serverName, options) => acknowledge('mcp_reconnect', { serverName }, options),
    toggleMcpServer: (serverName, enabled, options) =>
      acknowledge('mcp_toggle', { serverName, enabled }, options),
    setMcpPermissionModeOverride: (serverName, mode, options) =>
      take(
        request('set_mcp_permission_mode_override', { serverName, mode }, options),
        (reply) => reply ?? {},
      ),
    readMcpResource: (serverName, uri, options) => request('mcp_read_resource', { serverName, uri }, options),
    callMcpTool: (tool, input, options) => {
      const { checkPermissions, resultNotForModel } = options ?? {};
      const subtype = 'mcp_call';
      return settleQuietly(
        limitControl(subtype, options, async (signal) => {
          await demand({
            subtype,
            field: 'checkPermissions',
            capability: 'mcp_call_check_permissions_v1',
            isGiven: checkPermissions,
          });
          await demand({
            subtype,
            field: 'resultNotForModel',
            capability: 'mcp_call_result_not_for_model_v1',
            isGiven: resultNotForModel,
          });
          const flags = { check_permissions: checkPermissions, result_not_for_model: resultNotForModel };
          return await request(subtype, { tool, arguments: input ?? {}, ...flags }, { signal });
        }),
      );
    },
    getContextUsage: (options) => request('get_context_usage', { detail: options?.detail }, options),
    usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: (options) =>
      request('get_usage', { skip_behaviors: options?.skipBehaviors }, options),
    getSessionCost: (options) => take(request('get_session_cost', {}, options), (reply) => reply?.text ?? ''),
    getSettings: (options) => request('get_settings', {}, options),
    applyFlagSettings: (settings, options) => acknowledge('apply_flag_settings', { settings }, options),
    updateSettings: (target, settings, options) =>
      acknowledge('update_settings', { source: target, settings }, options),
    listPermissionRules: (options) => request('list_permission_rules', {}, options),
    getHooksListing: (options) => request('get_hooks_listing', {}, options),
    rewindFiles: (userMessageId, options) =>
      request('rewind_files', { user_message_id: userMessageId, dry_run: options?.dryRun }, options),
    seedReadState: (path, mtime, options) => acknowledge('seed_read_state', { path, mtime }, options),
    readFile: (path, options) =>
      settleQuietly(
        request(
          'read_file',
          { path, max_bytes: options?.maxBytes, encoding: options?.encoding },
          options,
        ).catch((error: unknown) => {
          // A refusal means "cannot be read"; a session that is over, or a CLI that reads none, is another matter.
          if (error instanceof ControlRequestError && !isUnknownControl(error)) return null;
          throw error;
        }),
      ),
    fileSuggestions: (query, options) =>
      take(request('file_suggestions', { query }, options), (reply) => reply?.suggestions ?? []),
    registerRepoRoot: (directory, options) =>
      acknowledge(
        'register_repo_root',
        {
          directory,
          reload_claude_md: options?.reloadClaudeMd,
          reload_plugins: options?.reloadPlugins,
          reload_skills: options?.reloadSkills,
        },
        options,
      ),
    reloadPlugins: (options) => {
      const subtype = 'reload_plugins';
      const fields = {
        hold_on_cache_impact: options?.holdOnCacheImpact,
        add_plugins: options?.addPlugins,
        refuse_if_busy: options?.refuseIfBusy,
      };
      return settleQuietly(
        limitControl(subtype, options, async (signal) => {
          await demand({
            subtype,
            field: 'refuseIfBusy',
            capability: 'reload_plugins_refuse_if_busy_v1',
            isGiven: options?.refuseIfBusy,
          });
          return await request(subtype, fields, { signal });
        }),
      );
    },
    reloadSkills: (options) => request('reload_skills', {}, options),
    reloadOutputStyles: (options) => request('reload_output_styles', {}, options),
    getTaskOutput: (taskId, options) => request('get_task_output', { task_id: taskId }, options),
    stopTask: (taskId, options) => acknowledge('stop_task', { task_id: taskId }, options),
    backgroundTasks: (toolUseId, options) =>
      take(
        request('background_tasks', { tool_use_id: toolUseId }, options),
        (reply) => reply?.backgrounded ?? true,
      ),
    cancelQueuedMessage: (messageUuid, options) =>
      take(
        request('cancel_async_message', { message_uuid: messageUuid }, options),
        (reply) => reply?.cancelled ?? false,
      ),
    renameSession: (title, sessionId, options) =>
      acknowledge('rename_session', { title, source: 'host', session_id: sessionId }, options),
  };
}

/** A caller who does not await a control must not crash the host when the session ends first. */
export function settleQuietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Only what one wants of an answer; an answer without content is undefined whatever its type says. */
function take<T, Part>(answer: Promise<T>, pick: (reply: T) => Part): Promise<Part> {
  return settleQuietly(answer.then(pick));
}

function dropUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
