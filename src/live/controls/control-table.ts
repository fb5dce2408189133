// The table of controls: each method is one row, and so is each version in which the CLI learned a request. A new
// method takes its line in `Controls` and its row here. docs/discoveries/cli-versions.md says how the versions were found.
import type { ControlRequestSubtype } from '../../wire/protocol/control/control.js';
import type { ListedName, ListedRow, UnlistedRow } from './control-row.js';
import type { Controls, UnlistedControls } from './controls.js';

/** The oldest version that was tried. */
export const OLDEST = '2.1.33';

const nothing = (): void => {};

/** The methods of `Controls`, on queries and sessions. */
export const CONTROLS = {
  interrupt: {
    subtype: 'interrupt',
    since: OLDEST,
    options: { cancelQueued: 'cancel_queued' },
    reply: (receipt) => (receipt?.still_queued === undefined ? undefined : receipt),
  },
  setPermissionMode: {
    subtype: 'set_permission_mode',
    since: OLDEST,
    parameters: ['mode'],
    reply: nothing,
  },
  setModel: { subtype: 'set_model', since: OLDEST, parameters: ['model'], reply: nothing },
  setMaxThinkingTokens: {
    subtype: 'set_max_thinking_tokens',
    since: OLDEST,
    parameters: ['max_thinking_tokens', 'thinking_display'],
    reply: nothing,
  },

  initializationResult: { read: (reply) => reply },
  reinitialize: {
    subtype: 'initialize',
    since: OLDEST,
    call: (target, options) => target.reinitialize(options),
  },
  capabilities: { read: (_reply, { capabilities }) => capabilities.known },
  supports: { parameters: ['name'], read: (_reply, { capabilities }, name) => capabilities.has(name) },
  supportedCommands: { read: (reply, { changedCommands }) => changedCommands ?? reply.commands },
  supportedModels: { read: (reply) => reply.models },
  supportedAgents: { read: (reply) => reply.agents ?? [] },
  accountInfo: { read: (reply) => reply.account },
  listModels: { subtype: 'list_models', since: '2.1.198', reply: (answer) => answer?.models ?? [] },

  setMcpServers: {
    subtype: 'mcp_set_servers',
    since: OLDEST,
    parameters: ['servers'],
    call: (target, options, servers) => target.setMcpServers(servers, options),
  },
  mcpServerStatus: { subtype: 'mcp_status', since: OLDEST, reply: (answer) => answer?.mcpServers ?? [] },
  reconnectMcpServer: {
    subtype: 'mcp_reconnect',
    since: OLDEST,
    parameters: ['serverName'],
    reply: nothing,
  },
  toggleMcpServer: {
    subtype: 'mcp_toggle',
    since: OLDEST,
    parameters: ['serverName', 'enabled'],
    reply: nothing,
  },
  setMcpPermissionModeOverride: {
    subtype: 'set_mcp_permission_mode_override',
    since: '2.1.182',
    parameters: ['serverName', 'mode'],
    reply: (answer) => answer ?? {},
  },
  readMcpResource: { subtype: 'mcp_read_resource', since: '2.1.280', parameters: ['serverName', 'uri'] },
  callMcpTool: {
    subtype: 'mcp_call',
    since: '2.1.116',
    parameters: ['tool', 'arguments'],
    options: { checkPermissions: 'check_permissions', resultNotForModel: 'result_not_for_model' },
    needs: {
      checkPermissions: 'mcp_call_check_permissions_v1',
      resultNotForModel: 'mcp_call_result_not_for_model_v1',
    },
    complete: (fields) => ({ ...fields, arguments: fields.arguments ?? {} }),
  },

  getContextUsage: { subtype: 'get_context_usage', since: '2.1.86', options: { detail: 'detail' } },
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: {
    subtype: 'get_usage',
    since: '2.1.169',
    options: { skipBehaviors: 'skip_behaviors' },
  },
  getSessionCost: { subtype: 'get_session_cost', since: '2.1.118', reply: (answer) => answer?.text ?? '' },

  getSettings: { subtype: 'get_settings', since: '2.1.69' },
  applyFlagSettings: {
    subtype: 'apply_flag_settings',
    since: '2.1.50',
    parameters: ['settings'],
    reply: nothing,
  },
  updateSettings: {
    subtype: 'update_settings',
    since: '2.1.257',
    parameters: ['source', 'settings'],
    reply: nothing,
  },
  listPermissionRules: { subtype: 'list_permission_rules', since: '2.1.269' },
  getHooksListing: { subtype: 'get_hooks_listing', since: '2.1.269' },

  rewindFiles: {
    subtype: 'rewind_files',
    since: OLDEST,
    parameters: ['user_message_id'],
    options: { dryRun: 'dry_run' },
  },
  seedReadState: {
    subtype: 'seed_read_state',
    since: '2.1.83',
    parameters: ['path', 'mtime'],
    reply: nothing,
  },
  readFile: {
    subtype: 'read_file',
    since: '2.1.116',
    parameters: ['path'],
    options: { maxBytes: 'max_bytes', encoding: 'encoding' },
    refused: null,
  },
  fileSuggestions: {
    subtype: 'file_suggestions',
    since: '2.1.124',
    parameters: ['query'],
    reply: (answer) => answer?.suggestions ?? [],
  },
  registerRepoRoot: {
    subtype: 'register_repo_root',
    since: '2.1.166',
    parameters: ['directory'],
    options: {
      reloadClaudeMd: 'reload_claude_md',
      reloadPlugins: 'reload_plugins',
      reloadSkills: 'reload_skills',
    },
    reply: nothing,
  },

  reloadPlugins: {
    subtype: 'reload_plugins',
    since: '2.1.85',
    options: {
      holdOnCacheImpact: 'hold_on_cache_impact',
      addPlugins: 'add_plugins',
      refuseIfBusy: 'refuse_if_busy',
    },
    needs: { refuseIfBusy: 'reload_plugins_refuse_if_busy_v1' },
  },
  reloadSkills: { subtype: 'reload_skills', since: '2.1.163' },
  reloadOutputStyles: { subtype: 'reload_output_styles', since: '2.1.261' },

  getTaskOutput: { subtype: 'get_task_output', since: '2.1.287', parameters: ['task_id'] },
  stopTask: { subtype: 'stop_task', since: '2.1.44', parameters: ['task_id'], reply: nothing },
  backgroundTasks: {
    subtype: 'background_tasks',
    since: '2.1.139',
    parameters: ['tool_use_id'],
    reply: (answer) => answer?.backgrounded ?? true,
  },
  cancelQueuedMessage: {
    subtype: 'cancel_async_message',
    since: '2.1.76',
    parameters: ['message_uuid'],
    reply: (answer) => answer?.cancelled ?? false,
  },
  renameSession: {
    subtype: 'rename_session',
    since: '2.1.149',
    parameters: ['title', 'session_id'],
    complete: ({ title, session_id }) => ({ title, source: 'host', session_id }),
    reply: nothing,
  },
} satisfies { [Name in ListedName]: ListedRow<Controls[Name]> };

/** The methods of `UnlistedControls`, on queries. No version is known for requests that only they send. */
export const UNLISTED_CONTROLS = {
  generateSessionTitle: {
    subtype: 'generate_session_title',
    parameters: ['description'],
    options: { persist: 'persist' },
    reply: (answer) => (answer?.['title'] ?? null) as string | null,
  },
  askSideQuestion: {
    subtype: 'side_question',
    parameters: ['question'],
    reply: (answer) => {
      const { response, synthetic } = (answer ?? {}) as { response?: unknown; synthetic?: boolean };
      return typeof response === 'string' ? { response, synthetic: synthetic ?? false } : null;
    },
  },
  cancelAsyncMessage: {
    subtype: 'cancel_async_message',
    parameters: ['message_uuid'],
    reply: (answer) => answer?.['cancelled'] === true,
  },
  getStatus: { subtype: 'get_status' },
  getPlan: { subtype: 'get_plan' },
  exportConversation: { subtype: 'export_conversation' },
  setCwd: { subtype: 'set_cwd', parameters: ['path'] },
  setPromptSuggestionsPaused: {
    subtype: 'set_prompt_suggestions_paused',
    parameters: ['paused'],
    reply: nothing,
  },
  mcpAuthenticate: { subtype: 'mcp_authenticate', parameters: ['serverName', 'redirectUri'] },
  mcpSubmitOAuthCallbackUrl: {
    subtype: 'mcp_oauth_callback_url',
    parameters: ['serverName', 'callbackUrl'],
  },
  mcpClearAuth: { subtype: 'mcp_clear_auth', parameters: ['serverName'] },
  enableChannel: { subtype: 'channel_enable', parameters: ['serverName'], reply: nothing },
  enableRemoteControl: { subtype: 'remote_control', parameters: ['enabled', 'name'] },
  claudeAuthenticate: { subtype: 'claude_authenticate', parameters: ['loginWithClaudeAi'] },
  claudeOAuthCallback: { subtype: 'claude_oauth_callback', parameters: ['authorizationCode', 'state'] },
  claudeOAuthWaitForCompletion: { subtype: 'claude_oauth_wait_for_completion' },
} satisfies { [Name in keyof UnlistedControls]: UnlistedRow<Name> };

type WithMethod = Extract<(typeof CONTROLS)[ListedName], { subtype: string }>['subtype'];

/** Since when the CLI knows the requests that have no method; undefined where no version tried does. */
export const SINCE_WITHOUT_METHOD: Readonly<
  Record<Exclude<ControlRequestSubtype, WithMethod>, string | undefined>
> = {
  mcp_message: OLDEST,
  get_binary_version: '2.1.119',
  claim_session: '2.1.281',
  set_color: undefined,
  set_has_subscribers: '2.1.319',
};
