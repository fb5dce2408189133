// Finds the servers in the exports of a tools file: server configurations, servers of this package, and servers of the
// MCP libraries. Tools, prompts and resources that are exported by themselves become a server named after the file.
import { basename } from 'node:path';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { isServerInstance } from '@inboard/core/answer/mcp/foreign/is-server-instance.js';
import type { InlineTool } from '@inboard/core/answer/mcp/tool/tool-definition.js';
import { isDefinedPrompt } from '@inboard/core/answer/mcp/prompts/mcp-prompt.js';
import type { PlainPrompt } from '@inboard/core/answer/mcp/prompts/prompts.js';
import type { ResourceDefinition } from '@inboard/core/answer/mcp/resources/resources.js';
import { catalogOf, ToolServer } from '@inboard/core/answer/mcp/server/tool-server.js';
import type {
  McpSdkServerConfigWithInstance,
  McpServerInstance,
} from '@inboard/core/wire/protocol/config/mcp-config.js';
import { CommandError } from '../terminal/usage-error.js';

/** In-process servers by the name the model knows them by. */
export type FoundServers = Record<string, McpSdkServerConfigWithInstance>;

interface Harvest {
  servers: FoundServers;
  tools: InlineTool[];
  prompts: PlainPrompt[];
  resources: ResourceDefinition[];
  seen: Set<object>;
}

/** The servers among the exports of a file. Throws a CommandError if there are none, or if two have the same name. */
export function findServers(exported: Record<string, unknown>, file: string): FoundServers {
  const harvest: Harvest = { servers: {}, tools: [], prompts: [], resources: [], seen: new Set() };
  const { default: main, ...named } = exported;
  const fileName = basename(file).replace(/\.[^.]+$/, '');
  gather(harvest, main, fileName);
  for (const [name, value] of Object.entries(named)) gather(harvest, value, name);
  const { servers, prompts, resources } = harvest;
  const tools = harvest.tools.filter((tool) => !isServed(servers, tool));
  if (tools.length + prompts.length + resources.length > 0) {
    addServer(servers, createSdkMcpServer({ name: fileName, tools, prompts, resources }), fileName);
  }
  if (Object.keys(servers).length > 0) return servers;
  const names = Object.keys(exported).join(', ');
  throw new CommandError(
    'NO_TOOLS',
    `${file} exports no tools${names ? ` (its exports: ${names})` : ', and nothing else either'}. ` +
      'Export what createSdkMcpServer() or tool() returned, a list of tools, or an MCP server.',
  );
}

function gather(harvest: Harvest, value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null || harvest.seen.has(value)) return;
  harvest.seen.add(value);
  if (isConfig(value)) {
    // The same server may also be exported without its configuration.
    harvest.seen.add(value.instance);
    addServer(harvest.servers, value, value.name || name);
  } else if (value instanceof ToolServer) {
    const own = catalogOf(value).options.name;
    addServer(harvest.servers, { type: 'sdk', name: own, instance: value }, own);
  } else if (isServerInstance(value)) {
    const own = readForeignName(value) ?? name;
    addServer(harvest.servers, { type: 'sdk', name: own, instance: value }, own);
  } else if (isDefinedPrompt(value)) {
    harvest.prompts.push(value);
  } else if (isResource(value)) {
    harvest.resources.push(value);
  } else if (isTool(value)) {
    harvest.tools.push(value);
  } else if (Array.isArray(value)) {
    for (const entry of value) gather(harvest, entry, name);
  } else if (Object.getPrototypeOf(value) === Object.prototype) {
    // An object like `mcpServers`. Other objects of the file are ignored.
    for (const [key, entry] of Object.entries(value)) if (isConfig(entry)) gather(harvest, entry, key);
  }
}

// Whether a server already has this tool. A file may export both a server and one of its tools, for tests, but the
// model should see the tool only once.
function isServed(servers: FoundServers, tool: InlineTool): boolean {
  return Object.values(servers).some(
    ({ instance }) =>
      instance instanceof ToolServer && catalogOf(instance).findTool(tool.name)?.source === tool,
  );
}

function addServer(servers: FoundServers, config: McpSdkServerConfigWithInstance, name: string): void {
  if (servers[name]?.instance === config.instance) return;
  if (servers[name]) {
    throw new CommandError(
      'DUPLICATE_SERVER',
      `Two servers are named "${name}", so the model could not tell them apart. Rename one of them.`,
    );
  }
  servers[name] = config;
}

function isConfig(value: unknown): value is McpSdkServerConfigWithInstance {
  if (typeof value !== 'object' || value === null) return false;
  const { type, instance } = value as { type?: unknown; instance?: unknown };
  return type === 'sdk' && isServerInstance(instance);
}

function isResource(value: object): value is ResourceDefinition {
  const { name, uri, read } = value as { name?: unknown; uri?: unknown; read?: unknown };
  return typeof name === 'string' && uri !== undefined && typeof read === 'function';
}

function isTool(value: object): value is InlineTool {
  const { name, handler, run } = value as { name?: unknown; handler?: unknown; run?: unknown };
  return typeof name === 'string' && (typeof handler === 'function' || typeof run === 'function');
}

// Reads the name of a server of the MCP libraries from a private field. If it cannot be read, the name of the export is
// used.
function readForeignName(instance: McpServerInstance): string | undefined {
  const { server, _serverInfo } = instance as {
    server?: { _serverInfo?: { name?: unknown } };
    _serverInfo?: { name?: unknown };
  };
  const name = (server?._serverInfo ?? _serverInfo)?.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
