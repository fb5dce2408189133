// The entry point `inboard/types`: parts of the types of `inboard`. Programs seldom name them, but an editor follows a type to them, and a
// program that builds on this package may have to.
export type { CrashedEvent, RestartedEvent } from '@inboard/core/verbs/conversation/conversation-event.js';
export type { CompletionKind } from '@inboard/core/wire/protocol/messages/completed-call.js';
export type { Resend } from '@inboard/core/verbs/conversation/restart-policy.js';
export type { WarmPoolStats } from '@inboard/core/verbs/fleet/warm-pool.js';
export type { SessionGroupStats } from '@inboard/core/verbs/fleet/session-group.js';
export type { TextStreamOptions } from '@inboard/core/live/output/text-feed.js';
export type {
  CliCapabilities,
  ControlOptions,
  LooseReply,
  UnlistedControls,
  ThinkingDisplayChange,
} from '@inboard/core/live/controls/controls.js';
export type { ToolReference } from '@inboard/core/live/tooling/name-tools.js';
export type { ReadyOptions } from '@inboard/core/live/tooling/await-tools.js';
export type { ServerReport } from '@inboard/core/answer/diagnosis/server-report.js';
export type { ToolLists } from '@inboard/core/live/tooling/tool-check.js';
export type { ToolCause, ToolCauseKind, ToolFacts } from '@inboard/core/answer/diagnosis/diagnose-tool.js';
export type { ToolLoading } from '@inboard/core/answer/mcp/tool/defined-tool.js';
export type { PromptItem, PromptStream } from '@inboard/core/live/input/prompt-source.js';
export type { DefineTool } from '@inboard/core/answer/mcp/tool/tool.js';
export type { CreateSdkMcpServerOptions } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
export type { ToolHookEvent } from '@inboard/core/answer/hooks/tool-hook.js';
export type { AllowOptions } from '@inboard/core/answer/permissions/decisions.js';
export type {
  ApprovalContext,
  ApprovalRequest,
} from '@inboard/core/answer/permissions/approvals/question-names.js';
export type { FileApprovalStoreOptions } from '@inboard/core/answer/permissions/approvals/file-store-options.js';
export type {
  AskedPermission,
  PermissionLookup,
  RecordedDecision,
} from '@inboard/core/answer/permissions/replay-permissions.js';
export type { DefinePrompt } from '@inboard/core/answer/mcp/prompts/mcp-prompt.js';
export type {
  FilledPrompt,
  GetPromptResult,
  PromptDefinition,
  PromptExtras,
  PromptMessage,
  PlainPrompt,
} from '@inboard/core/answer/mcp/prompts/prompts.js';
export type {
  Completer,
  Completers,
  CompletionContext,
} from '@inboard/core/answer/mcp/prompts/completers.js';
export type {
  DefineResource,
  ReaderOf,
  ResourceExtras,
} from '@inboard/core/answer/mcp/resources/mcp-resource.js';
export type {
  ListedResource,
  ReadResource,
  ReadResourceResult,
  ResourceDefinition,
  ResourceMetadata,
  ResourceTemplateExtras,
  UriTemplate,
  UriVariables,
} from '@inboard/core/answer/mcp/resources/resources.js';
export type { UriVariablesOf } from '@inboard/core/answer/mcp/resources/uri-template.js';
export type { ToolName } from '@inboard/core/answer/mcp/tool/tool-name.js';
export type {
  CallsOptions,
  CompleteOptions,
  PendingChange,
  WatchCallsOptions,
} from '@inboard/core/calls/pending/calls.js';
export type { PendingOptions } from '@inboard/core/answer/mcp/result/pending.js';
export type {
  AudioContent,
  EmbeddedResource,
  ImageContent,
  ResourceLink,
  TextContent,
  BinaryData,
  ResourceContents,
} from '@inboard/core/answer/mcp/result/tool-content.js';
export type { CallIdentity } from '@inboard/core/wire/protocol/call-identity.js';
export type {
  CompleteToolDefinition,
  CompleteToolKeys,
  ToolHandling,
  InlineTool,
  PlainTool,
  StructuredReturn,
} from '@inboard/core/answer/mcp/tool/tool-definition.js';
export type {
  ToolEventSource,
  LogLevel,
  ToolEventBody,
  ToolWarning,
} from '@inboard/core/answer/mcp/tool/tool-events.js';
export type {
  RegisteredResource,
  RegisteredTool,
  RegisteredPromptConfig,
  ToolChanges,
  RegisteredToolConfig,
} from '@inboard/core/answer/mcp/server/tool-server.js';
export type {
  RestoredFiles,
  TerminateOptions,
  TransportEnd,
  TransportReceiver,
  TransportRequest,
} from '@inboard/core/wire/transport/transport.js';
export type { OptionWarningCode, SessionWarningCode } from '@inboard/core/options/check/warning.js';
export type { AbortedRunOutcome } from '@inboard/core/verbs/query/aborted-run.js';
export type { OpenTurnUsage, ThresholdNotice } from '@inboard/core/record/usage/usage-ledger.js';
export type { UsageDisagreement } from '@inboard/core/record/usage/usage-check.js';
export type { ModelPrice, UsageCount } from '@inboard/core/record/usage/usage-count.js';
export type { SessionChoice } from '@inboard/core/lifetime/choose-sessions.js';
export type {
  ApprovalPlace,
  DeletedSessionData,
  DeleteSessionDataOptions,
  FindSessionDataOptions,
  KeptReason,
  KeptSessionData,
  SessionDataFilter,
  SessionDataItem,
  SessionDataKind,
  SessionDataProblem,
  SessionStorePlace,
} from '@inboard/core/lifetime/session-data.js';
export type { OpenToolCall } from '@inboard/core/record/history/transcript/transcript-state.js';
export type { MemoryCallRecordsOptions } from '@inboard/core/record/calls/memory-call-records.js';
export type {
  FileCallRecords,
  FileCallRecordsOptions,
} from '@inboard/core/record/calls/file/file-call-records.js';
export type { CompactCallRecordsOptions } from '@inboard/core/record/calls/file/compact-call-log.js';
export type { OutputOf } from '@inboard/core/live/output/structured-output.js';
export type { ModelShare } from '@inboard/core/record/usage/usage-totals.js';
export type {
  CallFault,
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
} from '@inboard/core/errors.js';
export type {
  CacheControl,
  DocumentBlockParam,
  DocumentSource,
  ImageMediaType,
  ImageSource,
  SearchResultBlockParam,
  ToolResultContent,
} from '@inboard/core/wire/protocol/api/api-input-blocks.js';
export type {
  PastBlockParam,
  ServerToolResultParam,
  ServerToolUseBlockParam,
  ToolUseBlockParam,
} from '@inboard/core/wire/protocol/api/api-past-blocks.js';
export type {
  McpToolUseBlock,
  OtherBlock,
  RedactedThinkingBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  ApiDetail,
  OwnContentBlock,
} from '@inboard/core/wire/protocol/api/api-blocks.js';
export type {
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  MessageDeltaEvent,
  MessageStartEvent,
  MessageStopEvent,
  OwnBlockDelta,
  OwnStreamEvent,
} from '@inboard/core/wire/protocol/api/api-stream.js';
export type {
  ControlRequestFields,
  ControlRequestMap,
  ControlRequestResponse,
  ControlRequestSubtype,
  InboundRequestMap,
  InboundRequestSubtype,
  Acknowledged,
  ElicitationWireRequest,
  InboundRequest,
} from '@inboard/core/wire/protocol/control/control.js';
export type {
  JSONRPCErrorResponse,
  JSONRPCId,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
} from '@inboard/core/wire/protocol/json-rpc.js';
export type {
  PendingOutput,
  HeldClaim,
  RecordedCall,
  RecordedQuestion,
  RecordedResult,
} from '@inboard/core/wire/protocol/config/call-records.js';
export type { SettingsLayer } from '@inboard/core/record/settings/resolve-settings.js';
export type { JsonSchema } from '@inboard/core/answer/schema/compiled-schema.js';
export type { TypedSchema } from '@inboard/core/answer/schema/infer.js';
export type { OwnMessage, OwnUsage } from '@inboard/core/wire/protocol/api/api-message.js';
export type { OwnBlockParam, OwnMessageParam } from '@inboard/core/wire/protocol/api/api-input.js';
export type { HookEventInput } from '@inboard/core/wire/protocol/hooks/hook-inputs.js';
export type { HookToolCall } from '@inboard/core/wire/protocol/hooks/hook-tool-inputs.js';
export type {
  HookModelSwitch,
  HookTaskFacts,
} from '@inboard/core/wire/protocol/hooks/hook-environment-inputs.js';
export type { HookTurnEnd } from '@inboard/core/wire/protocol/hooks/hook-stop-inputs.js';
export type {
  HookCallbackRequest,
  HookMatcherRegistration,
  HookRegistrations,
} from '@inboard/core/wire/protocol/hooks/hook-callback.js';
export type { HookWarning } from '@inboard/core/answer/hooks/hook-warnings.js';
export type {
  ResultParser,
  ServerNotification,
  ServerRequest,
  ServerRequestOptions,
} from '@inboard/core/answer/mcp/tool/handler-extra.js';
export type { McpRequestContext } from '@inboard/core/answer/mcp/server/request-context.js';
export type { McpTransport } from '@inboard/core/answer/mcp/server/connect-transport.js';
export type { ToolServerToolPart } from '@inboard/core/answer/mcp/server/variadic-tool.js';
export type { McpRemoteServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';
export type { SandboxSecret } from '@inboard/core/wire/protocol/config/sandbox-settings.js';
export type { SettingsHookMatcher } from '@inboard/core/wire/protocol/config/settings.js';
export type { TranscriptMirrorFrame } from '@inboard/core/wire/protocol/config/session-store.js';
export type { PendingRequests } from '@inboard/core/wire/protocol/control/control-frames.js';
export type { ClaimSessionRequest } from '@inboard/core/wire/protocol/control/initialize.js';
export type { SDKControlClaimSessionResponse } from '@inboard/core/wire/protocol/control/initialize-reply.js';
export type { CanUseToolRequest } from '@inboard/core/wire/protocol/control/permission-question.js';
export type { PlanLimit } from '@inboard/core/wire/protocol/control/usage-replies.js';
export type { ExtraUsage, SDKSessionTotals } from '@inboard/core/wire/protocol/messages/usage-report.js';
export type {
  SDKMessageEnvelope,
  OpenString,
  SDKSystemEnvelope,
} from '@inboard/core/wire/protocol/messages/message-values.js';
export type { SDKResultTotals } from '@inboard/core/wire/protocol/messages/messages-result.js';
export type { SDKHookOutput, SDKHookRun } from '@inboard/core/wire/protocol/messages/messages-task.js';
export type { AsyncReader } from '@inboard/core/util/queues/async-queue.js';
export type { Runtime } from '@inboard/core/wire/process/find/host-runtime.js';
