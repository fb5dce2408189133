// The in-process servers of a session: which of the caller's servers run here, how their own messages leave,
// and how servers are swapped while the session runs.
import { createMcpSession, type McpSession, type SdkServers } from '../mcp/answer-mcp-message.js';
import type { Options } from '../options/options.js';
import type { PlannedServers } from '../options/launch-plan.js';
import type { Answerer } from '../protocol/answer.js';
import { isWireObject, type WireObject } from '../protocol/codec.js';
import type {
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpSetServersResult,
} from '../protocol/mcp-config.js';
import type { WarningDesk } from './warning-desk.js';

/** What the servers need of their session. */
export interface SessionToolsOptions {
  options: Options;
  warnings: WarningDesk;
  sessionId: () => string | undefined;
  request: (request: { subtype: string }) => Promise<unknown>;
}

/** One per session; closed with it. */
export class SessionTools {
  readonly answer: Answerer;
  readonly #servers: McpSession;
  readonly #agents = new Map<string, string>();
  readonly #request: SessionToolsOptions['request'];

  constructor({ options, warnings, sessionId, request }: SessionToolsOptions) {
    this.#request = request;
    this.#servers = createMcpSession({
      servers: pickInProcess(options.mcpServers ?? {}),
      // Resolves once written, as the CLI's acknowledgement says nothing; a session that is over takes nothing.
      notify: (server_name, message) => {
        request({ subtype: 'mcp_message', server_name, message } as { subtype: string }).catch(() => {});
      },
      context: options.toolContext,
      sessionId,
      agentIdOf: (toolUseId) => this.#agents.get(toolUseId),
      onToolEvent: options.onToolEvent,
      onWarning: (warning) => warnings.emit(warning),
    });
    this.answer = (asked, context) =>
      this.#servers.answer(asked as { server_name: string; message: unknown }, context);
  }

  /** What the handshake says of them; at once unless a server of another make has to be asked. */
  plan(): PlannedServers | Promise<PlannedServers> {
    const manifests = this.#servers.manifests();
    const complete = (found: Awaited<typeof manifests>): PlannedServers => ({
      names: this.#servers.names,
      configs: this.#servers.configs(),
      manifests: found,
    });
    return manifests instanceof Promise ? manifests.then(complete) : complete(manifests);
  }

  /** Remembers which subagent made which tool call. */
  observe(message: WireObject): void {
    const agent = message['agent_id'] ?? message['parent_tool_use_id'];
    if (message['type'] !== 'assistant' || typeof agent !== 'string') return;
    const body = message['message'];
    const content = isWireObject(body) && Array.isArray(body['content']) ? body['content'] : [];
    for (const block of content) {
      if (isWireObject(block) && block['type'] === 'tool_use') this.#agents.set(String(block['id']), agent);
    }
  }

  /** Replaces the dynamic servers; in-process ones change here only if the CLI agrees. */
  async replace(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult> {
    const inProcess = pickInProcess(servers);
    const swap = this.#servers.replace(inProcess);
    try {
      const result = await this.#request({
        subtype: 'mcp_set_servers',
        servers: describeServers(servers),
      } as { subtype: string });
      swap.commit();
      return result as McpSetServersResult;
    } catch (error) {
      swap.rollback();
      throw error;
    }
  }

  close(reason: Error): void {
    this.#servers.close(reason);
    this.#agents.clear();
  }
}

/** Servers that live in this process; one of type "sdk" without an instance is somebody else's. */
function pickInProcess(servers: Record<string, McpServerConfig>): SdkServers {
  return Object.fromEntries(Object.entries(servers).filter(isInProcess));
}

function isInProcess(entry: [string, McpServerConfig]): entry is [string, McpSdkServerConfigWithInstance] {
  return entry[1].type === 'sdk' && 'instance' in entry[1] && entry[1].instance !== undefined;
}

/** Servers as the CLI is told of them: processes first, and of ours everything but the instance. */
function describeServers(servers: Record<string, McpServerConfig>): Record<string, object> {
  const entries = Object.entries(servers);
  const own = entries.filter(isInProcess).map(([name, { timeout, tools }]) => [
    name,
    {
      type: 'sdk',
      name,
      ...(timeout === undefined ? {} : { timeout }),
      ...(tools === undefined ? {} : { tools }),
    },
  ]);
  const others = entries.filter((entry) => !isInProcess(entry));
  return Object.fromEntries([...others, ...own]) as Record<string, object>;
}
