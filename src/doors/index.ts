// The door `inboard`: named exports only, no wildcard, nothing else. Heavy things load when they are used.
import { registerInspector } from '../live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { query } from '../verbs/query/query.js';
export type { Query, QueryInput } from '../verbs/query/query.js';
export { run } from '../verbs/query/run.js';
export type { RunInput, RunOutcome } from '../verbs/query/run.js';
export { startup } from '../verbs/fleet/startup.js';
export type { StartupInput, WarmQuery } from '../verbs/fleet/startup.js';
export type { SpareProcess } from '../verbs/fleet/prewarm.js';
export type { ClaimedSession, ClaimOptions } from '../verbs/fleet/claim.js';
export { openSession } from '../verbs/conversation/open-session.js';
export type { OpenSessionInput, Session } from '../verbs/conversation/open-session.js';
export type { SendOptions } from '../verbs/conversation/turns/withdrawals.js';
export type {
  CrashedEvent,
  RestartedEvent,
  SessionEvent,
  SessionState,
} from '../verbs/conversation/conversation-event.js';
export type { CompletedCall, CompletionKind } from '../wire/protocol/messages/completed-call.js';
export type { Resend, RestartPolicy } from '../verbs/conversation/restart-policy.js';
export type { Turn, TurnState } from '../verbs/conversation/turns/turn.js';
export type { MessageInput, UserContent } from '../live/input/user-message.js';
export { createWarmPool } from '../verbs/fleet/warm-pool.js';
export type { WarmPool, WarmPoolInput, WarmPoolStats } from '../verbs/fleet/warm-pool.js';
export { createSessionGroup } from '../verbs/fleet/session-group.js';
export type {
  GroupSessionInput,
  SessionGroup,
  SessionGroupInput,
  SessionGroupStats,
} from '../verbs/fleet/session-group.js';
export { outcomeOf } from '../live/output/outcome.js';
export type { Outcome } from '../live/output/outcome.js';
export type { TextStream, TextStreamOptions } from '../live/output/text-feed.js';
export type { OutcomeKind } from '../live/output/outcome-kind.js';
export type {
  CliCapabilities,
  ControlOptions,
  Controls,
  LooseReply,
  UnlistedControls,
} from '../live/controls/controls.js';
export type { QueryOptions, ToolReference } from '../live/tooling/name-tools.js';
export type { ReadyOptions } from '../live/tooling/await-tools.js';
export type { ServerReport } from '../answer/diagnosis/server-report.js';
export type { ToolLists } from '../live/tooling/tool-check.js';
export type { ToolReport } from '../live/tooling/tool-report.js';
export { diagnoseTool } from '../answer/diagnosis/diagnose-tool.js';
export type {
  ToolCause,
  ToolCauseKind,
  ToolDiagnosis,
  ToolFacts,
} from '../answer/diagnosis/diagnose-tool.js';
export type { DefinedTool, ToolLoading } from '../answer/mcp/tool/defined-tool.js';
export type { Prompt, PromptItem } from '../live/input/prompt-source.js';

export type { ToolClient } from '../answer/mcp/tool/tool-client.js';
export { tool } from '../answer/mcp/tool/tool.js';
export type { DefineTool } from '../answer/mcp/tool/tool.js';
export { createSdkMcpServer } from '../answer/mcp/server/create-sdk-mcp-server.js';
export type { CreateSdkMcpServerOptions, SdkMcpServer } from '../answer/mcp/server/create-sdk-mcp-server.js';
export { toolHook } from '../answer/hooks/tool-hook.js';
export type { ToolHookEvent, ToolHookInput } from '../answer/hooks/tool-hook.js';
export { allow, answerQuestions, deny } from '../answer/permissions/decisions.js';
export type { AllowOptions } from '../answer/permissions/decisions.js';
export { createApprovals } from '../answer/permissions/approvals/approvals.js';
export type { Approvals } from '../answer/permissions/approvals/approvals.js';
export type { ApprovalsOptions } from '../answer/permissions/approvals/approvals-options.js';
export type { ApprovalContext, ApprovalRequest } from '../answer/permissions/approvals/question-names.js';
export type { FileApprovalStoreOptions } from '../answer/permissions/approvals/file-store-options.js';
export { createMemoryApprovalStore } from '../answer/permissions/approvals/memory-approval-store.js';
export type {
  Approval,
  ApprovalAnswer,
  ApprovalQuestion,
  ApprovalStore,
} from '../answer/permissions/approvals/approval.js';
export { answerPermission } from '../answer/permissions/permission-questions.js';
export type { PendingPermission } from '../answer/permissions/permission-questions.js';
export { replayPermissions } from '../answer/permissions/replay-permissions.js';
export type {
  AskedPermission,
  PermissionLookup,
  RecordedDecision,
} from '../answer/permissions/replay-permissions.js';
export { mcpPrompt } from '../answer/mcp/prompts/mcp-prompt.js';
export type { DefinePrompt } from '../answer/mcp/prompts/mcp-prompt.js';
export type {
  FilledPrompt,
  GetPromptResult,
  PromptContext,
  PromptDefinition,
  PromptExtras,
  PromptMessage,
} from '../answer/mcp/prompts/prompts.js';
export type { Completer, Completers, CompletionContext } from '../answer/mcp/prompts/completers.js';
export { mcpResource } from '../answer/mcp/resources/mcp-resource.js';
export type { DefineResource, ReaderOf, ResourceExtras } from '../answer/mcp/resources/mcp-resource.js';
export type {
  ListedResource,
  ReadResource,
  ReadResourceResult,
  ResourceContext,
  ResourceDefinition,
  ResourceMetadata,
} from '../answer/mcp/resources/resources.js';
export type { UriVariablesOf } from '../answer/mcp/resources/uri-template.js';
export { toolName } from '../answer/mcp/tool/tool-name.js';
export type { ToolName } from '../answer/mcp/tool/tool-name.js';
export { audio, errorResult, image, resource } from '../answer/mcp/result/content-helpers.js';
export type {
  AudioContent,
  CallToolResult,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  ToolContent,
} from '../answer/mcp/result/tool-content.js';
export type { ToolContext } from '../answer/mcp/tool/tool-context.js';
export type { CallIdentity } from '../wire/protocol/call-identity.js';
export type {
  CompleteToolDefinition,
  SdkMcpToolDefinition,
  ToolAnnotations,
  ToolExtras,
  ToolOptions,
} from '../answer/mcp/tool/tool-definition.js';
export type {
  AroundTool,
  AroundToolCall,
  SessionToolEvent,
  ToolEvent,
  ToolEventSource,
  ToolProgress,
} from '../answer/mcp/tool/tool-events.js';
export type { RepeatPolicy } from '../answer/mcp/tool/repeat-policy.js';
export type { RetryPolicy, ToolLimits } from '../answer/mcp/tool/limits.js';
export type { RegisteredResource, RegisteredTool, ToolServer } from '../answer/mcp/server/tool-server.js';
export type {
  AnySchema,
  InferInput,
  InferOutput,
  InferOutput as InferShape,
} from '../answer/schema/infer.js';

export type {
  JsonSchemaOutputFormat,
  Options,
  OutputFormat,
  ThinkingConfig,
  ThinkingDisplay,
  ToolConfig,
} from '../options/options.js';
export type { WireListener } from '../record/trace/recorder/tap-transport.js';
export type { TraceOption, TraceOptions } from '../record/trace/recorder/trace-option.js';
export type { TraceSink } from '../record/trace/recorder/trace-sink.js';
export type { RedactOptions } from '../record/trace/recorder/redact.js';
export type {
  RestoredFiles,
  TerminateOptions,
  Transport,
  TransportEnd,
  TransportFactory,
  TransportReceiver,
  TransportRequest,
} from '../wire/transport/transport.js';
export type { InboardWarning, OptionWarningCode, SessionWarningCode } from '../options/check/warning.js';
export type { WhenHostDies } from '../wire/process/run/host-death.js';
export type { ProcessSpawner, SpawnedProcess, SpawnOptions } from '../wire/process/run/spawner.js';

export { UsageLedger } from '../record/usage/usage-ledger.js';
export type {
  OpenTurnUsage,
  ThresholdNotice,
  TurnUsage,
  UsageLedgerOptions,
  UsageReport,
} from '../record/usage/usage-ledger.js';
export type { UsageDisagreement } from '../record/usage/usage-check.js';
export type { ModelPrice, PriceTable, UsageCount } from '../record/usage/usage-count.js';
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
export type { SessionChoice } from '../lifetime/choose-sessions.js';
export type {
  ApprovalPlace,
  DeletedSessionData,
  DeleteSessionDataOptions,
  FindSessionDataOptions,
  KeptReason,
  KeptSessionData,
  SessionData,
  SessionDataFilter,
  SessionDataItem,
  SessionDataKind,
  SessionDataProblem,
  SessionStorePlace,
} from '../lifetime/session-data.js';
export { transcriptState } from '../record/history/transcript/transcript-state.js';
export type { OpenToolCall, TranscriptState } from '../record/history/transcript/transcript-state.js';
export { foldSessionSummary } from '../record/history/store/fold-session-summary.js';
export { InMemorySessionStore } from '../record/history/store/in-memory-session-store.js';
export { createMemoryCallRecords } from '../record/calls/memory-call-records.js';
export type { MemoryCallRecordsOptions } from '../record/calls/memory-call-records.js';
export type { FileCallRecords, FileCallRecordsOptions } from '../record/calls/file/file-call-records.js';
export type { CompactCallRecordsOptions } from '../record/calls/file/compact-call-log.js';
export type {
  ResolvedSettings,
  ResolvedSettingSource,
  ResolveSettingsOptions,
  SettingOrigin,
} from '../record/settings/resolve-settings.js';
export type { PolicySettingsOrigin } from '../record/settings/choose-policy.js';
export type { SettingsProblem } from '../record/settings/read-settings.js';
export {
  createOutputReader,
  outputFormatOf,
  readStructuredOutput,
} from '../live/output/structured-output.js';
export type { OutputOf, OutputReader } from '../live/output/structured-output.js';
export type { OutputReading } from '../live/output/read-output.js';
export type { ModelShare } from '../record/usage/usage-totals.js';
export { filterEscalatingDefaultMode } from '../record/settings/filter-escalating-default-mode.js';
export type { DeniedModelsMatch } from '../record/settings/match-denied-models.js';
export {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from '../wire/protocol/cli-facts.js';

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
} from '../errors.js';
export type {
  ClaimRefusal,
  ErrorFacts,
  ErrorPhase,
  HookFault,
  LaunchFailure,
  LoadFault,
  OtherFailure,
  OutputIssue,
  RunFailure,
  TraceFault,
  WireFault,
} from '../errors.js';

export { EXIT_REASONS, HOOK_EVENTS } from '../wire/protocol/hooks/hook-callback.js';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '../wire/protocol/config/option-values.js';
export type { ContentBlockParam, MessageParam } from '../wire/protocol/api/api-input.js';
export type {
  CacheControl,
  DocumentBlockParam,
  DocumentSource,
  ImageBlockParam,
  ImageMediaType,
  ImageSource,
  SearchResultBlockParam,
  TextBlockParam,
  ToolReferenceBlockParam,
  ToolResultBlockParam,
} from '../wire/protocol/api/api-input-blocks.js';
export type {
  PastBlockParam,
  ServerToolResult as ServerToolResultParam,
  ServerToolUseBlockParam,
  ToolUseBlockParam,
} from '../wire/protocol/api/api-past-blocks.js';
export type { ApiMessage, NonNullableUsage, StopReason, Usage } from '../wire/protocol/api/api-message.js';
export type {
  ContentBlock,
  McpToolUseBlock,
  OtherBlock,
  RedactedThinkingBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from '../wire/protocol/api/api-blocks.js';
export type {
  ContentBlockDelta,
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  MessageDeltaEvent,
  MessageStartEvent,
  MessageStopEvent,
  RawMessageStreamEvent,
} from '../wire/protocol/api/api-stream.js';
export type {
  AgentDefinition,
  AgentMcpServerSpec,
  EffortLevel,
} from '../wire/protocol/config/agent-definition.js';
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
} from '../wire/protocol/control/control-replies.js';
export type {
  SDKControlGetContextUsageResponse,
  SDKControlGetUsageResponse,
} from '../wire/protocol/control/usage-replies.js';
export type {
  InitializeRequest,
  SDKControlInitializeRequest,
  SdkPluginConfig,
} from '../wire/protocol/control/initialize.js';
export type {
  AccountInfo,
  AgentInfo,
  InitializeResponse,
  ModelInfo,
  SDKControlInitializeResponse,
} from '../wire/protocol/control/initialize-reply.js';
export type {
  ControlRequestFields,
  ControlRequestMap,
  ControlRequestResponse,
  ControlRequestSubtype,
  FileSuggestion,
  FlagSettingsPatch,
  InboundRequestMap,
  InboundRequestSubtype,
  SDKControlMcpCallResponse,
  SDKControlRequestInner,
} from '../wire/protocol/control/control.js';
export type {
  ControlErrorResponse,
  ControlResponse,
  SDKControlCancelRequest,
  SDKControlRequest,
  SDKControlResponse,
  SDKKeepAliveMessage,
  StdinMessage,
  StdoutMessage,
} from '../wire/protocol/control/control-frames.js';
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
} from '../wire/protocol/hooks/hook-inputs.js';
export type {
  BackgroundTaskSummary,
  SessionCronSummary,
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
} from '../wire/protocol/hooks/hook-stop-inputs.js';
export type {
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
} from '../wire/protocol/hooks/hook-tool-inputs.js';
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
} from '../wire/protocol/hooks/hook-environment-inputs.js';
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
} from '../wire/protocol/hooks/hook-outputs.js';
export type {
  AsyncHookJSONOutput,
  HookCallback,
  HookCallbackMatcher,
  HookCallbackOptions,
  HookFailure,
  HookJSONOutput,
  SyncHookJSONOutput,
} from '../wire/protocol/hooks/hook-callback.js';
export type {
  HookEvent,
  HookInput,
  HookInputMap,
  HookSpecificOutput,
} from '../wire/protocol/hooks/hook-events.js';
export type {
  JSONRPCErrorResponse,
  JSONRPCId,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
} from '../wire/protocol/json-rpc.js';
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
} from '../wire/protocol/config/mcp-config.js';
export type {
  McpClaudeAIProxyServerConfig,
  McpManifestVerdict,
  McpServerStatus,
  McpServerStatusConfig,
  McpSetServersResult,
} from '../wire/protocol/config/mcp-status.js';
export type {
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  OnUserDialog,
  UserDialogRequest,
  UserDialogResult,
} from '../wire/protocol/config/user-questions.js';
export type {
  ApiKeySource,
  FastModeState,
  McpServerProvenance,
  SDKMessageOrigin,
  SDKPermissionDenial,
  SlashCommand,
  Uuid,
} from '../wire/protocol/messages/message-values.js';
export type { SDKAssistantMessageError, TerminalReason } from '../wire/protocol/messages/failure-reasons.js';
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
} from '../wire/protocol/messages/messages-conversation.js';
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
} from '../wire/protocol/messages/messages-notice.js';
export type {
  SDKDeferredToolUse,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
} from '../wire/protocol/messages/messages-result.js';
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
} from '../wire/protocol/messages/messages-system.js';
export type {
  SDKAPIRetryMessage,
  SDKCompactBoundaryMessage,
  SDKMemoryRecallMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKThinkingTokensMessage,
} from '../wire/protocol/messages/messages-model.js';
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
} from '../wire/protocol/messages/messages-task.js';
export type { SDKMessage } from '../wire/protocol/messages/messages.js';
export type {
  PermissionBehavior,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from '../wire/protocol/control/permissions.js';
export type {
  CanUseTool,
  CanUseToolOptions,
  PermissionDecisionClassification,
  PermissionDecisionReasonType,
  PermissionResult,
} from '../wire/protocol/control/permission-question.js';
export type {
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from '../wire/protocol/config/sandbox-settings.js';
export type {
  CallClaim,
  CallFact,
  CallRecords,
  HeldClaim,
  RecordedCall,
  RecordedQuestion,
  RecordedResult,
} from '../wire/protocol/config/call-records.js';
export type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from '../wire/protocol/config/session-store.js';
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
} from '../wire/protocol/config/past-sessions.js';
export type { PermissionSettings, SettingSource, Settings } from '../wire/protocol/config/settings.js';
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
} from '../wire/protocol/config/option-values.js';
export {
  isAssistantMessage,
  isResultMessage,
  isSystemInit,
  isUserMessage,
} from '../wire/protocol/messages/messages.js';
export type {
  FastModeDisabledReason,
  SDKStartupFailureReason,
} from '../wire/protocol/messages/failure-reasons.js';
export type { ProvenanceEntry, SettingsLayer } from '../record/settings/resolve-settings.js';
export type {
  ModelUsage,
  SDKContextUsage,
  SDKContextUsageCategory,
  SDKUsageReport,
} from '../wire/protocol/messages/usage-report.js';
export type {
  SDKControlPermissionRulesState,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
  SDKSettingsParseError,
} from '../wire/protocol/control/permissions.js';
export type { SDKMcpResourceLink } from '../wire/protocol/messages/messages-task.js';

// What the types above are made of: nobody starts here, and whoever follows them finds it.
export type { JsonSchema } from '../answer/schema/compiled-schema.js';
export type { TypedSchema } from '../answer/schema/infer.js';
export type { OwnMessage, OwnUsage } from '../wire/protocol/api/api-message.js';
export type { ApiDetail, OwnContentBlock } from '../wire/protocol/api/api-blocks.js';
export type { OwnBlockDelta, OwnStreamEvent } from '../wire/protocol/api/api-stream.js';
export type { OwnBlockParam, OwnMessageParam } from '../wire/protocol/api/api-input.js';
export type { ToolResultContent } from '../wire/protocol/api/api-input-blocks.js';
export type { EventInput as HookEventInput } from '../wire/protocol/hooks/hook-inputs.js';
export type { ToolCall as HookToolCall } from '../wire/protocol/hooks/hook-tool-inputs.js';
export type {
  ModelSwitch as HookModelSwitch,
  TaskFacts as HookTaskFacts,
} from '../wire/protocol/hooks/hook-environment-inputs.js';
export type { TurnEnd as HookTurnEnd } from '../wire/protocol/hooks/hook-stop-inputs.js';
export type {
  HookCallbackRequest,
  HookMatcherRegistration,
  HookRegistrations,
} from '../wire/protocol/hooks/hook-callback.js';
export type { HookWarning } from '../answer/hooks/hook-warnings.js';
export type { LogLevel, ToolEventBody, ToolWarning } from '../answer/mcp/tool/tool-events.js';
export type {
  FullKeys as CompleteToolKeys,
  Handling as ToolHandling,
  InlineTool,
  PlainTool,
  StructuredReturn,
} from '../answer/mcp/tool/tool-definition.js';
export type {
  ResultParser,
  ServerNotification,
  ServerRequest,
  ServerRequestOptions,
} from '../answer/mcp/tool/tool-context.js';
export type { BinaryData, ResourceContents } from '../answer/mcp/result/tool-content.js';
export type { PlainPrompt } from '../answer/mcp/prompts/prompts.js';
export type {
  TemplateExtras as ResourceTemplateExtras,
  UriTemplate,
  UriVariables,
} from '../answer/mcp/resources/resources.js';
export type { RequestContext as McpRequestContext } from '../answer/mcp/server/request-context.js';
export type { McpTransport } from '../answer/mcp/server/connect-transport.js';
export type {
  PromptConfig as RegisteredPromptConfig,
  ToolChanges,
  ToolConfig as RegisteredToolConfig,
} from '../answer/mcp/server/tool-server.js';
export type { VariadicPart as ToolServerToolPart } from '../answer/mcp/server/variadic-tool.js';
export type { RemoteServer as McpRemoteServerConfig } from '../wire/protocol/config/mcp-config.js';
export type { SandboxSecret } from '../wire/protocol/config/sandbox-settings.js';
export type { SettingsHookMatcher } from '../wire/protocol/config/settings.js';
export type { TranscriptMirrorFrame } from '../wire/protocol/config/session-store.js';
export type { PendingRequests } from '../wire/protocol/control/control-frames.js';
export type {
  Acknowledged,
  ElicitationWireRequest,
  InboundRequest,
} from '../wire/protocol/control/control.js';
export type { ClaimSessionRequest } from '../wire/protocol/control/initialize.js';
export type { SDKControlClaimSessionResponse } from '../wire/protocol/control/initialize-reply.js';
export type { CanUseToolRequest } from '../wire/protocol/control/permission-question.js';
export type { PlanLimit } from '../wire/protocol/control/usage-replies.js';
export type {
  ExtraUsage,
  SessionTotals as SDKSessionTotals,
} from '../wire/protocol/messages/usage-report.js';
export type {
  MessageEnvelope as SDKMessageEnvelope,
  OpenString,
  SystemMessage as SDKSystemEnvelope,
} from '../wire/protocol/messages/message-values.js';
export type { ResultTotals as SDKResultTotals } from '../wire/protocol/messages/messages-result.js';
export type {
  HookOutput as SDKHookOutput,
  HookRun as SDKHookRun,
} from '../wire/protocol/messages/messages-task.js';
export type { AsyncReader } from '../util/queues/async-queue.js';
export type { PromptStream } from '../live/input/prompt-source.js';
export type { ThinkingDisplayChange } from '../live/controls/controls.js';
export type { Runtime } from '../wire/process/find/host-runtime.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
