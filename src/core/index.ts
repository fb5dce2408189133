// The door `inboard/core`: the same without past sessions, stores and settings, for bundlers that want less. Both
// doors share their modules, so they may be mixed in one process.
export type * from '../index.js';
export { createSdkMcpServer } from '../mcp/create-sdk-mcp-server.js';
export { tool } from '../mcp/tool.js';
export { audio, errorResult, image, resource } from '../mcp/tool-content.js';
export { toolName } from '../mcp/tool-name.js';
export { allow, answerQuestions, deny } from '../permissions/decisions.js';
export { answerPermission } from '../permissions/permission-desk.js';
export { replayPermissions } from '../permissions/replay-permissions.js';
export {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from '../protocol/cli-facts.js';
export { EXIT_REASONS, HOOK_EVENTS } from '../protocol/hook-inputs.js';
export { isAssistantMessage, isResultMessage, isSystemInit, isUserMessage } from '../protocol/messages.js';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '../protocol/system-prompt.js';
export { outcomeOf } from '../query/outcome.js';
export { query } from '../query/query.js';
export { run } from '../query/run.js';
export { createSessionGroup } from '../query/session-group.js';
export { openSession } from '../query/open-session.js';
export { prewarm } from '../query/prewarm.js';
export { startup } from '../query/startup.js';
export { createOutputReader, outputFormatOf, readStructuredOutput } from '../query/structured-output.js';
export { createWarmPool } from '../query/warm-pool.js';
export { UsageLedger } from '../usage/usage-ledger.js';
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
} from '../errors.js';
