// The options of a session. Those of the official SDK have the same names and meanings here. The last group exists only
// in Inboard. Everything else about an option is in its row, in the folder `rows`.
import type { AroundTool, SessionToolEvent } from '../answer/mcp/tool/tool-events.js';
import type { WhenHostDies } from '../wire/process/run/host-death.js';
import type { ProcessSpawner } from '../wire/process/run/spawner.js';
import type { Runtime } from '../wire/process/find/host-runtime.js';
import type { AgentDefinition, EffortLevel } from '../wire/protocol/config/agent-definition.js';
import type { HookFailure, HookRegistrations } from '../wire/protocol/hooks/hook-callback.js';
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

/** Whether a model thinks before it answers: as much as it sees fit, within a token budget, or not at all. */
export type ThinkingConfig =
  | { type: 'adaptive'; display?: ThinkingDisplay | undefined }
  | { type: 'enabled'; budgetTokens?: number | undefined; display?: ThinkingDisplay | undefined }
  | { type: 'disabled' };

/** Asks for an answer that matches a JSON Schema. The answer arrives as `structured_output` in the result. */
export type JsonSchemaOutputFormat = { type: 'json_schema'; schema: Record<string, unknown> };

/** The values of the option `outputFormat`. */
export type OutputFormat = JsonSchemaOutputFormat;

/** Settings for individual built-in tools. */
export type ToolConfig = {
  /** The format in which a question's choices are previewed. */
  askUserQuestion?: { previewFormat?: 'markdown' | 'html' | undefined } | undefined;
};

/** How a session is started. You can omit every option; `null` counts as omitted. */
export interface Options {
  // Prompt and model

  /** Your own system prompt, or the CLI's with additions. Default: an empty one. */
  systemPrompt?: SystemPrompt | undefined;
  /** A model's name or alias. Default: the CLI's choice. */
  model?: string | undefined;
  /** The model to use when `model` is overloaded or unavailable. Several, separated by commas, are tried in order. */
  fallbackModel?: string | undefined;
  /** Whether and how much the model thinks. Default: the CLI's choice. Takes precedence over `maxThinkingTokens`. */
  thinking?: ThinkingConfig | undefined;
  /** How hard the model works. Default: the CLI's choice. */
  effort?: EffortLevel | undefined;
  /** Tokens the model may use for thinking; 0 turns thinking off. @deprecated Use `thinking`. */
  maxThinkingTokens?: number | undefined;
  /**
   * Ends a turn with `error_max_turns` after this many model calls, which is not what `turns` of an outcome counts; 0 for no limit.
   * Default: no limit.
   */
  maxTurns?: number | undefined;
  /** Ends a turn with `error_max_budget_usd` once this many dollars have been spent; must be above 0. Default: no limit. */
  maxBudgetUsd?: number | undefined;
  /** A token budget for the task, a whole number above 0. The model is told about it. */
  taskBudget?: { total: number } | undefined;
  /** Beta features of the API to enable. */
  betas?: string[] | undefined;
  /** The name of the agent that runs the main conversation. Default: none. */
  agent?: string | undefined;
  /** Subagents by name, in addition to those from settings and plugins. */
  agents?: Record<string, AgentDefinition> | undefined;
  /** The title of a new session; a resumed one keeps its own. */
  title?: string | undefined;
  /** Replaces the workflow instructions that plan mode gives the model. */
  planModeInstructions?: string | undefined;
  /** Makes the CLI take prompts literally: it does not expand `@file` and slash commands. @default false */
  verbatimPrompts?: boolean | undefined;

  // Tools and permissions

  /** The built-in tools the model has; `[]` for none. Default: all of them. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' } | undefined;
  /** Rules such as `Read` or `Bash(git *)` for calls that run without asking. They do not restrict anything. */
  allowedTools?: string[] | undefined;
  /** Tools the model does not get, or rules for calls that are always denied. */
  disallowedTools?: string[] | undefined;
  /** Other names by which the model may call a tool: alias to tool name. */
  toolAliases?: Record<string, string> | undefined;
  /** Settings for individual built-in tools. Default: the CLI's. */
  toolConfig?: ToolConfig | undefined;
  /** Called before a tool call that neither a rule nor the permission mode decides. */
  canUseTool?: CanUseTool | undefined;
  /** How calls that no rule covers are decided. Default: what the settings say. */
  permissionMode?: PermissionMode | undefined;
  /** Allows switching to `bypassPermissions` during the session. @default false */
  allowDangerouslySkipPermissions?: boolean | undefined;
  /** An MCP tool that is asked for permission instead of `canUseTool`. */
  permissionPromptToolName?: string | undefined;
  /** Who answers permission questions: `host` asks this program, `none` denies at once without asking. @default host */
  permissionPrompts?: 'host' | 'none' | undefined;
  /** Directories besides `cwd` that tools may use. */
  additionalDirectories?: string[] | undefined;
  /** The checkout whose project settings apply when `cwd` is a worktree of it. */
  projectConfigRoot?: string | undefined;
  /** Shows dialogs of the kinds in `supportedDialogKinds`. */
  onUserDialog?: OnUserDialog | undefined;
  /** The kinds of dialogs the host can show; needs `onUserDialog`. Default: none. */
  supportedDialogKinds?: string[] | undefined;
  /** Declares that the host can stop individual tasks, so an interrupt leaves background tasks running. @default false */
  perTaskStopAffordance?: boolean | undefined;

  // MCP

  /** MCP servers by name: child processes of the CLI, remote servers, or objects in this process. */
  mcpServers?: Record<string, McpServerConfig> | undefined;
  /** Ignores MCP servers from settings and plugins. @default false */
  strictMcpConfig?: boolean | undefined;
  /** Answers questions that MCP servers ask the user. Default: all are declined. */
  onElicitation?: OnElicitation | undefined;

  // Hooks

  /** Functions in this process that the CLI calls on certain events. */
  hooks?: HookRegistrations | undefined;
  /** Delivers a message for every hook that runs. Without it, only hooks of session start and setup get one. @default false */
  includeHookEvents?: boolean | undefined;

  // Sessions

  /** The id or the title of the session to continue. */
  resume?: string | undefined;
  /** Continues the latest session in `cwd`. @default false */
  continue?: boolean | undefined;
  /** Continues under a new id and leaves the old session as it is. @default false */
  forkSession?: boolean | undefined;
  /** The id of a new session, a UUID. With `resume` or `continue` it needs `forkSession`. Default: the CLI's choice. */
  sessionId?: string | undefined;
  /**
   * The uuid of the last entry to keep of the resumed session. Needs `resume`, or `continue` with `sessionStore`. Default:
   * all entries are kept.
   */
  resumeSessionAt?: string | undefined;
  /** The only turn that `resumeSessionAt` may drop; the CLI refuses to drop any other. */
  resumeDropsTurn?: string | undefined;
  /** `false` writes no transcript, so the session cannot be resumed. @default true */
  persistSession?: boolean | undefined;
  /** Also keeps transcripts in this store, and resumes from it. */
  sessionStore?: SessionStore | undefined;
  /** The project's key in `sessionStore`, for machines that have it at different paths. Default: derived from `cwd`. */
  projectKey?: string | undefined;
  /** `eager` stores entries as they arrive, `batched` several at once. @default batched */
  sessionStoreFlush?: 'batched' | 'eager' | undefined;
  /** Milliseconds each call to the store may take during a resume. @default 60000 */
  loadTimeoutMs?: number | undefined;
  /** Backs up files before tools change them, so `rewindFiles` can restore them. @default false */
  enableFileCheckpointing?: boolean | undefined;

  // The process

  /** The CLI's working directory. Default: that of this process. */
  cwd?: string | undefined;
  /** The CLI's whole environment. Default: that of this process. To add to it, use `extendEnv`. */
  env?: Record<string, string | undefined> | undefined;
  /**
   * The CLI to start: a path (relative paths start where the process was started) or a name to look up on PATH.
   * Default: the installed one.
   */
  pathToClaudeCodeExecutable?: string | undefined;
  /** The runtime for a CLI that is a script. Default: the runtime of this process. */
  executable?: Runtime | undefined;
  /** Arguments for that runtime. Default: none. */
  executableArgs?: string[] | undefined;
  /** CLI flags by name, without dashes; `null` for a flag without a value. */
  extraArgs?: Record<string, string | null | undefined> | undefined;
  /** A function that starts the CLI somewhere else, for example in a container. */
  spawnClaudeCodeProcess?: ProcessSpawner | undefined;
  /** Ends the session when aborted. */
  abortController?: AbortController | undefined;
  /** Receives what the CLI writes to stderr. */
  stderr?: ((data: string) => void) | undefined;
  /** Makes the CLI write a debug log. @default false */
  debug?: boolean | undefined;
  /** The file for the debug log; implies `debug`. */
  debugFile?: string | undefined;

  // Output

  /** Also reports messages while they are being generated. @default false */
  includePartialMessages?: boolean | undefined;
  /** The JSON Schema the answer must match; the answer arrives as `structured_output` in the result. Default: plain text. */
  outputFormat?: OutputFormat | undefined;
  /** A schema from any library, against which the answer is checked; see `output()` of a query. Excludes `outputFormat`. */
  output?: AnySchema | undefined;
  /** Also reports subagents' text and thinking, not only their tool calls. @default false */
  forwardSubagentText?: boolean | undefined;
  /** After each result, reports what the user might ask next. @default false */
  promptSuggestions?: boolean | undefined;
  /** Makes the model summarize the progress of running subagents from time to time. @default false */
  agentProgressSummaries?: boolean | undefined;

  // Settings, plugins, skills

  /** Runs commands in a sandbox. With `enabled`, a CLI that cannot do so refuses to start. Not with a `settings` file. */
  sandbox?: SandboxSettings | undefined;
  /** Settings that override those of the user and the project: an object, JSON, or a file path. */
  settings?: string | Settings | undefined;
  /** Restrictions that no other settings can lift. */
  managedSettings?: Settings | undefined;
  /** The settings files to read; `[]` for none. Default: all. CLAUDE.md needs `project`. */
  settingSources?: SettingSource[] | undefined;
  /** The only skills that the model may use; they run without asking. Default: it may use all skills, but must ask. */
  skills?: string[] | 'all' | undefined;
  /** Plugins in directories on this machine. */
  plugins?: SdkPluginConfig[] | undefined;
  /** How the CLI gets `plugins`: on its command line or in the handshake. @default argv */
  pluginDelivery?: 'argv' | 'initialize' | undefined;

  // Of this package only

  /** Variables added to this process's environment for the CLI; `undefined` removes one. Not together with `env`. */
  extendEnv?: Record<string, string | undefined> | undefined;
  /**
   * Carries lines to and from the CLI, instead of a process that is started here. Pass a transport for a single session,
   * or a function that creates one for each session.
   */
  transport?: Transport | TransportFactory | undefined;
  /** The version of a CLI that cannot be asked, for example behind `spawnClaudeCodeProcess`. */
  claudeCodeVersion?: string | undefined;
  /** Milliseconds the CLI may take for the handshake; 0 for no limit. @default 60000 */
  handshakeTimeoutMs?: number | undefined;
  /**
   * Milliseconds without output after which a turn counts as stalled; 0 for never. Time in which the CLI waits for this
   * program does not count. @default 0
   */
  idleTimeoutMs?: number | undefined;
  /** The maximum length of a line from the CLI in bytes; a longer one is dropped with a warning. Default: 256 MiB. */
  maxLineBytes?: number | undefined;
  /** Bytes of unread messages kept in memory; the rest goes to a temporary file. Default: 1 MiB. */
  maxBufferedBytes?: number | undefined;
  /** Milliseconds the CLI may take to exit after its input has ended. @default 2000 */
  closeGraceMs?: number | undefined;
  /** Milliseconds the CLI may take to exit after SIGTERM before it is killed. @default 5000 */
  killGraceMs?: number | undefined;
  /**
   * What happens to the CLI and everything it started when this process dies. They are killed at once, or after a grace
   * period in which the CLI can exit because its input ended. Does not apply to `spawnClaudeCodeProcess`. @default 'kill'
   */
  whenHostDies?: WhenHostDies | undefined;
  /**
   * Passed to the handlers of in-process tools as `extra.context`. Required if a tool declares a context and its server
   * has none.
   */
  toolContext?: unknown;
  /** Called with every line on the wire, in both directions. It can observe lines but not change them. */
  onWireLine?: WireListener | undefined;
  /**
   * Where to record the session: a file or folder, with or without settings, or a sink. Secrets are removed first.
   * Default: what INBOARD_TRACE names.
   */
  trace?: TraceOption | undefined;
  /** Called for every tool call: start, progress, end, error, cancelled. */
  onToolEvent?: ((event: SessionToolEvent) => void) | undefined;
  /** Wraps every in-process tool handler, for example in a span or transaction. Must call `run` once, and return its result. */
  aroundTool?: AroundTool | undefined;
  /** Called once when the session has ended and is cleaned up, with the error that the iteration throws, if any. */
  onEnd?: ((error: unknown) => void) | undefined;
  /**
   * Makes the CLI stream its answers for `textStream()`. You still get no partial messages. Needed if the CLI is started
   * before you call `textStream()`. @default false
   */
  streamText?: boolean | undefined;
  /** Budgets that you are notified about, and prices to check costs against. `usageReport()` of a query has the totals. */
  usage?: UsageLedgerOptions | undefined;
  /**
   * What happens when a hook throws, is late or returns something that is not an answer. With `refuse`, the action that
   * the hook was asked about does not happen. A hook that returns nothing has not failed; it makes no decision. The
   * `failClosed` or `onFailure` of a matcher takes precedence. @default continue
   */
  hookFailure?: HookFailure | undefined;
  /** What happens if the CLI does not list a tool of an in-process server. @default warn */
  missingTools?: 'warn' | 'error' | undefined;
  /** How the CLI learns about in-process servers: in the handshake or on its command line. @default initialize */
  sdkServerRegistration?: 'initialize' | 'argv' | undefined;
  /**
   * Called with anything that looks wrong but does not end the session. Without it, each text becomes a process warning
   * once, and faults in what the CLI writes are not reported.
   */
  onWarning?: ((warning: InboardWarning) => void) | undefined;
}
