// What counts as an MCP server: asked of every server that is not ours, before anything else of foreign servers is loaded.
import { isRecord } from '../../../util/guards.js';
import type { McpServerInstance } from '../../../wire/protocol/config/mcp-config.js';

/** Whether a value can be connected to a transport. */
export function isServerInstance(value: unknown): value is McpServerInstance {
  return isRecord(value) && typeof value['connect'] === 'function';
}
