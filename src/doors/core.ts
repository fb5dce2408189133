// The door `inboard/core`: the same without reading past sessions and without stores, for bundlers that want less. Both
// doors share their modules, so they may be mixed in one process.
import { registerInspector } from '../live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export type * from './index.js';
export { createSdkMcpServer } from '../answer/mcp/server/create-sdk-mcp-server.js';
export { tool } from '../answer/mcp/tool/tool.js';
export { audio, errorResult, image, resource } from '../answer/mcp/result/content-helpers.js';
export { toolName } from '../answer/mcp/tool/tool-name.js';
export { allow, answerQuestions, deny } from '../answer/permissions/decisions.js';
export { answerPermission } from '../answer/permissions/permission-questions.js';
export { replayPermissions } from '../answer/permissions/replay-permissions.js';
export {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from '../wire/protocol/cli-facts.js';
export { EXIT_REASONS, HOOK_EVENTS } from '../wire/protocol/hooks/hook-callback.js';
export {
  isAssistantMessage,
  isResultMessage,
  isSystemInit,
  isUserMessage,
} from '../wire/protocol/messages/messages.js';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '../wire/protocol/config/option-values.js';
export { outcomeOf } from '../live/output/outcome.js';
export { query } from '../verbs/query/query.js';
export { run } from '../verbs/query/run.js';
export { createSessionGroup } from '../verbs/fleet/session-group.js';
export { openSession } from '../verbs/conversation/open-session.js';
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
export { filterEscalatingDefaultMode } from '../record/settings/filter-escalating-default-mode.js';
export { startup } from '../verbs/fleet/startup.js';
export {
  createOutputReader,
  outputFormatOf,
  readStructuredOutput,
} from '../live/output/structured-output.js';
export { createWarmPool } from '../verbs/fleet/warm-pool.js';
export { UsageLedger } from '../record/usage/usage-ledger.js';
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

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
