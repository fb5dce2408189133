// Everything a caller may ask for when starting a session. Names that users of the official SDK know keep
// their spelling and meaning; the last group is ours.
import type { AroundTool, SessionToolEvent } from '../answer/mcp/tool/tool-events.js';
import type { ProcessSpawner } from '../wire/process/run/spawner.js';
import type { Runtime } from '../wire/process/find/cli-command.js';
import type { AgentDefinition, EffortLevel } from '../wire/protocol/config/agent-definition.js';
import type { HookRegistrations } from '../wire/protocol/hooks/hook-callback.js';
import type { SdkPluginConfig } from '../wire/protocol/control/initialize.js';
import type { McpServerConfig, OnElicitation, OnUserDialog } from '../wire/protocol/config/mcp-config.js';
import type { CanUseTool, PermissionMode } from '../wire/protocol/control/permissions.js';
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

/** How much of its thinking a model shows. */
export type ThinkingDisplay = 'summarized' | 'omitted';

/** Whether a model thinks before it answers: as much as it sees fit, up to a budget of tokens, or not at all. */
export type ThinkingConfig =
  | { type: 'adaptive'; display?: ThinkingDisplay }
  | { type: 'enabled'; budgetTokens?: number; display?: ThinkingDisplay }
  | { type: 'disabled' };

/** Asks for an answer that fits a JSON Schema; it arrives as `structured_output` of the result. */
export type JsonSchemaOutputFormat = { type: 'json_schema'; schema: Record<string, unknown> };

/** What the `outputFormat` option takes. */
export type OutputFormat = JsonSchemaOutputFormat;

/** How built-in tools behave. */
export type ToolConfig = {
  /** How the previews of a question's choices are written. */
  askUserQuestion?: { previewFormat?: 'markdown' | 'html' };
};

/** What a session is started with. Everything is optional. */
export interface Options {
  // Prompt and model

  /** The host's own system prompt, or the stock one with additions. Default: an empty one. */
  systemPrompt?: SystemPrompt;
  /** A model's name or alias. Default: the CLI's choice. */
  model?: string;
  /** Tried when `model` is overloaded or not available; several, by comma, are tried in order. */
  fallbackModel?: string;
  /** Default: the CLI's choice. Wins over `maxThinkingTokens`. */
  thinking?: ThinkingConfig;
  /** How hard the model works. Default: the CLI's choice. */
  effort?: EffortLevel;
  /** Tokens the model may think; 0 turns thinking off. @deprecated Use `thinking`. */
  maxThinkingTokens?: number;
  /** Ends a turn with `error_max_turns` after so many model calls. Default, and 0: no limit. */
  maxTurns?: number;
  /** Ends a turn with `error_max_budget_usd` once so many dollars are spent; above 0. Default: no limit. */
  maxBudgetUsd?: number;
  /** Tokens the model is told it has for the task; a whole number above 0. */
  taskBudget?: { total: number };
  /** Beta features of the API to switch on. */
  betas?: string[];
  /** The agent, by name, as which the main conversation runs. */
  agent?: string;
  /** Subagents by name, besides those of settings and plugins. */
  agents?: Record<string, AgentDefinition>;
  /** The title of a new session; a resumed one keeps its own. */
  title?: string;
  /** Replaces the workflow the model is reminded of in plan mode. */
  planModeInstructions?: string;
  /** Sends prompts as they are: no `@file`, no slash commands. Default false. */
  verbatimPrompts?: boolean;

  // Tools and permissions

  /** The built-in tools that exist at all; `[]` for none. Default: all of them. */
  tools?: string[] | { type: 'preset'; preset: 'claude_code' };
  /** Rules like `Read` or `Bash(git *)` for calls that run without asking. Restricts nothing. */
  allowedTools?: string[];
  /** Tools taken away from the model, or rules for calls that are always refused. */
  disallowedTools?: string[];
  /** Tool names the model may use, and the tool each one stands for. */
  toolAliases?: Record<string, string>;
  toolConfig?: ToolConfig;
  /** Asked before a tool runs that no rule and no mode decides about. */
  canUseTool?: CanUseTool;
  /** How calls that no rule covers are decided. Default: what settings say. */
  permissionMode?: PermissionMode;
  /** Allows a change to `bypassPermissions` during the session. Default false. */
  allowDangerouslySkipPermissions?: boolean;
  /** An MCP tool that is asked instead of `canUseTool`. */
  permissionPromptToolName?: string;
  /** `none` refuses at once what would be asked. Default `host`. */
  permissionPrompts?: 'host' | 'none';
  /** Directories besides `cwd` that tools may use. */
  additionalDirectories?: string[];
  /** The checkout whose project settings count when `cwd` is a worktree of it. */
  projectConfigRoot?: string;
  /** Shows dialogs of the kinds in `supportedDialogKinds`. */
  onUserDialog?: OnUserDialog;
  /** The kinds of dialogs the host can show; needs `onUserDialog`. */
  supportedDialogKinds?: string[];
  /** Says that the host can stop tasks one by one, so that an interrupt spares those in the background. */
  perTaskStopAffordance?: boolean;

  // MCP

  /** MCP servers by name: child processes of the CLI, remote ones, or objects of this process. */
  mcpServers?: Record<string, McpServerConfig>;
  /** Use no MCP servers of settings and plugins. Default false. */
  strictMcpConfig?: boolean;
  /** Answers questions of MCP servers to the user. Default: all are declined. */
  onElicitation?: OnElicitation;

  // Hooks

  /** Functions of this process that the CLI calls at certain events. */
  hooks?: HookRegistrations;
  /** Reports all hooks that run as messages. Default false: only those of session start and set-up. */
  includeHookEvents?: boolean;

  // Sessions

  /** The id, or the title, of the session to go on with. */
  resume?: string;
  /** Go on with the latest session of `cwd`. Default false. */
  continue?: boolean;
  /** Go on under a new id and leave the old session as it is. Default false. */
  forkSession?: boolean;
  /** The id, a UUID, of the new session; with `resume` or `continue` only together with `forkSession`. */
  sessionId?: string;
  /** The last entry of the resumed session to keep, by its uuid. Needs `resume`. */
  resumeSessionAt?: string;
  /** The one turn that `resumeSessionAt` may drop; anything else makes the CLI refuse. */
  resumeDropsTurn?: string;
  /** False writes no transcript, so that the session cannot be resumed. Default true. */
  persistSession?: boolean;
  /** Also keeps transcripts here, and resumes from here. */
  sessionStore?: SessionStore;
  /** `eager` stores entries as they come, `batched` several at once. Default `batched`. */
  sessionStoreFlush?: 'batched' | 'eager';
  /** Milliseconds one answer of the store may take during a resume. Default 60000. */
  loadTimeoutMs?: number;
  /** Remembers files before tools change them, so that `rewindFiles` can bring them back. Default false. */
  enableFileCheckpointing?: boolean;

  // The process

  /** Where the CLI works. Default: the working directory of this process. */
  cwd?: string;
  /** The whole environment of the CLI. Default: that of this process. To only add to it, use `extendEnv`. */
  env?: Record<string, string | undefined>;
  /** The CLI: a path, or a name to look for on PATH. Default: the one that is installed. */
  pathToClaudeCodeExecutable?: string;
  /** What runs the CLI if it is a script. Default: what runs this process. */
  executable?: Runtime;
  /** Arguments of that runtime. */
  executableArgs?: string[];
  /** CLI flags by name without dashes; `null` for one without a value. */
  extraArgs?: Record<string, string | null | undefined>;
  /** Starts the CLI somewhere else, for instance in a container. */
  spawnClaudeCodeProcess?: ProcessSpawner;
  /** Ends the session when aborted. */
  abortController?: AbortController;
  /** Given what the CLI writes to stderr. */
  stderr?: (data: string) => void;
  /** Makes the CLI write a debug log. Default false. */
  debug?: boolean;
  /** The file for the debug log; implies `debug`. */
  debugFile?: string;

  // Output

  /** Reports messages also while they grow. Default false. */
  includePartialMessages?: boolean;
  outputFormat?: OutputFormat;
  /** Asks for an answer that fits a schema of any library, and checks it: see `output()` of a query. Not with `outputFormat`. */
  output?: AnySchema;
  /** Reports texts and thoughts of subagents, not only their tool calls. Default false. */
  forwardSubagentText?: boolean;
  /** Reports after each result what the user may ask next. Default false. */
  promptSuggestions?: boolean;
  /** Has the model sum up from time to time what running subagents do. Default false. */
  agentProgressSummaries?: boolean;

  // Settings, plugins, skills

  /** Confines commands. With `enabled`, the CLI refuses to start where it cannot. Not with a `settings` file. */
  sandbox?: SandboxSettings;
  /** Settings above those of the user and the project: an object, JSON, or the path of a file. */
  settings?: string | Settings;
  /** Restrictions that nothing else may lift. */
  managedSettings?: Settings;
  /** The settings files that are read; `[]` for none. Default: all. `project` is needed for CLAUDE.md. */
  settingSources?: SettingSource[];
  /** The skills the model may use, and may use without asking. Default: all, asking. */
  skills?: string[] | 'all';
  /** Plugins of this machine. */
  plugins?: SdkPluginConfig[];
  /** How the CLI learns of `plugins`: on its command line or in the handshake. Default `argv`. */
  pluginDelivery?: 'argv' | 'initialize';

  // Of this package only

  /** Variables added to the environment of this process, or with `undefined` taken from it. Not with `env`. */
  extendEnv?: Record<string, string | undefined>;
  /** What carries the lines to a CLI and back, in place of a process started here: one transport for one session, or a function that makes them. */
  transport?: Transport | TransportFactory;
  /** The version of a CLI that cannot be asked, for instance behind `spawnClaudeCodeProcess`. */
  claudeCodeVersion?: string;
  /** Milliseconds the CLI may take for the handshake; 0 for any time. Default 60000. */
  handshakeTimeoutMs?: number;
  /** Milliseconds of true silence, with nothing of yours pending, after which a turn counts as stalled; 0 for never. Default 0. */
  idleTimeoutMs?: number;
  /** Bytes one line of the CLI may have; a longer one is dropped with a warning. */
  maxLineBytes?: number;
  /** Bytes of unread messages kept in memory; more rest in a temporary file. */
  maxBufferedBytes?: number;
  /** Milliseconds a CLI may take to leave after its input ended. Default 2000. */
  closeGraceMs?: number;
  /** Milliseconds it may take after being told to leave, before it is killed. Default 5000. */
  killGraceMs?: number;
  /** What the handlers of in-process tools get as `extra.context`. */
  toolContext?: unknown;
  /** Sees every line of the wire, in both directions, as it passes. For watching, not for changing. */
  onWireLine?: WireListener;
  /** Records the session: a file, a folder, the same with settings, or a sink. Secrets are hidden first. Default: what INBOARD_TRACE names. */
  trace?: TraceOption;
  /** Told of every tool call: start, progress, end, error, cancelled. */
  onToolEvent?: (event: SessionToolEvent) => void;
  /** Runs around every handler of an in-process tool, for a trace, a transaction, a log: must call `run`, once, and give back what it gives. */
  aroundTool?: AroundTool;
  /** Called once when the session is over and nothing of it is left, with what the iteration throws, if it throws. */
  onEnd?: (error: unknown) => void;
  /** How the use of tokens and money is watched: budgets to be told of, prices to check against. The numbers are in `usageReport()` of a query. */
  usage?: UsageLedgerOptions;
  /** What happens when the CLI does not list a tool of an in-process server. Default `warn`. */
  missingTools?: 'warn' | 'error';
  /** How the CLI learns of in-process servers: in the handshake, or on its command line. Default `initialize`. */
  sdkServerRegistration?: 'initialize' | 'argv';
  /** Told of what is doubtful or went wrong without ending the session. Default: the process warns. */
  onWarning?: (warning: InboardWarning) => void;
}
