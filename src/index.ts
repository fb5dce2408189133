// The door `inboard`: named exports only, no wildcard, nothing else. Heavy things load when they are used.
export { query } from './query/query.js';
export type { OutputOf, Query, QueryInput } from './query/query.js';
export { run } from './query/run.js';
export type { RunInput, RunOutcome } from './query/run.js';
export { startup } from './query/startup.js';
export type { StartupInput, WarmQuery } from './query/startup.js';
export { prewarm } from './query/prewarm.js';
export type { ClaimedSession, ClaimOptions, SpareProcess } from './query/prewarm.js';
export { openSession } from './query/open-session.js';
export type { OpenSessionInput, Session } from './query/open-session.js';
export type { SendOptions } from './query/conversation.js';
export type { SessionState } from './query/session-cli.js';
export type { CrashedEvent, RestartedEvent, SessionEvent } from './query/session-event.js';
export type { Resend, RestartPolicy } from './query/restart-policy.js';
export type { Turn, TurnState } from './query/turn.js';
export type { MessageInput, UserContent } from './query/user-message.js';
export { createWarmPool } from './query/warm-pool.js';
export type { WarmPool, WarmPoolInput, WarmPoolStats } from './query/warm-pool.js';
export { createSessionGroup } from './query/session-group.js';
export type {
  GroupSessionInput,
  SessionGroup,
  SessionGroupInput,
  SessionGroupStats,
} from './query/session-group.js';
export { outcomeOf } from './query/outcome.js';
export type { Outcome, OutcomeKind } from './query/outcome.js';
export type { ControlOptions, Controls } from './query/controls.js';
export type { CliCapabilities } from './query/capabilities.js';
export type { QueryOptions, ToolReference } from './query/name-tools.js';
export type { LooseReply, UnlistedControls } from './query/unlisted-controls.js';
export type { ReadyOptions } from './query/await-tools.js';
export type { ServerReport, ToolReport } from './query/tool-check.js';
export type { DefinedTool } from './mcp/answer-mcp-message.js';
export type { Prompt, PromptItem } from './query/prompt-source.js';

export { tool } from './mcp/tool.js';
export type { DefineTool } from './mcp/tool.js';
export { createSdkMcpServer } from './mcp/create-sdk-mcp-server.js';
export type { CreateSdkMcpServerOptions, SdkMcpServer } from './mcp/create-sdk-mcp-server.js';
export { allow, answerQuestions, deny } from './permissions/decisions.js';
export type { AllowOptions } from './permissions/decisions.js';
export { answerPermission } from './permissions/permission-desk.js';
export type { PendingPermission } from './permissions/permission-desk.js';
export { replayPermissions } from './permissions/replay-permissions.js';
export type { RecordedDecision } from './permissions/replay-permissions.js';
export { toolName } from './mcp/tool-name.js';
export type { ToolName } from './mcp/tool-name.js';
export { audio, errorResult, image, resource } from './mcp/tool-content.js';
export type {
  AudioContent,
  CallToolResult,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  ToolContent,
} from './mcp/tool-content.js';
export type { ToolContext } from './mcp/tool-context.js';
export type {
  SdkMcpToolDefinition,
  ToolAnnotations,
  ToolExtras,
  ToolOptions,
} from './mcp/tool-definition.js';
export type {
  AroundTool,
  SessionToolEvent,
  ToolEvent,
  ToolEventSource,
  ToolProgress,
} from './mcp/tool-events.js';
export type { RetryPolicy, ToolLimits } from './mcp/limits.js';
export type { RegisteredResource, RegisteredTool, ToolServer } from './mcp/tool-server.js';
export type { AnySchema, InferInput, InferOutput, InferOutput as InferShape } from './schema/infer.js';

export type {
  JsonSchemaOutputFormat,
  Options,
  OutputFormat,
  ThinkingConfig,
  ThinkingDisplay,
  ToolConfig,
} from './options/options.js';
export type { WireListener } from './trace/tap-transport.js';
export type { TraceOption, TraceOptions } from './trace/trace-option.js';
export type { TraceSink } from './trace/recorder.js';
export type { RedactOptions } from './trace/redact.js';
export type {
  TerminateOptions,
  Transport,
  TransportEnd,
  TransportFactory,
  TransportReceiver,
  TransportRequest,
} from './transport/transport.js';
export type { InboardWarning, OptionWarningCode } from './options/warning.js';
export type { ProcessSpawner, SpawnedProcess, SpawnOptions } from './process/spawner.js';

export { UsageLedger } from './usage/usage-ledger.js';
export type {
  OpenTurnUsage,
  ThresholdNotice,
  TurnUsage,
  UsageLedgerOptions,
  UsageReport,
} from './usage/usage-ledger.js';
export type { UsageDisagreement } from './usage/usage-check.js';
export type { ModelPrice, PriceTable, UsageCount } from './usage/usage-count.js';
export {
  archiveSession,
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  listSessions,
  listSubagents,
  matchDeniedModels,
  renameSession,
  resolveSettings,
  tagSession,
  unarchiveSession,
} from './query/load-on-use.js';
export { foldSessionSummary } from './sessions/fold-session-summary.js';
export { InMemorySessionStore } from './sessions/in-memory-session-store.js';
export type {
  ResolvedSettings,
  ResolvedSettingSource,
  ResolveSettingsOptions,
  SettingOrigin,
} from './settings/resolve-settings.js';
export type { PolicySettingsOrigin } from './settings/choose-policy.js';
export type { SettingsProblem } from './settings/read-settings.js';
export { createOutputReader, outputFormatOf, readStructuredOutput } from './query/structured-output.js';
export type { OutputReader, OutputReading } from './query/structured-output.js';
export type { ModelShare } from './usage/usage-totals.js';
export { filterEscalatingDefaultMode } from './settings/filter-escalating-default-mode.js';
export type { DeniedModelsMatch } from './settings/match-denied-models.js';
export {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from './protocol/cli-facts.js';

export {
  AbortError,
  ClaimError,
  ControlRequestError,
  ControlTimeoutError,
  ExecutableNotFoundError,
  HandshakeError,
  HookError,
  InboardError,
  IncompleteRunError,
  InvalidOptionsError,
  LaunchError,
  OutputValidationError,
  ProcessExitError,
  ReplayError,
  ResultError,
  RunError,
  SchemaError,
  SessionClosedError,
  SessionNotFoundError,
  SessionStoreError,
  StalledError,
  ToolResultError,
  ToolServerNotFoundError,
  ToolsNotReadyError,
  ToolTimeoutError,
  TraceError,
  TurnLostError,
  UnsupportedOptionError,
  WireError,
} from './errors.js';
export type { ClaimRefusal, ErrorPhase, LaunchFailure, OutputIssue } from './errors.js';

export { EXIT_REASONS, HOOK_EVENTS } from './protocol/hook-inputs.js';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from './protocol/system-prompt.js';
export type {
  CacheControl,
  ContentBlockParam,
  DocumentBlockParam,
  DocumentSource,
  ImageBlockParam,
  ImageMediaType,
  ImageSource,
  MessageParam,
  SearchResultBlockParam,
  TextBlockParam,
  ToolReferenceBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from './protocol/api-input.js';
export type {
  ApiMessage,
  ContentBlock,
  McpToolUseBlock,
  NonNullableUsage,
  OtherBlock,
  RedactedThinkingBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
  Usage,
} from './protocol/api-payload.js';
export type {
  ContentBlockDelta,
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  MessageDeltaEvent,
  MessageStartEvent,
  MessageStopEvent,
  RawMessageStreamEvent,
} from './protocol/api-stream.js';
export type { AgentDefinition, AgentMcpServerSpec, EffortLevel } from './protocol/agent-definition.js';
export type {
  AccountInfo,
  AgentInfo,
  InitializeResponse,
  McpStatusResponse,
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
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from './protocol/control-replies.js';
export type {
  InitializeRequest,
  SDKControlInitializeRequest,
  SdkPluginConfig,
} from './protocol/initialize-request.js';
export type {
  ControlErrorResponse,
  ControlRequestFields,
  ControlRequestMap,
  ControlRequestResponse,
  ControlRequestSubtype,
  ControlResponse,
  FileSuggestion,
  FlagSettingsPatch,
  InboundRequestMap,
  InboundRequestSubtype,
  SDKControlCancelRequest,
  SDKControlMcpCallResponse,
  SDKControlRequest,
  SDKControlRequestInner,
  SDKControlResponse,
  SDKKeepAliveMessage,
  StdinMessage,
  StdoutMessage,
} from './protocol/control.js';
export type {
  BaseHookInput,
  ExitReason,
  HookEvent,
  NotificationHookInput,
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostCompactHookInput,
  PostToolBatchHookInput,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreCompactHookInput,
  PreToolUseHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from './protocol/hook-inputs.js';
export type {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  ElicitationHookInput,
  ElicitationResultHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  MessageDisplayHookInput,
  PostModelSwitchHookInput,
  PreModelSwitchHookInput,
  SetupHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from './protocol/hook-session-inputs.js';
export type {
  AsyncHookJSONOutput,
  ContextHookSpecificOutput,
  CwdChangedHookSpecificOutput,
  ElicitationHookSpecificOutput,
  ElicitationResultHookSpecificOutput,
  FileChangedHookSpecificOutput,
  HookJSONOutput,
  HookPermissionDecision,
  HookSpecificOutput,
  MessageDisplayHookSpecificOutput,
  NotificationHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  PostModelSwitchHookSpecificOutput,
  PostToolBatchHookSpecificOutput,
  PostToolUseFailureHookSpecificOutput,
  PostToolUseHookSpecificOutput,
  PreModelSwitchHookSpecificOutput,
  PreToolUseHookSpecificOutput,
  SessionStartHookSpecificOutput,
  SetupHookSpecificOutput,
  StopHookSpecificOutput,
  SubagentStartHookSpecificOutput,
  SubagentStopHookSpecificOutput,
  SyncHookJSONOutput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  WorktreeCreateHookSpecificOutput,
} from './protocol/hook-outputs.js';
export type {
  HookCallback,
  HookCallbackMatcher,
  HookCallbackOptions,
  HookInput,
  HookInputMap,
} from './protocol/hook-payload.js';
export type {
  JSONRPCErrorResponse,
  JSONRPCId,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
} from './protocol/json-rpc.js';
export type {
  ElicitationRequest,
  ElicitationResult,
  McpClaudeAIProxyServerConfig,
  McpHttpServerConfig,
  McpManifestVerdict,
  McpSSEServerConfig,
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpServerInstance,
  McpServerManifest,
  McpServerStatus,
  McpServerStatusConfig,
  McpServerToolPolicy,
  McpSetServersResult,
  McpStdioServerConfig,
  OnElicitation,
  OnUserDialog,
  UserDialogRequest,
  UserDialogResult,
} from './protocol/mcp-config.js';
export type {
  ApiKeySource,
  FastModeState,
  McpServerProvenance,
  ModelUsage,
  SDKAssistantMessageError,
  SDKMessageOrigin,
  SDKPermissionDenial,
  SlashCommand,
  TerminalReason,
  Uuid,
} from './protocol/message-values.js';
export type {
  SDKAssistantMessage,
  SDKCommandLifecycleMessage,
  SDKConversationResetMessage,
  SDKPartialAssistantMessage,
  SDKPromptSuggestionMessage,
  SDKToolProgressMessage,
  SDKToolUseSummaryMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from './protocol/messages-conversation.js';
export type {
  SDKActiveGoalMessage,
  SDKAuthStatusMessage,
  SDKElicitationCompleteMessage,
  SDKFilesPersistedEvent,
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKMirrorErrorMessage,
  SDKNotificationMessage,
  SDKPermissionDeniedMessage,
  SDKPluginInstallMessage,
  SDKRateLimitEvent,
  SDKRateLimitInfo,
} from './protocol/messages-notice.js';
export type {
  SDKDeferredToolUse,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
} from './protocol/messages-result.js';
export type {
  SDKAPIRetryMessage,
  SDKCommandsChangedMessage,
  SDKCompactBoundaryMessage,
  SDKControlRequestProgressMessage,
  SDKMemoryRecallMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKSessionStateChangedMessage,
  SDKSessionTitleChangedMessage,
  SDKSessionWritesLostMessage,
  SDKStatus,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKThinkingTokensMessage,
  SDKWorkerShuttingDownMessage,
} from './protocol/messages-system.js';
export type {
  BackgroundTask,
  SDKBackgroundTasksChangedMessage,
  SDKHookProgressMessage,
  SDKHookResponseMessage,
  SDKHookStartedMessage,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
  TaskUsage,
} from './protocol/messages-task.js';
export type { SDKMessage } from './protocol/messages.js';
export type {
  CanUseTool,
  CanUseToolOptions,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionDecisionReasonType,
  PermissionMode,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from './protocol/permission-payload.js';
export type {
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from './protocol/sandbox-settings.js';
export type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionToStoreOptions,
  ListSessionsOptions,
  ListSubagentsOptions,
  SDKSessionInfo,
  SessionKey,
  SessionMessage,
  SessionMutationOptions,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from './protocol/session-payload.js';
export type { PermissionSettings, SettingSource, Settings } from './protocol/settings.js';
export type { CustomSystemPrompt, PresetSystemPrompt, SystemPrompt } from './protocol/system-prompt.js';
export { isAssistantMessage, isResultMessage, isSystemInit, isUserMessage } from './protocol/messages.js';
export type {
  AnyZodRawShape,
  BackgroundTaskSummary,
  BaseOutputFormat,
  ConfigScope,
  OutputFormatType,
  PostToolBatchToolCall,
  SdkBeta,
  SessionCronSummary,
  SessionStoreFlush,
  ThinkingAdaptive,
  ThinkingDisabled,
  ThinkingEnabled,
} from './protocol/option-values.js';
export type { FastModeDisabledReason, SDKStartupFailureReason } from './protocol/message-values.js';
export type { ProvenanceEntry, SettingsLayer } from './settings/resolve-settings.js';
export type { SDKContextUsage, SDKContextUsageCategory, SDKUsageReport } from './protocol/usage-report.js';
export type {
  SDKControlPermissionRulesState,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
  SDKSettingsParseError,
} from './protocol/permission-rules.js';
export type { SDKMcpResourceLink } from './protocol/messages-task.js';
