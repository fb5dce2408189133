// The options of a session. Names known from the official SDK keep their spelling and meaning; the last group is ours.
// What is known about each option besides its type is its row in rows/.
import type { AroundTool, SessionToolEvent } from '../answer/mcp/tool/tool-events.js';
import type { WhenHostDies } from '../wire/process/run/host-death.js';
import type { ProcessSpawner } from '../wire/process/run/spawner.js';
import type { Runtime } from '../wire/process/find/cli-command.js';
import type { AgentDefinition, EffortLevel } from '../wire/protocol/config/agent-definition.js';
import type { HookRegistrations } from '../wire/protocol/hooks/hook-callback.js';
import type { SdkPluginConfig } from '../wire/protocol/control/initialize.js';
import type { McpServerConfig } from '../wire/protocol/config/mcp-config.js';
import type { OnElicitation, OnUserDialog } from '../wire/protocol/config/user-questions.js';
import type { PermissionMode } from '../wire/protocol/control/permissions.js';
import type { CanUseTool } from '../wire/protocol/control/permission-question.js';
import type { SandboxSettings } from '../wire/protocol/config/sandbox-settings.js';
import type { SessionStore } from '../wire/protocol/config/session-store.js';
import type { Settings, SettingSource } from '../wire/protocol/config/settings.js';
import type { SystemPrompt } from '../wire/protocol/config/option-values.js';
import type { AnySchema } from '../answer/schema/infer.js';
import type { WireListener } from '../record/trace/recorder/tap-transport.js';
import type { TraceOption } from '../record/trace/recorder/trace-option.js';
import type { Transport, TransportFactory } from '../wire/transport/transport.js';
import type { UsageLedgerOptions } from '../record/usage/usage-ledger.js';
import type { InboardWarning } from './check/warning.js';

/** How a model's thinking is shown: summarized, or not at all. */
export type ThinkingDisplay = 'summarized' | 'omitted';

/** Whether a model thinks before it answers: as much as it sees fit, within a budget of tokens, or not at all. */
export type ThinkingConfig =
  | { type: 'adaptive'; display?: ThinkingDisplay | undefined }
  | { type: 'enabled'; budgetTokens?: number | undefined; display?: ThinkingDisplay | undefined }
  | { type: 'disabled' };

/** Asks for an answer that matches a JSON Schema; it arrives as `structured_output` of the result. */
export type JsonSchemaOutputFormat = { type: 'json_schema'; schema: Record<string, unknown> };

/** What the `outputFormat` option takes. */
export type OutputFormat = JsonSchemaOutputFormat;

/** Settings of single built-in tools. */
export type ToolConfig = {
  /** The format of the previews of a question's choices. */
  askUserQuestion?: { previewFormat?: 'markdown' | 'html' | undefined } | undefined;
};

/** How a session is started. Every option may be omitted; `null` counts as omitted. */
export interface Options {
  // Prompt and model

  /** Your own system prompt, or the CLI's with additions. Default: an empty one. */
  systemPrompt?: SystemPrompt | undefined;
  /** A model's name or alias. Default: the CLI's choice. */
  model?: string | undefined;
  /** Used when `model` is overloaded or unavailable; several, separated by commas, are tried in order. */
  fallbackModel?: string | undefined;
  /** Whether and how much the model thinks. Default: the CLI's choice. Takes precedence over `maxThinkingTokens`. */
  thinking?: ThinkingConfig | undefined;
  /** How hard the model works. Default: the CLI's choice. */
  effort?: EffortLevel | undefined;
  /** Tokens the model may think; 0 turns thinking off. @deprecated Use `thinking`. */
  maxThinkingTokens?: number | undefined;
  /** Ends a turn with `error_max_turns` after this many model calls. Default, and 0: no limit. */
  maxTurns?: number | undefined;
  /** Ends a turn with `error_max_budget_usd` once this many dollars are spent; above 0. Default: no limit. */
  maxBudgetUsd?: number | undefined;
  /** The token budget for the task that the model is told about; a whole number above 0. */
  taskBudget?: { total: number } | undefined;
  /** Beta features of the API to enable. */
  betas?: string[] | undefined;
  /** The name of the agent that runs the main conversation. Default: none. */
  agent?: string | undefined;
  /** Subagents by name, in addition to those of settings and plugins. */
  agents?: Record<string, AgentDefinition> | undefined;
  /** The title of a new session; a resumed one keeps its own. */
  title?: string | undefined;
  /** Replaces the workflow that plan mode reminds the model of. */
  planModeInstructions?: string | undefined;
  /** Sends prompts unchanged: `@file` and slash commands are not expanded. Default false. */
  verbatimPrompts?: boolean | undefined;

  // Tools and permissions

  /** The built-in tools the model has; `[]` for none. Default: all of them. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' } | undefined;
  /** Rules such as `Read` or `Bash(git *)` for calls that run without asking. Does not restrict anything. */
  allowedTools?: string[] | undefined;
  /** Tools the model does not get, or rules for calls that are always denied. */
  disallowedTools?: string[] | undefined;
  /** Other names under which the model may call a tool: alias to tool name. */
  toolAliases?: Record<string, string> | undefined;
  /** Settings of single built-in tools. Default: the CLI's. */
  toolConfig?: ToolConfig | undefined;
  /** Called before a tool runs that neither a rule nor the permission mode decides about. */
  canUseTool?: CanUseTool | undefined;
  /** How calls that no rule covers are decided. Default: what the settings say. */
  permissionMode?: PermissionMode | undefined;
  /** Allows switching to `bypassPermissions` during the session. Default false. */
  allowDangerouslySkipPermissions?: boolean | undefined;
  /** An MCP tool that is asked for permission instead of `canUseTool`. */
  permissionPromptToolName?: string | undefined;
  /** `none` denies at once what would otherwise be asked. Default `host`. */
  permissionPrompts?: 'host' | 'none' | undefined;
  /** Directories besides `cwd` that tools may use. */
  additionalDirectories?: string[] | undefined;
  /** The checkout whose project settings apply when `cwd` is a worktree of it. */
  projectConfigRoot?: string | undefined;
  /** Shows dialogs of the kinds in `supportedDialogKinds`. */
  onUserDialog?: OnUserDialog | undefined;
  /** The kinds of dialogs the host can show; needs `onUserDialog`. Default: none. */
  supportedDialogKinds?: string[] | undefined;
  /** Declares that the host can stop single tasks, so that an interrupt leaves background tasks running. Default false. */
  perTaskStopAffordance?: boolean | undefined;

  // MCP

  /** MCP servers by name: child processes of the CLI, remote servers, or objects in this process. */
  mcpServers?: Record<string, McpServerConfig> | undefined;
  /** Ignores the MCP servers of settings and plugins. Default false. */
  strictMcpConfig?: boolean | undefined;
  /** Answers questions that MCP servers ask the user. Default: all are declined. */
  onElicitation?: OnElicitation | undefined;

  // Hooks

  /** Functions in this process that the CLI calls on certain events. */
  hooks?: HookRegistrations | undefined;
  /** Reports every hook that runs as a message. Default false: only those of session start and setup. */
  includeHookEvents?: boolean | undefined;

  // Sessions

  /** The id or the title of the session to continue. */
  resume?: string | undefined;
  /** Continues the latest session of `cwd`. Default false. */
  continue?: boolean | undefined;
  /** Continues under a new id and leaves the old session as it is. Default false. */
  forkSession?: boolean | undefined;
  /** The id, a UUID, of the new session; with `resume` or `continue` only together with `forkSession`. Default: the CLI's choice. */
  sessionId?: string | undefined;
  /** The uuid of the last entry of the resumed session to keep. Needs `resume`. Default: all entries. */
  resumeSessionAt?: string | undefined;
  /** The only turn that `resumeSessionAt` may drop; the CLI refuses to drop any other. */
  resumeDropsTurn?: string | undefined;
  /** False writes no transcript, so that the session cannot be resumed. Default true. */
  persistSession?: boolean | undefined;
  /** Also keeps transcripts in this store, and resumes from it. */
  sessionStore?: SessionStore | undefined;
  /** The project's key in `sessionStore`, for machines that have the project at different paths. Default: made of `cwd`. */
  projectKey?: string | undefined;
  /** `eager` stores entries as they come, `batched` several at once. Default `batched`. */
  sessionStoreFlush?: 'batched' | 'eager' | undefined;
  /** Milliseconds one answer of the store may take during a resume. Default 60000. */
  loadTimeoutMs?: number | undefined;
  /** Backs up files before tools change them, so that `rewindFiles` can restore them. Default false. */
  enableFileCheckpointing?: boolean | undefined;

  // The process

  /** The working directory of the CLI. Default: that of this process. */
  cwd?: string | undefined;
  /** The whole environment of the CLI. Default: that of this process. To add to it, use `extendEnv`. */
  env?: Record<string, string | undefined> | undefined;
  /** The CLI: a path, relative ones from where the process was started, or a name to look up on PATH. Default: the installed one. */
  pathToClaudeCodeExecutable?: string | undefined;
  /** The runtime for a CLI that is a script. Default: the runtime of this process. */
  executable?: Runtime | undefined;
  /** Arguments of that runtime. Default: none. */
  executableArgs?: string[] | undefined;
  /** CLI flags by name, without dashes; `null` for a flag without a value. */
  extraArgs?: Record<string, string | null | undefined> | undefined;
  /** Starts the CLI somewhere else, for instance in a container. */
  spawnClaudeCodeProcess?: ProcessSpawner | undefined;
  /** Ends the session when aborted. */
  abortController?: AbortController | undefined;
  /** Receives what the CLI writes to stderr. */
  stderr?: ((data: string) => void) | undefined;
  /** Makes the CLI write a debug log. Default false. */
  debug?: boolean | undefined;
  /** The file for the debug log; implies `debug`. */
  debugFile?: string | undefined;

  // Output

  /** Also reports messages while they are being generated. Default false. */
  includePartialMessages?: boolean | undefined;
  /** The JSON Schema the answer must match; it arrives as `structured_output` of the result. Default: plain text. */
  outputFormat?: OutputFormat | undefined;
  /** A schema of any library that the answer must match and is checked against: see `output()` of a query. Not with `outputFormat`. */
  output?: AnySchema | undefined;
  /** Also reports the texts and thinking of subagents, not only their tool calls. Default false. */
  forwardSubagentText?: boolean | undefined;
  /** Reports after each result what the user might ask next. Default false. */
  promptSuggestions?: boolean | undefined;
  /** Has the model summarize the progress of running subagents from time to time. Default false. */
  agentProgressSummaries?: boolean | undefined;

  // Settings, plugins, skills

  /** Confines commands. With `enabled`, the CLI refuses to start where it cannot do so. Not with a `settings` file. */
  sandbox?: SandboxSettings | undefined;
  /** Settings that override those of the user and the project: an object, JSON, or the path of a file. */
  settings?: string | Settings | undefined;
  /** Restrictions that no other settings can lift. */
  managedSettings?: Settings | undefined;
  /** The settings files to read; `[]` for none. Default: all. CLAUDE.md needs `project`. */
  settingSources?: SettingSource[] | undefined;
  /** The skills the model may use, and use without asking. Default: all, asking. */
  skills?: string[] | 'all' | undefined;
  /** Plugins in directories of this machine. */
  plugins?: SdkPluginConfig[] | undefined;
  /** How the CLI gets `plugins`: on its command line or in the handshake. Default `argv`. */
  pluginDelivery?: 'argv' | 'initialize' | undefined;

  // Of this package only

  /** Variables added to the environment of this process; `undefined` removes one. Not with `env`. */
  extendEnv?: Record<string, string | undefined> | undefined;
  /** Carries the lines to and from the CLI, instead of a process started here: one transport for one session, or a function that makes them. */
  transport?: Transport | TransportFactory | undefined;
  /** The version of a CLI that cannot be asked, for instance behind `spawnClaudeCodeProcess`. */
  claudeCodeVersion?: string | undefined;
  /** Milliseconds the CLI may take for the handshake; 0 for no limit. Default 60000. */
  handshakeTimeoutMs?: number | undefined;
  /** Milliseconds without any output, while the CLI waits for nothing of yours, after which a turn counts as stalled; 0 for never. Default 0. */
  idleTimeoutMs?: number | undefined;
  /** Bytes a line of the CLI may have; a longer one is dropped with a warning. */
  maxLineBytes?: number | undefined;
  /** Bytes of unread messages kept in memory; the rest goes to a temporary file. Default 1 MiB. */
  maxBufferedBytes?: number | undefined;
  /** Milliseconds the CLI may take to exit after its input has ended. Default 2000. */
  closeGraceMs?: number | undefined;
  /** Milliseconds it may take to exit after SIGTERM, before it is killed. Default 5000. */
  killGraceMs?: number | undefined;
  /** What becomes of the CLI, with all it started, when this process dies: killed at once, or after some milliseconds in which it may leave because its input ended. Not for `spawnClaudeCodeProcess`. Default `'kill'`. */
  whenHostDies?: WhenHostDies | undefined;
  /** Passed to the handlers of in-process tools as `extra.context`. */
  toolContext?: unknown;
  /** Called with every line of the wire, in both directions. For observing, not for changing. */
  onWireLine?: WireListener | undefined;
  /** Records the session: a file, a folder, the same with settings, or a sink. Secrets are removed first. Default: what INBOARD_TRACE names. */
  trace?: TraceOption | undefined;
  /** Called for every tool call: start, progress, end, error, cancelled. */
  onToolEvent?: ((event: SessionToolEvent) => void) | undefined;
  /** Wraps every handler of an in-process tool, for instance in a span or a transaction: must call `run` once and return its result. */
  aroundTool?: AroundTool | undefined;
  /** Called once when the session is over and cleaned up, with the error that the iteration throws, if any. */
  onEnd?: ((error: unknown) => void) | undefined;
  /** Has the CLI stream its answers for `textStream()`, without partial messages among the messages; needed where the CLI is started before `textStream()` is called. Default false. */
  streamText?: boolean | undefined;
  /** Budgets to be notified of and prices to check against; the totals are in `usageReport()` of a query. */
  usage?: UsageLedgerOptions | undefined;
  /** What happens when the CLI does not list a tool of an in-process server. Default `warn`. */
  missingTools?: 'warn' | 'error' | undefined;
  /** How the CLI learns of in-process servers: in the handshake or on its command line. Default `initialize`. */
  sdkServerRegistration?: 'initialize' | 'argv' | undefined;
  /**
   * Called with what looks wrong but does not end the session. Default: a process warning, once per text; faults in what
   * the CLI writes are then not reported.
   */
  onWarning?: ((warning: InboardWarning) => void) | undefined;
}
