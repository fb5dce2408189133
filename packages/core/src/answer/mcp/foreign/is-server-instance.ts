// Checks that an object can be a foreign server (one that this library did not create). This file stands apart because the
// code for foreign servers is loaded later.
import { InvalidOptionsError } from '../../../errors.js';
import { isRecord } from '../../../util/guards.js';
import type { McpServerInstance } from '../../../wire/protocol/config/mcp-config.js';

/** Whether a value can be connected to a transport. */
export function isServerInstance(value: unknown): value is McpServerInstance {
  return isRecord(value) && typeof value['connect'] === 'function';
}

/** Throws for an entry of `mcpServers` that cannot be connected. */
export function checkInstance(name: string, instance: unknown): void {
  if (isServerInstance(instance)) return;
  throw new InvalidOptionsError(
    ['mcpServers'],
    `The in-process server "${name}" has no instance with a connect method; create it with createSdkMcpServer, or pass an MCP server object as "instance"`,
  );
}
