// The table of controls. Each method is one row. If a method of `Controls` sends a request, `since` is the first CLI version
// that knows the request. A new method needs a line in `Controls` and a row here. docs/discoveries/cli-versions.md says how the
// versions were found.
import type { ControlRequestSubtype } from '../../wire/protocol/control/control.js';
import type { ControlTarget } from './control-target.js';
import type { ListedRow, UnlistedRow } from './control-row.js';
import type { Controls, UnlistedControls } from './controls.js';

/** The oldest CLI version that was tried. */
export const OLDEST = '2.1.33';

const nothing = (): void => {};
/** Gives the capabilities after the CLI has answered the handshake and its version was learned, if it can be learned. */
const introduced = async (target: ControlTarget): Promise<ControlTarget['capabilities']> => {
  await target.initialized;
  await target.learnVersion?.();
  return target.capabilities;
};
const sideAnswer = (answer?: { response?: unknown; synthetic?: boolean }) =>
  typeof answer?.response === 'string'
    ? { response: answer.response, synthetic: answer.synthetic ?? false }
    : null;

// Prettier would break up the rows of this table.
// prettier-ignore
/** The methods of `Controls`, except `request`, which takes any subtype. */
export const CONTROLS = {
  interrupt: {
    subtype: 'interrupt', since: OLDEST, options: { cancelQueued: 'cancel_queued' },
    reply: (receipt) => (receipt?.still_queued === undefined ? undefined : receipt),
  },
  setPermissionMode: { subtype: 'set_permission_mode', since: OLDEST, fields: ['mode'], reply: nothing },
  setModel: { subtype: 'set_model', since: OLDEST, fields: ['model'], reply: nothing },
  setMaxThinkingTokens: { subtype: 'set_max_thinking_tokens', since: OLDEST, fields: ['max_thinking_tokens', 'thinking_display'], reply: nothing },

  initializationResult: { call: ({ initialized }) => initialized },
  reinitialize: { subtype: 'initialize', since: OLDEST, call: (target, options) => target.reinitialize(options) },
  capabilities: { call: (target) => introduced(target).then(({ known }) => known) },
  supports: { fields: ['name'], call: (target, _options, name) => introduced(target).then((capabilities) => capabilities.has(name)) },
  supportedCommands: { call: (target) => target.initialized.then((reply) => target.changedCommands ?? reply.commands) },
  supportedModels: { call: ({ initialized }) => initialized.then((reply) => reply.models) },
  supportedAgents: { call: ({ initialized }) => initialized.then((reply) => reply.agents ?? []) },
  accountInfo: { call: ({ initialized }) => initialized.then((reply) => reply.account) },
  listModels: { subtype: 'list_models', since: '2.1.198', reply: (answer) => answer?.models ?? [] },

  setMcpServers: {
    subtype: 'mcp_set_servers', since: OLDEST, takesLong: true, fields: ['servers'],
    call: (target, options, servers) => target.setMcpServers(servers, options),
  },
  mcpServerStatus: { subtype: 'mcp_status', since: OLDEST, reply: (answer) => answer?.mcpServers ?? [] },
  reconnectMcpServer: { subtype: 'mcp_reconnect', since: OLDEST, takesLong: true, fields: ['serverName'], reply: nothing },
  toggleMcpServer: { subtype: 'mcp_toggle', since: OLDEST, fields: ['serverName', 'enabled'], reply: nothing },
  setMcpPermissionModeOverride: {
    subtype: 'set_mcp_permission_mode_override', since: '2.1.182', fields: ['serverName', 'mode'], reply: (answer) => answer ?? {},
  },
  readMcpResource: { subtype: 'mcp_read_resource', since: '2.1.280', takesLong: true, fields: ['serverName', 'uri'] },
  callMcpTool: {
    subtype: 'mcp_call', since: '2.1.116', takesLong: true, fields: ['tool', 'arguments'],
    options: { checkPermissions: 'check_permissions', resultNotForModel: 'result_not_for_model' },
    needs: { checkPermissions: 'mcp_call_check_permissions_v1', resultNotForModel: 'mcp_call_result_not_for_model_v1' },
    complete: (fields) => ({ ...fields, arguments: fields.arguments ?? {} }),
  },

  getContextUsage: { subtype: 'get_context_usage', since: '2.1.86', options: { detail: 'detail' } },
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: { subtype: 'get_usage', since: '2.1.169', options: { skipBehaviors: 'skip_behaviors' } },
  getSessionCost: { subtype: 'get_session_cost', since: '2.1.118', reply: (answer) => answer?.text ?? '' },

  getSettings: { subtype: 'get_settings', since: '2.1.69' },
  applyFlagSettings: { subtype: 'apply_flag_settings', since: '2.1.50', fields: ['settings'], reply: nothing },
  updateSettings: { subtype: 'update_settings', since: '2.1.257', fields: ['source', 'settings'], reply: nothing },
  listPermissionRules: { subtype: 'list_permission_rules', since: '2.1.269' },
  getHooksListing: { subtype: 'get_hooks_listing', since: '2.1.269' },

  rewindFiles: { subtype: 'rewind_files', since: OLDEST, fields: ['user_message_id'], options: { dryRun: 'dry_run' } },
  seedReadState: { subtype: 'seed_read_state', since: '2.1.83', fields: ['path', 'mtime'], reply: nothing },
  readFile: { subtype: 'read_file', since: '2.1.116', fields: ['path'], options: { maxBytes: 'max_bytes', encoding: 'encoding' }, refused: null },
  fileSuggestions: { subtype: 'file_suggestions', since: '2.1.124', fields: ['query'], reply: (answer) => answer?.suggestions ?? [] },
  registerRepoRoot: {
    subtype: 'register_repo_root', since: '2.1.166', takesLong: true, fields: ['directory'],
    options: { reloadClaudeMd: 'reload_claude_md', reloadPlugins: 'reload_plugins', reloadSkills: 'reload_skills' }, reply: nothing,
  },

  reloadPlugins: {
    subtype: 'reload_plugins', since: '2.1.85', takesLong: true,
    options: { holdOnCacheImpact: 'hold_on_cache_impact', addPlugins: 'add_plugins', refuseIfBusy: 'refuse_if_busy' },
    needs: { refuseIfBusy: 'reload_plugins_refuse_if_busy_v1' },
  },
  reloadSkills: { subtype: 'reload_skills', since: '2.1.163' },
  reloadOutputStyles: { subtype: 'reload_output_styles', since: '2.1.261' },

  getTaskOutput: { subtype: 'get_task_output', since: '2.1.287', fields: ['task_id'] },
  stopTask: { subtype: 'stop_task', since: '2.1.44', fields: ['task_id'], reply: nothing },
  backgroundTasks: { subtype: 'background_tasks', since: '2.1.139', fields: ['tool_use_id'], reply: (answer) => answer?.backgrounded ?? true },
  cancelQueuedMessage: { subtype: 'cancel_async_message', since: '2.1.76', fields: ['message_uuid'], reply: (answer) => answer?.cancelled ?? false },
  renameSession: {
    subtype: 'rename_session', since: '2.1.149', fields: ['title', 'session_id'],
    complete: ({ title, session_id }) => ({ title, source: 'host', session_id }), reply: nothing,
  },
} satisfies { [Name in Exclude<keyof Controls, 'request'>]: ListedRow<Controls[Name]> };

// prettier-ignore
/** The methods of `UnlistedControls`. No version is known for requests that only they send. */
export const UNLISTED_CONTROLS = {
  generateSessionTitle: {
    subtype: 'generate_session_title', takesLong: true, fields: ['description'], options: { persist: 'persist' },
    reply: (answer) => (answer?.['title'] ?? null) as string | null,
  },
  askSideQuestion: { subtype: 'side_question', takesLong: true, fields: ['question'], reply: sideAnswer },
  cancelAsyncMessage: { subtype: 'cancel_async_message', fields: ['message_uuid'], reply: (answer) => answer?.['cancelled'] === true },
  getStatus: { subtype: 'get_status' },
  getPlan: { subtype: 'get_plan' },
  exportConversation: { subtype: 'export_conversation' },
  setCwd: { subtype: 'set_cwd', fields: ['path'] },
  setPromptSuggestionsPaused: { subtype: 'set_prompt_suggestions_paused', fields: ['paused'], reply: nothing },
  mcpAuthenticate: { subtype: 'mcp_authenticate', takesLong: true, fields: ['serverName', 'redirectUri'] },
  mcpSubmitOAuthCallbackUrl: { subtype: 'mcp_oauth_callback_url', takesLong: true, fields: ['serverName', 'callbackUrl'] },
  mcpClearAuth: { subtype: 'mcp_clear_auth', fields: ['serverName'] },
  enableChannel: { subtype: 'channel_enable', fields: ['serverName'], reply: nothing },
  enableRemoteControl: { subtype: 'remote_control', takesLong: true, fields: ['enabled', 'name'] },
  claudeAuthenticate: { subtype: 'claude_authenticate', takesLong: true, fields: ['loginWithClaudeAi'] },
  claudeOAuthCallback: { subtype: 'claude_oauth_callback', takesLong: true, fields: ['authorizationCode', 'state'] },
  claudeOAuthWaitForCompletion: { subtype: 'claude_oauth_wait_for_completion', takesLong: true },
} satisfies { [Name in keyof UnlistedControls]: UnlistedRow<UnlistedControls[Name]> };

type WithMethod = Extract<(typeof CONTROLS)[keyof typeof CONTROLS], { subtype: string }>['subtype'];

/** The first CLI version that knows each request without a method. Undefined if no version that was tried knows it. */
export const SINCE_WITHOUT_METHOD: Readonly<
  Record<Exclude<ControlRequestSubtype, WithMethod>, string | undefined>
> = {
  mcp_message: OLDEST,
  get_binary_version: '2.1.119',
  claim_session: '2.1.281',
  set_color: undefined,
  set_has_subscribers: '2.1.319',
};
