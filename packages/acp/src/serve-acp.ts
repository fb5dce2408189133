// The public function of the entry point `inboard/acp`. Its declaration names no type of the protocol's library.
import type { InlineTool } from '@inboard/core/answer/mcp/tool/tool-definition.js';
import type { McpServers } from '@inboard/core/live/tooling/context-option.js';
import type { AcpContext, NoServers, ServeAcpInput } from './acp-options.js';
import { serveAgent } from './serve-agent.js';

/**
 * Serves an agent with your tools to an editor over the Agent Client Protocol, until the editor closes the input or the signal
 * aborts. Resolves when all CLIs of the agent have ended. Needs the package `@agentclientprotocol/sdk`, and rejects with an
 * AcpError without it. Rejects with an InvalidOptionsError for wrong input.
 *
 * @experimental The protocol still changes, and the options change with it.
 */
export async function serveAcp<
  const Tools extends readonly InlineTool[] = readonly InlineTool[],
  Servers extends McpServers = NoServers,
  OptionServers extends McpServers = NoServers,
>(input?: ServeAcpInput & AcpContext<Tools, Servers, OptionServers>): Promise<void> {
  await serveAgent(input ?? {});
}
