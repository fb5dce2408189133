// The handshake: what the CLI is told that its command line does not carry, in the order of fields the
// official SDK writes.
import type { HookMatcherRegistration } from '../../wire/protocol/hooks/hook-callback.js';
import type { InitializeRequest } from '../../wire/protocol/control/initialize.js';
import type { McpServerManifest, McpServerToolPolicy } from '../../wire/protocol/config/mcp-config.js';
import { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '../../wire/protocol/config/option-values.js';
import { hasFeature } from './option-versions.js';
import type { Options } from '../options.js';

/** The in-process MCP servers of a session, as the handshake tells of them. */
export interface PlannedServers {
  names?: readonly string[];
  /** By server name, for those with a time limit or a tool policy. */
  configs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
  /** By server name; spares the CLI its own handshake with that server. */
  manifests?: Record<string, McpServerManifest>;
}

/** What the handshake is made from. */
export interface InitializeInput {
  /** Only options that were given, in a form this version takes. */
  options: Options;
  /** Undefined takes the newest form. */
  version: string | undefined;
  hooks?: Record<string, HookMatcherRegistration[]>;
  sdkServers?: PlannedServers;
}

/** The fields of the handshake, without its subtype. */
export function buildInitializeRequest(input: InitializeInput): InitializeRequest {
  const { options, hooks } = input;
  const sdkServers = (options.sdkServerRegistration !== 'argv' && input.sdkServers) || {};
  const fields: InitializeRequest = {
    hooks,
    sdkMcpServers: sdkServers.names?.length ? [...sdkServers.names] : undefined,
    sdkMcpServerConfigs: unlessEmpty(sdkServers.configs),
    sdkMcpServerManifests: unlessEmpty(sdkServers.manifests),
    jsonSchema: options.outputFormat?.schema,
    ...buildPrompt(input),
    planModeInstructions: options.planModeInstructions,
    ...buildSnapshot(options),
    toolAliases: options.toolAliases,
    ...buildDynamicSections(options),
    agents: options.agents,
    title: options.title,
    skills: options.skills === 'all' ? undefined : options.skills,
    promptSuggestions: options.promptSuggestions,
    agentProgressSummaries: options.agentProgressSummaries,
    forwardSubagentText: options.forwardSubagentText,
    supportedDialogKinds: options.supportedDialogKinds,
    perTaskStopAffordance: options.perTaskStopAffordance,
    plugins: options.pluginDelivery === 'initialize' && options.plugins?.length ? options.plugins : undefined,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

// An omitted prompt is an empty one; only the preset leaves the stock prompt in place.
function buildPrompt({ options, version }: InitializeInput): InitializeRequest {
  const { systemPrompt = '' } = options;
  if (typeof systemPrompt !== 'string' && !Array.isArray(systemPrompt) && systemPrompt.type === 'preset') {
    return { appendSystemPrompt: systemPrompt.append };
  }
  const prompt =
    typeof systemPrompt === 'string' || Array.isArray(systemPrompt) ? systemPrompt : systemPrompt.prompt;
  const parts = typeof prompt === 'string' ? [prompt] : prompt;
  if (hasFeature('systemPrompt list', version)) return { systemPrompt: parts };
  // Joined as later CLIs join them; the boundary only tells those where to cut for their cache.
  return { systemPrompt: parts.filter((part) => part !== SYSTEM_PROMPT_DYNAMIC_BOUNDARY).join('\n\n') };
}

function buildSnapshot({ systemPrompt }: Options): InitializeRequest {
  const hasChoice = typeof systemPrompt === 'object' && 'snapshot' in systemPrompt;
  return { systemPromptSnapshot: hasChoice ? systemPrompt.snapshot : undefined };
}

function buildDynamicSections({ systemPrompt }: Options): InitializeRequest {
  const hasChoice = typeof systemPrompt === 'object' && 'excludeDynamicSections' in systemPrompt;
  return { excludeDynamicSections: hasChoice ? systemPrompt.excludeDynamicSections : undefined };
}

function unlessEmpty<T extends object>(entries: T | undefined): T | undefined {
  return entries && Object.keys(entries).length > 0 ? entries : undefined;
}
