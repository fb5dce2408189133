// The entry point `inboard/core`: what a program imports from the official SDK's `/core`. It has official names only, without those of past
// sessions and of stores; all of them are in `inboard`, too. Both entry points share their modules, so they may be mixed in one process.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export type * from './index.js';
export { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
export { tool } from '@inboard/core/answer/mcp/tool/tool.js';
export {
  BUILTIN_TOOL_NAMES,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from '@inboard/core/wire/protocol/cli-facts.js';
export { EXIT_REASONS, HOOK_EVENTS } from '@inboard/core/wire/protocol/hooks/hook-callback.js';
export { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '@inboard/core/wire/protocol/config/option-values.js';
export { query } from '@inboard/core/verbs/query/query.js';
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
export { AbortError } from '@inboard/core/errors.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
