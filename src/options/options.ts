// The options of a session. Names known from the official SDK keep their spelling and meaning; the last group is ours.
// What is known about each option besides its type is its row in rows/.
import type { AroundTool, SessionToolEvent } from '../answer/mcp/tool/tool-events.js';
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
  | { type: 'adaptive'; display?: ThinkingDisplay }
  | { type: 'enabled'; budgetTokens?: number; display?: ThinkingDisplay }
  | { type: 'disabled' };

/** Asks for an answer that matches a JSON Schema; it arrives as `structured_output` of the result. */
export type JsonSchemaOutputFormat = { type: 'json_schema'; schema: Record<string, unknown> };

/** What the `outputFormat` option takes. */
export type OutputFormat = JsonSchemaOutputFormat;

/** Settings of single built-in tools. */
export type ToolConfig = {
  /** The format of the previews of a question's choices. */
  askUserQuestion?: { previewFormat?: 'markdown' | 'html' };
};

/** How a session is started. Every option may be omitted; `null` counts as omitted. */
export interface Options {
  // Prompt and model

  /** Your own system prompt, or the CLI's with additions. Default: an empty one. */
  systemPrompt?: SystemPrompt;
  /** A model's name or alias. Default: the CLI's choice. */
  model?: string;
  /** Used when `model` is overloaded or unavailable; several, separated by commas, are tried in order. */
  fallbackModel?: string;
  /** Whether and how much the model thinks. Default: the CLI's choice. Takes precedence over `maxThinkingTokens`. */
  thinking?: ThinkingConfig;
  /** How hard the model works. Default: the CLI's choice. */
  effort?: EffortLevel;
  /** Tokens the model may think; 0 turns thinking off. @deprecated Use `thinking`. */
  maxThinkingTokens?: number;
  /** Ends a turn with `error_max_turns` after this many model calls. Default, and 0: no limit. */
  maxTurns?: number;
  /** Ends a turn with `error_max_budget_usd` once this many dollars are spent; above 0. Default: no limit. */
  maxBudgetUsd?: number;
  /** The token budget for the task that the model is told about; a whole number above 0. */
  taskBudget?: { total: number };
  /** Beta features of the API to enable. */
  betas?: string[];
  /** The name of the agent that runs the main conversation. Default: none. */
  agent?: string;
  /** Subagents by name, in addition to those of settings and plugins. */
  agents?: Record<string, AgentDefinition>;
  /** The title of a new session; a resumed one keeps its own. */
  title?: string;
  /** Replaces the workflow that plan mode reminds the model of. */
  planModeInstructions?: string;
  /** Sends prompts unchanged: `@file` and slash commands are not expanded. Default false. */
  verbatimPrompts?: boolean;

  // Tools and permissions

  /** The built-in tools the model has; `[]` for none. Default: all of them. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  /** Rules such as `Read` or `Bash(git *)` for calls that run without asking. Does not restrict anything. */
  allowedTools?: string[];
  /** Tools the model does not get, or rules for calls that are always denied. */
  disallowedTools?: string[];
  /** Other names under which the model may call a tool: alias to tool name. */
  toolAliases?: Record<string, string>;
  /** Settings of single built-in tools. Default: the CLI's. */
  toolConfig?: ToolConfig;
  /** Called before a tool runs that neither a rule nor the permission mode decides about. */
  canUseTool?: CanUseTool;
  /** How calls that no rule covers are decided. Default: what the settings say. */
  permissionMode?: PermissionMode;
  /** Allows switching to `bypassPermissions` during the session. Default false. */
  allowDangerouslySkipPermissions?: boolean;
  /** An MCP tool that is asked for permission instead of `canUseTool`. */
  permissionPromptToolName?: string;
  /** `none` denies at once what would otherwise be asked. Default `host`. */
  permissionPrompts?: 'host' | 'none';
  /** Directories besides `cwd` that tools may use. */
  additionalDirectories?: string[];
  /** The checkout whose project settings apply when `cwd` is a worktree of it. */
  projectConfigRoot?: string;
  /** Shows dialogs of the kinds in `supportedDialogKinds`. */
  onUserDialog?: OnUserDialog;
  /** The kinds of dialogs the host can show; needs `onUserDialog`. Default: none. */
  supportedDialogKinds?: string[];
  /** Declares that the host can stop single tasks, so that an interrupt leaves background tasks running. Default false. */
  perTaskStopAffordance?: boolean;

  // MCP

  /** MCP servers by name: child processes of the CLI, remote servers, or objects in this process. */
  mcpServers?: Record<string, McpServerConfig>;
  /** Ignores the MCP servers of settings and plugins. Default false. */
  strictMcpConfig?: boolean;
  /** Answers questions that MCP servers ask the user. Default: all are declined. */
  onElicitation?: OnElicitation;

  // Hooks

  /** Functions in this process that the CLI calls on certain events. */
  hooks?: HookRegistrations;
  /** Reports every hook that runs as a message. Default false: only those of session start and setup. */
  includeHookEvents?: boolean;

  // Sessions

  /** The id or the title of the session to continue. */
  resume?: string;
  /** Continues the latest session of `cwd`. Default false. */
  continue?: boolean;
  /** Continues under a new id and leaves the old session as it is. Default false. */
  forkSession?: boolean;
  /** The id, a UUID, of the new session; with `resume` or `continue` only together with `forkSession`. Default: the CLI's choice. */
  sessionId?: string;
  /** The uuid of the last entry of the resumed session to keep. Needs `resume`. Default: all entries. */
  resumeSessionAt?: string;
  /** The only turn that `resumeSessionAt` may drop; the CLI refuses to drop any other. */
  resumeDropsTurn?: string;
  /** False writes no transcript, so that the session cannot be resumed. Default true. */
  persistSession?: boolean;
  /** Also keeps transcripts in this store, and resumes from it. */
  sessionStore?: SessionStore;
  /** `eager` stores entries as they come, `batched` several at once. Default `batched`. */
  sessionStoreFlush?: 'batched' | 'eager';
  /** Milliseconds one answer of the store may take during a resume. Default 60000. */
  loadTimeoutMs?: number;
  /** Backs up files before tools change them, so that `rewindFiles` can restore them. Default false. */
  enableFileCheckpointing?: boolean;

  // The process

  /** The working directory of the CLI. Default: that of this process. */
  cwd?: string;
  /** The whole environment of the CLI. Default: that of this process. To add to it, use `extendEnv`. */
  env?: Record<string, string | undefined>;
  /** The CLI: a path, or a name to look up on PATH. Default: the installed one. */
  pathToClaudeCodeExecutable?: string;
  /** The runtime for a CLI that is a script. Default: the runtime of this process. */
  executable?: Runtime;
  /** Arguments of that runtime. Default: none. */
  executableArgs?: string[];
  /** CLI flags by name, without dashes; `null` for a flag without a value. */
  extraArgs?: Record<string, string | null | undefined>;
  /** Starts the CLI somewhere else, for instance in a container. */
  spawnClaudeCodeProcess?: ProcessSpawner;
  /** Ends the session when aborted. */
  abortController?: AbortController;
  /** Receives what the CLI writes to stderr. */
  stderr?: (data: string) => void;
  /** Makes the CLI write a debug log. Default false. */
  debug?: boolean;
  /** The file for the debug log; implies `debug`. */
  debugFile?: string;

  // Output

  /** Also reports messages while they are being generated. Default false. */
  includePartialMessages?: boolean;
  /** The JSON Schema the answer must match; it arrives as `structured_output` of the result. Default: plain text. */
  outputFormat?: OutputFormat;
  /** A schema of any library that the answer must match and is checked against: see `output()` of a query. Not with `outputFormat`. */
  output?: AnySchema;
  /** Also reports the texts and thinking of subagents, not only their tool calls. Default false. */
  forwardSubagentText?: boolean;
  /** Reports after each result what the user might ask next. Default false. */
  promptSuggestions?: boolean;
  /** Has the model summarize the progress of running subagents from time to time. Default false. */
  agentProgressSummaries?: boolean;

  // Settings, plugins, skills

  /** Confines commands. With `enabled`, the CLI refuses to start where it cannot do so. Not with a `settings` file. */
  sandbox?: SandboxSettings;
  /** Settings that override those of the user and the project: an object, JSON, or the path of a file. */
  settings?: string | Settings;
  /** Restrictions that no other settings can lift. */
  managedSettings?: Settings;
  /** The settings files to read; `[]` for none. Default: all. CLAUDE.md needs `project`. */
  settingSources?: SettingSource[];
  /** The skills the model may use, and use without asking. Default: all, asking. */
  skills?: string[] | 'all';
  /** Plugins in directories of this machine. */
  plugins?: SdkPluginConfig[];
  /** How the CLI gets `plugins`: on its command line or in the handshake. Default `argv`. */
  pluginDelivery?: 'argv' | 'initialize';

  // Of this package only

  /** Variables added to the environment of this process; `undefined` removes one. Not with `env`. */
  extendEnv?: Record<string, string | undefined>;
  /** Carries the lines to and from the CLI, instead of a process started here: one transport for one session, or a function that makes them. */
  transport?: Transport | TransportFactory;
  /** The version of a CLI that cannot be asked, for instance behind `spawnClaudeCodeProcess`. */
  claudeCodeVersion?: string;
  /** Milliseconds the CLI may take for the handshake; 0 for no limit. Default 60000. */
  handshakeTimeoutMs?: number;
  /** Milliseconds without any output, while the CLI waits for nothing of yours, after which a turn counts as stalled; 0 for never. Default 0. */
  idleTimeoutMs?: number;
  /** Bytes a line of the CLI may have; a longer one is dropped with a warning. */
  maxLineBytes?: number;
  /** Bytes of unread messages kept in memory; the rest goes to a temporary file. */
  maxBufferedBytes?: number;
  /** Milliseconds the CLI may take to exit after its input has ended. Default 2000. */
  closeGraceMs?: number;
  /** Milliseconds it may take to exit after SIGTERM, before it is killed. Default 5000. */
  killGraceMs?: number;
  /** Passed to the handlers of in-process tools as `extra.context`. */
  toolContext?: unknown;
  /** Called with every line of the wire, in both directions. For observing, not for changing. */
  onWireLine?: WireListener;
  /** Records the session: a file, a folder, the same with settings, or a sink. Secrets are removed first. Default: what INBOARD_TRACE names. */
  trace?: TraceOption;
  /** Called for every tool call: start, progress, end, error, cancelled. */
  onToolEvent?: (event: SessionToolEvent) => void;
  /** Wraps every handler of an in-process tool, for instance in a span or a transaction: must call `run` once and return its result. */
  aroundTool?: AroundTool;
  /** Called once when the session is over and cleaned up, with the error that the iteration throws, if any. */
  onEnd?: (error: unknown) => void;
  /** Budgets to be notified of and prices to check against; the totals are in `usageReport()` of a query. */
  usage?: UsageLedgerOptions;
  /** What happens when the CLI does not list a tool of an in-process server. Default `warn`. */
  missingTools?: 'warn' | 'error';
  /** How the CLI learns of in-process servers: in the handshake or on its command line. Default `initialize`. */
  sdkServerRegistration?: 'initialize' | 'argv';
  /** Called with what looks wrong but does not end the session. Default: a process warning. */
  onWarning?: (warning: InboardWarning) => void;
}
