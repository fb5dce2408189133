// What each request and message is for, one sentence each. `write-protocol-page.mjs` fails when a recording or a type under
// packages/core/src/wire/protocol has one that is not here, or when one is here that neither has.

/** Requests of the host to the CLI. */
export const HOST_REQUESTS = {
  initialize:
    'Opens the session: registers hooks, names the in-process servers and brings what does not fit on a command line.',
  interrupt: 'Stops the turn that is under way; the session goes on.',
  set_permission_mode: 'Changes how permissions are decided from now on.',
  set_model: 'Changes the model from the next request to it on.',
  set_max_thinking_tokens: 'Limits the tokens for thinking, or removes the limit.',
  mcp_status: 'Lists the MCP servers and whether each is connected.',
  mcp_set_servers: 'Replaces the MCP servers that were set at run time.',
  mcp_reconnect: 'Connects to an MCP server again.',
  mcp_toggle: 'Enables or disables an MCP server.',
  set_mcp_permission_mode_override: 'Sets a permission mode for the tools of one MCP server.',
  mcp_message:
    'Carries a JSON-RPC message that an in-process server sends on its own: progress, a changed list of tools, a request.',
  mcp_call: 'Calls a tool of an MCP server outside the host, without the model.',
  mcp_read_resource: 'Reads a resource of an MCP server.',
  get_context_usage: 'Asks what fills the context window.',
  get_usage: 'Asks what the session cost, and how much of the limits of a plan is used.',
  get_session_cost: 'Asks for the cost so far, as a text for people.',
  get_settings: 'Asks for the settings in effect and where each comes from.',
  apply_flag_settings: 'Merges into the settings that were given on the command line.',
  update_settings: "Changes a settings file, the user's or the project's local one.",
  list_models: 'Asks for the models that can be used now.',
  list_permission_rules: 'Asks for the permission rules in effect and the folders that may be worked in.',
  get_hooks_listing: 'Asks which hooks there are and from where.',
  get_binary_version: 'Asks for the version of the program.',
  file_suggestions: 'Asks for files whose names fit a few letters.',
  rewind_files: 'Puts files back to where they were before a user message.',
  cancel_async_message: 'Takes back a user message that still waits its turn.',
  read_file: 'Reads a file below the folders that may be worked in.',
  seed_read_state:
    'Says that a file is known in its present state, so that it can be edited without being read.',
  register_repo_root: 'Adds a folder to those that may be worked in.',
  reload_plugins: 'Loads the plugins again.',
  reload_skills: 'Loads the skills again.',
  reload_output_styles: 'Loads the output styles again.',
  stop_task: 'Ends a background task.',
  background_tasks: 'Sends a command that the turn waits for to the background.',
  get_task_output: 'Reads what a background task has printed.',
  rename_session: 'Gives the session a title.',
  claim_session: 'Binds a CLI that was started without a folder (`--await-claim`) to one.',
  set_color: 'Sets the colour of the session; no CLI that was tried knows it.',
  set_has_subscribers: 'Says whether anybody looks at the session.',
  generate_session_title: 'Has a model write a title.',
  side_question: 'Asks about the conversation without adding to it.',
  get_status: 'Asks for the status of the CLI and its session.',
  get_plan: 'Asks for the plan that was made in plan mode.',
  export_conversation: 'Asks for the conversation as a text.',
  set_cwd: 'Changes the folder the CLI works in.',
  set_prompt_suggestions_paused: 'Pauses or resumes suggestions for the next prompt.',
  mcp_authenticate: 'Begins the login at an MCP server.',
  mcp_oauth_callback_url: 'Hands over the address a browser came back to from that login.',
  mcp_clear_auth: 'Forgets the login at an MCP server.',
  channel_enable: 'Lets an MCP server send messages into the session.',
  remote_control: 'Lets the session be used from elsewhere, or ends that.',
  claude_authenticate: "Begins the login at the model's provider.",
  claude_oauth_callback: 'Hands over the code that such a login gave.',
  claude_oauth_wait_for_completion: 'Waits until such a login is done.',
};

/** Requests of the CLI to the host. */
export const CLI_REQUESTS = {
  can_use_tool:
    'Asks whether a tool may be used with this input; the answer may change the input, and may wait for a person.',
  hook_callback: 'Runs a hook that was registered in `initialize`, by its number.',
  mcp_message:
    'Carries a JSON-RPC message to an in-process server: its handshake, `tools/list`, `tools/call`, a cancellation.',
  elicitation: 'Passes on what an MCP server outside the host asks the user.',
  request_user_dialog: 'Asks the host to show a dialog of a kind that it named in `initialize`.',
};

/** Messages, by type and subtype. `out` marks those that the host sends, too. */
export const MESSAGES = {
  assistant: 'A message of the model, one content block at a time: text, thinking, or the use of a tool.',
  user: 'A message to the model: a prompt of the host, and, from the CLI, the result of a tool or a prompt that is repeated.',
  result: 'The end of a turn: how it went, the answer, usage and cost.',
  stream_event: 'A piece of a message while the model writes it; only if asked for.',
  tool_progress: 'A tool of the CLI has been running for some time.',
  tool_use_summary: 'A few words about tools that were used.',
  prompt_suggestion: 'What the user might say next; only if asked for.',
  command_lifecycle: 'A user message that has a `uuid` was queued, started or completed.',
  conversation_reset: 'The conversation begins anew, as after `/clear`.',
  auth_status: 'How a login goes.',
  rate_limit_event: 'A limit of the plan comes near, or is reached.',
  active_goal: 'The goal the session works on, or that it is done.',
  transcript_mirror:
    'Lines that the CLI wrote to its transcript, for a host that keeps a copy (`--session-mirror`).',
  keep_alive: 'Nothing has happened; the line is there to be read.',
  'system/init':
    'Opens every turn with the facts of the session: model, tools, servers, permission mode, folder.',
  'system/session_state_changed':
    'The session is running, needs an answer, or is idle; only if the host asked for it by a variable.',
  'system/status': 'What the CLI does at the moment, such as compacting.',
  'system/compact_boundary': 'The conversation was compacted here.',
  'system/api_retry': 'A request to the model failed and will be repeated.',
  'system/control_request_progress': 'A control request that takes long is still being worked on.',
  'system/model_refusal_fallback': 'A model refused, and another one was asked.',
  'system/model_refusal_no_fallback': 'A model refused, and there is no other to ask.',
  'system/local_command_output': 'What a slash command printed.',
  'system/hook_started': 'A hook of the settings began; only with `--include-hook-events`, as the next two.',
  'system/hook_progress': 'What such a hook has printed so far.',
  'system/hook_response': 'How such a hook ended.',
  'system/plugin_install': 'How the installation of a plugin goes.',
  'system/task_started': 'A command or an agent began to run as a task.',
  'system/task_progress': 'What a task has done so far.',
  'system/task_updated': 'A task changed, as from foreground to background.',
  'system/task_notification': 'A task ended.',
  'system/background_tasks_changed': 'All background tasks there are now.',
  'system/thinking_tokens': 'How many tokens the model has thought so far.',
  'system/worker_shutting_down': 'The process is about to end.',
  'system/commands_changed': 'The slash commands there are now.',
  'system/session_title_changed': 'The session has another title.',
  'system/session_writes_lost': 'Lines of the transcript could not be written.',
  'system/notification': 'A note for the user.',
  'system/informational':
    'A remark for the user that is no part of the conversation, such as what a hook says.',
  'system/files_persisted': 'Files were stored.',
  'system/memory_recall': 'Memories were read for this turn.',
  'system/elicitation_complete': 'What an MCP server sent the user away for is done.',
  'system/permission_denied': 'A tool was refused without anybody being asked.',
  'system/mirror_error':
    'A copy of the transcript could not be kept; made by the SDK, never sent by the CLI.',
  'system/ui_invalidate':
    'Something that a page may show has changed; the SDK passes it on and gives it no type.',
};

const NOT_SEEN = 'no scene brought it about';

/** Why something is not in the recordings: what was tried, where something was. */
export const NOT_RECORDED = {
  request_user_dialog:
    'no scene brought it about; a question of the tool `AskUserQuestion` comes as `can_use_tool`',
  claude_authenticate: 'it begins a real login, and is not sent',
  tool_progress: 'it did not come while a command of an agent ran for four seconds',
  tool_use_summary: NOT_SEEN,
  auth_status: 'needs a login',
  rate_limit_event: 'with a key, a reply of the model with the headers of a limit brought none',
  active_goal: NOT_SEEN,
  keep_alive: NOT_SEEN,
  'system/model_refusal_fallback': NOT_SEEN,
  'system/model_refusal_no_fallback': 'with a key, a refusal is told by `system/informational`',
  'system/local_command_output':
    'both CLIs answered `/cost` and `/compact` with other messages (`assistant`, `user`)',
  'system/plugin_install': 'plugins come from the network, and the recordings have none',
  'system/worker_shutting_down': NOT_SEEN,
  'system/session_writes_lost': 'needs a disk that fails',
  'system/notification': NOT_SEEN,
  'system/files_persisted': NOT_SEEN,
  'system/memory_recall': NOT_SEEN,
  'system/mirror_error': 'is made by the SDK, and never on the wire',
};
