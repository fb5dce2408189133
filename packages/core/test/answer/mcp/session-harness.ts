// A session of in-process servers without a CLI: messages are put as the channel would put them, and what
// the servers send on their own is kept.
import {
  bindServers,
  type BoundServers,
  type BoundServersInput,
} from '../../../src/answer/mcp/answer-mcp-message.js';
import type { SdkServers } from '../../../src/answer/mcp/server-table.js';
import type { ToolEvent, ToolWarning } from '../../../src/answer/mcp/tool/tool-events.js';

export interface Reply {
  jsonrpc: string;
  id: unknown;
  result?: Record<string, unknown> & {
    content?: { type: string; text: string }[];
    isError?: boolean;
    tools?: Record<string, unknown>[];
  };
  error?: { code: number; message: string };
}

export interface Sent {
  server: string;
  message: Record<string, unknown> & { method?: string; params?: Record<string, unknown>; id?: unknown };
}

export interface Harness {
  session: BoundServers;
  sent: Sent[];
  events: ToolEvent[];
  warnings: ToolWarning[];
  /** Puts a message as it is. */
  put: (message: unknown, options?: { server?: string; signal?: AbortSignal }) => Promise<Reply>;
  /** Puts a request with a fresh id. */
  ask: (method: string, params?: unknown, server?: string) => Promise<Reply>;
  call: (name: string, args?: unknown, meta?: Record<string, unknown>) => Promise<Reply>;
}

export function openSession(servers: SdkServers, input: Partial<BoundServersInput> = {}): Harness {
  const sent: Sent[] = [];
  const events: ToolEvent[] = [];
  const warnings: ToolWarning[] = [];
  const session = bindServers({
    servers,
    notify: (server, message) => {
      sent.push({ server, message: message as Sent['message'] });
    },
    sessionId: () => 'session-1',
    onToolEvent: (event) => {
      events.push(event);
    },
    onWarning: (warning) => {
      warnings.push(warning);
    },
    ...input,
  });
  const first = Object.keys(servers)[0] ?? 'none';
  let lastId = 100;
  const put: Harness['put'] = async (message, options = {}) => {
    const { server = first, signal = new AbortController().signal } = options;
    const answer = await session.answer({ server_name: server, message }, { requestId: 'control-1', signal });
    return answer.mcp_response as Reply;
  };
  return {
    session,
    sent,
    events,
    warnings,
    put,
    ask: (method, params, server) => {
      lastId += 1;
      const message = { jsonrpc: '2.0', id: lastId, method, ...(params === undefined ? {} : { params }) };
      return put(message, server === undefined ? {} : { server });
    },
    call: (name, args, meta) => {
      lastId += 1;
      const params = { name, arguments: args ?? {}, ...(meta ? { _meta: meta } : {}) };
      return put({ jsonrpc: '2.0', id: lastId, method: 'tools/call', params });
    },
  };
}

/** The text of a result's first block. */
export function textOf(reply: Reply): string {
  return reply.result?.content?.[0]?.text ?? '';
}

/** Lets everything that is ready to run do so; for what ends within a few microtasks and one tick. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve));
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
