// Collects what a server that `createSdkMcpServer` made would answer to the CLI's MCP handshake. The answers are sent along
// in `initialize`, so that the CLI need not ask for them.
import { isRecord } from '../../util/guards.js';
import type { McpServerManifest } from '../../wire/protocol/config/mcp-config.js';
import type { ServerBinding } from './server/server-binding.js';
import { PROTOCOL_VERSION } from './server/server-catalog.js';

/** The manifest of a server. From this call on, the CLI is notified of changes to the server's lists. */
export function describeManifest(binding: ServerBinding): McpServerManifest {
  const { catalog } = binding;
  binding.noteHandshake();
  const initializeResult = catalog.describe(PROTOCOL_VERSION);
  const page = binding.listTools();
  const hasTools = isRecord(initializeResult['capabilities']) && 'tools' in initializeResult['capabilities'];
  if (!hasTools || !page || page.nextCursor !== undefined) return { initializeResult };
  return { initializeResult, toolsListResult: { tools: page.tools.map((tool) => ({ ...tool })) } };
}
