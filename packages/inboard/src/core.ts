// The entry point `inboard/core`: like `inboard`, but without reading past sessions and without stores, for smaller bundles.
// Both entry points share their modules, so they may be mixed in one process.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export type * from './index.js';
export { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
export { tool } from '@inboard/core/answer/mcp/tool/tool.js';
export { audio, errorResult, image, resource } from '@inboard/core/answer/mcp/result/content-helpers.js';
export { pending } from '@inboard/core/answer/mcp/result/pending.js';
export { toolName } from '@inboard/core/answer/mcp/tool/tool-name.js';
export { allow, answerQuestions, deny } from '@inboard/core/answer/permissions/decisions.js';
export { answerPermission } from '@inboard/core/answer/permissions/permission-questions.js';
export { replayPermissions } from '@inboard/core/answer/permissions/replay-permissions.js';
export {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from '@inboard/core/wire/protocol/cli-facts.js';
export { EXIT_REASONS, HOOK_EVENTS } from '@inboard/core/wire/protocol/hooks/hook-callback.js';
export {
  isAssistantMessage,
  isResultMessage,
  isSystemInit,
  isUserMessage,
} from '@inboard/core/wire/protocol/messages/messages.js';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '@inboard/core/wire/protocol/config/option-values.js';
export { outcomeOf } from '@inboard/core/live/output/outcome.js';
export { query } from '@inboard/core/verbs/query/query.js';
export { run } from '@inboard/core/verbs/query/run.js';
export { createSessionGroup } from '@inboard/core/verbs/fleet/session-group.js';
export { openSession } from '@inboard/core/verbs/conversation/open-session.js';
export {
  archiveSession,
  deleteSession,
  matchDeniedModels,
  prewarm,
  renameSession,
  resolveSettings,
  tagSession,
  unarchiveSession,
} from './load-on-use.js';
export { filterEscalatingDefaultMode } from '@inboard/core/record/settings/filter-escalating-default-mode.js';
export { startup } from '@inboard/core/verbs/fleet/startup.js';
export { createOutputReader } from '@inboard/core/live/output/structured-output.js';
export { createWarmPool } from '@inboard/core/verbs/fleet/warm-pool.js';
export { UsageLedger } from '@inboard/core/record/usage/usage-ledger.js';
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

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
