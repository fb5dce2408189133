// Builds the handshake request. Hooks and in-process servers come first. The fields of options follow, in the order that
// their rows define.
import { withoutUndefined } from '../../util/without-undefined.js';
import type { HookMatcherRegistration } from '../../wire/protocol/hooks/hook-callback.js';
import type { InitializeRequest } from '../../wire/protocol/control/initialize.js';
import type { McpServerManifest, McpServerToolPolicy } from '../../wire/protocol/config/mcp-config.js';
import { listGiven } from '../rows/option-rows.js';
import type { ArgumentsInput } from './cli-arguments.js';
import { unlessEmpty, type WrittenOptions } from '../rows/option-row.js';

/** The in-process MCP servers of a live CLI, as the handshake declares them. */
export interface PlannedServers {
  names?: readonly string[];
  /** The settings by server name, for servers with a time limit or a tool policy. */
  configs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
  /** The manifests by server name. With a manifest, the CLI needs no handshake of its own with that server. */
  manifests?: Record<string, McpServerManifest>;
}

/** The input of the handshake. */
export interface InitializeInput extends Omit<ArgumentsInput, 'restoredId'> {
  hooks?: Record<string, HookMatcherRegistration[]>;
  sdkServers?: PlannedServers;
}

/** The fields of the handshake, without its subtype. */
export function buildInitializeRequest({
  hooks,
  sdkServers,
  options,
  version,
}: InitializeInput): InitializeRequest {
  // Without the option, the system prompt is empty.
  const written: WrittenOptions = { ...options, version, systemPrompt: options.systemPrompt ?? '' };
  const sent = options.sdkServerRegistration === 'argv' ? {} : sdkServers;
  return completeInitializeRequest(writeFields(written), hooks, sent);
}

/** Puts hooks and in-process servers before the fields of the options. */
export function completeInitializeRequest(
  fields: InitializeRequest,
  hooks: InitializeInput['hooks'],
  servers: PlannedServers = {},
): InitializeRequest {
  return withoutUndefined({ hooks, ...describeServers(servers), ...fields });
}

/** The fields of a repeated handshake: those of the first, with the current in-process servers. */
export function repeatInitializeRequest(
  first: InitializeRequest,
  servers: PlannedServers,
): InitializeRequest {
  return withoutUndefined({ ...first, ...describeServers(servers) });
}

function describeServers({ names, configs, manifests }: PlannedServers): InitializeRequest {
  return {
    sdkMcpServers: names?.length ? [...names] : undefined,
    sdkMcpServerConfigs: configs && unlessEmpty(configs),
    sdkMcpServerManifests: manifests && unlessEmpty(manifests),
  };
}

function writeFields(options: WrittenOptions): InitializeRequest {
  const fields = listGiven(options).flatMap(({ name, value, row: { initialize = [] } }) =>
    [initialize].flat().map((given) => ({
      order: given.order,
      entry: [given.field ?? name, given.from ? given.from(value, options) : value] as const,
    })),
  );
  return Object.fromEntries(fields.toSorted((a, b) => a.order - b.order).map(({ entry }) => entry));
}
