// The entry point `inboard`. It has only named exports, without wildcards. `load-on-use` has the functions whose code is loaded
// when they are called.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { query } from '@inboard/core/verbs/query/query.js';
export type { Query, QueryInput } from '@inboard/core/verbs/query/query.js';
export { run } from '@inboard/core/verbs/query/run.js';
export type { RunInput, RunOutcome } from '@inboard/core/verbs/query/run.js';
export { startup } from '@inboard/core/verbs/fleet/startup.js';
export type { StartupInput, WarmQuery } from '@inboard/core/verbs/fleet/startup.js';
export type { SpareProcess } from '@inboard/core/verbs/fleet/prewarm.js';
export type { ClaimedSession, ClaimOptions } from '@inboard/core/verbs/fleet/claim.js';
export { openSession } from '@inboard/core/verbs/conversation/open-session.js';
export type { OpenSessionInput, Session } from '@inboard/core/verbs/conversation/open-session.js';
export type { SendOptions } from '@inboard/core/verbs/conversation/turns/withdrawals.js';
export type { SessionEvent, SessionState } from '@inboard/core/verbs/conversation/conversation-event.js';
export type { CompletedCall } from '@inboard/core/wire/protocol/messages/completed-call.js';
export type { RestartPolicy } from '@inboard/core/verbs/conversation/restart-policy.js';
export type { Turn, TurnState } from '@inboard/core/verbs/conversation/turns/turn.js';
export type { MessageInput, UserContent } from '@inboard/core/live/input/user-message.js';
export { createWarmPool } from '@inboard/core/verbs/fleet/warm-pool.js';
export type { WarmPool, WarmPoolInput } from '@inboard/core/verbs/fleet/warm-pool.js';
export { createSessionGroup } from '@inboard/core/verbs/fleet/session-group.js';
export type {
  GroupSessionInput,
  SessionGroup,
  SessionGroupInput,
} from '@inboard/core/verbs/fleet/session-group.js';
export { outcomeOf } from '@inboard/core/live/output/outcome.js';
export type { Outcome } from '@inboard/core/live/output/outcome.js';
export type { TextStream } from '@inboard/core/live/output/text-feed.js';
export type { OutcomeKind } from '@inboard/core/live/output/outcome-kind.js';
export type { Controls } from '@inboard/core/live/controls/controls.js';
export type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
export type { ToolReport } from '@inboard/core/live/tooling/tool-report.js';
export { diagnoseTool } from '@inboard/core/answer/diagnosis/diagnose-tool.js';
export type { ToolDiagnosis } from '@inboard/core/answer/diagnosis/diagnose-tool.js';
export type { DefinedTool } from '@inboard/core/answer/mcp/tool/defined-tool.js';
export type { Prompt } from '@inboard/core/live/input/prompt-source.js';

export type { ToolClient } from '@inboard/core/answer/mcp/tool/tool-client.js';
export { tool } from '@inboard/core/answer/mcp/tool/tool.js';
export { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
export type { SdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
export { toolHook } from '@inboard/core/answer/hooks/tool-hook.js';
export type { ToolHookInput } from '@inboard/core/answer/hooks/tool-hook.js';
export { allow, answerQuestions, deny } from '@inboard/core/answer/permissions/decisions.js';
export { createApprovals } from '@inboard/core/answer/permissions/approvals/approvals.js';
export type { Approvals } from '@inboard/core/answer/permissions/approvals/approvals.js';
export type { ApprovalsOptions } from '@inboard/core/answer/permissions/approvals/approvals-options.js';
export { createMemoryApprovalStore } from '@inboard/core/answer/permissions/approvals/memory-approval-store.js';
export type {
  Approval,
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalStore,
} from '@inboard/core/answer/permissions/approvals/approval.js';
export { answerPermission } from '@inboard/core/answer/permissions/permission-questions.js';
export type { PendingPermission } from '@inboard/core/answer/permissions/open-permission.js';
export { replayPermissions } from '@inboard/core/answer/permissions/replay-permissions.js';
export { mcpPrompt } from '@inboard/core/answer/mcp/prompts/mcp-prompt.js';
export type { PromptContext } from '@inboard/core/answer/mcp/prompts/prompts.js';
export { mcpResource } from '@inboard/core/answer/mcp/resources/mcp-resource.js';
export type { ResourceContext } from '@inboard/core/answer/mcp/resources/resources.js';
export { toolName } from '@inboard/core/answer/mcp/tool/tool-name.js';
export { audio, errorResult, image, resource } from '@inboard/core/answer/mcp/result/content-helpers.js';
export { createCalls } from '@inboard/core/calls/pending/create-calls.js';
export type { Calls, PendingCall } from '@inboard/core/calls/pending/calls.js';
export type { PendingResult } from '@inboard/core/answer/mcp/result/pending.js';
export { pending } from '@inboard/core/answer/mcp/result/pending.js';
export type { CallToolResult, ToolContent } from '@inboard/core/answer/mcp/result/tool-content.js';
export type { HandlerExtra } from '@inboard/core/answer/mcp/tool/handler-extra.js';
export type {
  SdkMcpToolDefinition,
  ToolAnnotations,
  ToolExtras,
  ToolOptions,
} from '@inboard/core/answer/mcp/tool/tool-definition.js';
export type {
  AroundTool,
  AroundToolCall,
  SessionToolEvent,
  ToolEvent,
  ToolProgress,
} from '@inboard/core/answer/mcp/tool/tool-events.js';
export type { RepeatPolicy } from '@inboard/core/answer/mcp/tool/repeat-policy.js';
export type { RetryPolicy, ToolLimits } from '@inboard/core/answer/mcp/tool/limits.js';
export type { ToolServer } from '@inboard/core/answer/mcp/server/tool-server.js';
export type {
  AnySchema,
  InferInput,
  InferOutput,
  InferOutput as InferShape,
} from '@inboard/core/answer/schema/infer.js';

export type {
  JsonSchemaOutputFormat,
  Options,
  OutputFormat,
  ThinkingConfig,
  ThinkingDisplay,
  ToolConfig,
} from '@inboard/core/options/options.js';
export type { WireListener } from '@inboard/core/record/trace/recorder/tap-transport.js';
export type { TraceOption, TraceOptions } from '@inboard/core/record/trace/recorder/trace-option.js';
export type { TraceSink } from '@inboard/core/record/trace/recorder/trace-sink.js';
export type { RedactOptions } from '@inboard/core/record/trace/recorder/redact.js';
export type { Transport, TransportFactory } from '@inboard/core/wire/transport/transport.js';
export type { InboardWarning } from '@inboard/core/options/check/warning.js';
export type { WhenHostDies } from '@inboard/core/wire/process/run/host-death.js';
export type { ProcessSpawner, SpawnedProcess, SpawnOptions } from '@inboard/core/wire/process/run/spawner.js';

export { UsageLedger } from '@inboard/core/record/usage/usage-ledger.js';
export type { TurnUsage, UsageLedgerOptions, UsageReport } from '@inboard/core/record/usage/usage-ledger.js';
export type { PriceTable } from '@inboard/core/record/usage/usage-count.js';
export {
  archiveSession,
  createFileApprovalStore,
  createFileCallRecords,
  deleteSession,
  deleteSessionData,
  findSessionData,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  getTranscriptState,
  importSessionToStore,
  listSessions,
  listSubagents,
  matchDeniedModels,
  prewarm,
  renameSession,
  resolveSettings,
  tagSession,
  unarchiveSession,
} from './load-on-use.js';
export type { SessionData } from '@inboard/core/lifetime/session-data.js';
export type { TranscriptState } from '@inboard/core/record/history/transcript/transcript-state.js';
export { foldSessionSummary } from '@inboard/core/record/history/store/fold-session-summary.js';
export { InMemorySessionStore } from '@inboard/core/record/history/store/in-memory-session-store.js';
export { createMemoryCallRecords } from '@inboard/core/record/calls/memory-call-records.js';
export type {
  ResolvedSettings,
  ResolvedSettingSource,
  ResolveSettingsOptions,
  SettingOrigin,
} from '@inboard/core/record/settings/resolve-settings.js';
export type { PolicySettingsOrigin } from '@inboard/core/record/settings/choose-policy.js';
export type { SettingsProblem } from '@inboard/core/record/settings/read-settings.js';
export { createOutputReader } from '@inboard/core/live/output/structured-output.js';
export type { OutputReader } from '@inboard/core/live/output/structured-output.js';
export type { OutputReading } from '@inboard/core/live/output/read-output.js';
export { filterEscalatingDefaultMode } from '@inboard/core/record/settings/filter-escalating-default-mode.js';
export type { DeniedModelsMatch } from '@inboard/core/record/settings/match-denied-models.js';
export {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from '@inboard/core/wire/protocol/cli-facts.js';

export {
  AbortError,
  CallError,
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
  MessageIgnoredError,
  OutputValidationError,
  PartLoadError,
  PermissionUnavailableError,
  ProcessExitError,
  ReplayError,
  ResultError,
  RunError,
  SchemaError,
  SessionClosedError,
  SessionNotFoundError,
  SessionStoreError,
  StalledError,
  StoredFormatError,
  ToolResultError,
  ToolServerNotFoundError,
  ToolsNotReadyError,
  ToolTimeoutError,
  TraceError,
  TurnLostError,
  UnsupportedOptionError,
  WireError,
} from '@inboard/core/errors.js';

export { EXIT_REASONS, HOOK_EVENTS } from '@inboard/core/wire/protocol/hooks/hook-callback.js';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '@inboard/core/wire/protocol/config/option-values.js';
export type { ContentBlockParam, MessageParam } from '@inboard/core/wire/protocol/api/api-input.js';
export type {
  ImageBlockParam,
  TextBlockParam,
  ToolReferenceBlockParam,
  ToolResultBlockParam,
} from '@inboard/core/wire/protocol/api/api-input-blocks.js';
export type {
  ApiMessage,
  NonNullableUsage,
  StopReason,
  Usage,
} from '@inboard/core/wire/protocol/api/api-message.js';
export type {
  ContentBlock,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from '@inboard/core/wire/protocol/api/api-blocks.js';
export type { ContentBlockDelta, RawMessageStreamEvent } from '@inboard/core/wire/protocol/api/api-stream.js';
export type {
  AgentDefinition,
  AgentMcpServerSpec,
  EffortLevel,
} from '@inboard/core/wire/protocol/config/agent-definition.js';
export type {
  McpStatusResponse,
  RewindFilesResult,
  SDKControlGetHooksListingResponse,
  SDKControlGetSettingsResponse,
  SDKControlGetTaskOutputResponse,
  SDKControlInterruptResponse,
  SDKControlListPermissionRulesResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from '@inboard/core/wire/protocol/control/control-replies.js';
export type {
  SDKControlGetContextUsageResponse,
  SDKControlGetUsageResponse,
} from '@inboard/core/wire/protocol/control/usage-replies.js';
export type {
  InitializeRequest,
  SDKControlInitializeRequest,
  SdkPluginConfig,
} from '@inboard/core/wire/protocol/control/initialize.js';
export type {
  AccountInfo,
  AgentInfo,
  InitializeResponse,
  ModelInfo,
  SDKControlInitializeResponse,
} from '@inboard/core/wire/protocol/control/initialize-reply.js';
export type {
  FileSuggestion,
  FlagSettingsPatch,
  SDKControlMcpCallResponse,
  SDKControlRequestInner,
} from '@inboard/core/wire/protocol/control/control.js';
export type {
  ControlErrorResponse,
  ControlResponse,
  SDKControlCancelRequest,
  SDKControlRequest,
  SDKControlResponse,
  SDKKeepAliveMessage,
  StdinMessage,
  StdoutMessage,
} from '@inboard/core/wire/protocol/control/control-frames.js';
export type {
  BaseHookInput,
  ExitReason,
  NotificationHookInput,
  PostCompactHookInput,
  PreCompactHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from '@inboard/core/wire/protocol/hooks/hook-inputs.js';
export type {
  BackgroundTaskSummary,
  SessionCronSummary,
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
} from '@inboard/core/wire/protocol/hooks/hook-stop-inputs.js';
export type {
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
} from '@inboard/core/wire/protocol/hooks/hook-tool-inputs.js';
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
} from '@inboard/core/wire/protocol/hooks/hook-environment-inputs.js';
export type {
  ContextHookSpecificOutput,
  CwdChangedHookSpecificOutput,
  ElicitationHookSpecificOutput,
  ElicitationResultHookSpecificOutput,
  FileChangedHookSpecificOutput,
  HookPermissionDecision,
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
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  WorktreeCreateHookSpecificOutput,
} from '@inboard/core/wire/protocol/hooks/hook-outputs.js';
export type {
  AsyncHookJSONOutput,
  HookCallback,
  HookCallbackMatcher,
  HookCallbackOptions,
  HookFailure,
  HookJSONOutput,
  SyncHookJSONOutput,
} from '@inboard/core/wire/protocol/hooks/hook-callback.js';
export type {
  HookEvent,
  HookInput,
  HookInputMap,
  HookSpecificOutput,
} from '@inboard/core/wire/protocol/hooks/hook-events.js';
export type {
  McpHttpServerConfig,
  McpSSEServerConfig,
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpServerInstance,
  McpServerManifest,
  McpServerToolPolicy,
  McpStdioServerConfig,
} from '@inboard/core/wire/protocol/config/mcp-config.js';
export type {
  McpClaudeAIProxyServerConfig,
  McpManifestVerdict,
  McpServerStatus,
  McpServerStatusConfig,
  McpSetServersResult,
} from '@inboard/core/wire/protocol/config/mcp-status.js';
export type {
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  OnUserDialog,
  UserDialogRequest,
  UserDialogResult,
} from '@inboard/core/wire/protocol/config/user-questions.js';
export type {
  ApiKeySource,
  FastModeState,
  McpServerProvenance,
  SDKMessageOrigin,
  SDKPermissionDenial,
  SlashCommand,
  Uuid,
} from '@inboard/core/wire/protocol/messages/message-values.js';
export type {
  SDKAssistantMessageError,
  TerminalReason,
} from '@inboard/core/wire/protocol/messages/failure-reasons.js';
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
} from '@inboard/core/wire/protocol/messages/messages-conversation.js';
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
} from '@inboard/core/wire/protocol/messages/messages-notice.js';
export type {
  SDKDeferredToolUse,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
} from '@inboard/core/wire/protocol/messages/messages-result.js';
export type {
  SDKCommandsChangedMessage,
  SDKControlRequestProgressMessage,
  SDKSessionStateChangedMessage,
  SDKSessionTitleChangedMessage,
  SDKSessionWritesLostMessage,
  SDKStatus,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKWorkerShuttingDownMessage,
} from '@inboard/core/wire/protocol/messages/messages-system.js';
export type {
  SDKAPIRetryMessage,
  SDKCompactBoundaryMessage,
  SDKMemoryRecallMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKThinkingTokensMessage,
} from '@inboard/core/wire/protocol/messages/messages-model.js';
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
} from '@inboard/core/wire/protocol/messages/messages-task.js';
export type { SDKMessage } from '@inboard/core/wire/protocol/messages/messages.js';
export type {
  PermissionBehavior,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from '@inboard/core/wire/protocol/control/permissions.js';
export type {
  CanUseTool,
  CanUseToolOptions,
  PermissionDecisionClassification,
  PermissionDecisionReasonType,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';
export type {
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from '@inboard/core/wire/protocol/config/sandbox-settings.js';
export type { CallClaim, CallFact, CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
export type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from '@inboard/core/wire/protocol/config/session-store.js';
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
  SessionMessage,
  SessionMutationOptions,
} from '@inboard/core/wire/protocol/config/past-sessions.js';
export type {
  PermissionSettings,
  SettingSource,
  Settings,
} from '@inboard/core/wire/protocol/config/settings.js';
export type {
  AnyZodRawShape,
  BaseOutputFormat,
  ConfigScope,
  CustomSystemPrompt,
  OutputFormatType,
  PresetSystemPrompt,
  SdkBeta,
  SessionStoreFlush,
  SystemPrompt,
  ThinkingAdaptive,
  ThinkingDisabled,
  ThinkingEnabled,
} from '@inboard/core/wire/protocol/config/option-values.js';
export {
  isAssistantMessage,
  isResultMessage,
  isSystemInit,
  isUserMessage,
} from '@inboard/core/wire/protocol/messages/messages.js';
export type {
  FastModeDisabledReason,
  SDKStartupFailureReason,
} from '@inboard/core/wire/protocol/messages/failure-reasons.js';
export type { ProvenanceEntry } from '@inboard/core/record/settings/resolve-settings.js';
export type {
  ModelUsage,
  SDKContextUsage,
  SDKContextUsageCategory,
  SDKUsageReport,
} from '@inboard/core/wire/protocol/messages/usage-report.js';
export type {
  SDKControlPermissionRulesState,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
  SDKSettingsParseError,
} from '@inboard/core/wire/protocol/control/permissions.js';
export type { SDKMcpResourceLink } from '@inboard/core/wire/protocol/messages/messages-task.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
