// Servers of the two MCP SDKs with the same tools, so that one test body runs on both, and on ours.
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { SdkServers } from '../../../src/answer/mcp/server-table.js';

/** What the tools of every server here do, and what happened in them. */
export interface Workshop {
  /** Calls of `hold` that wait, by nonce. */
  held: Map<string, { release: () => void; signal: AbortSignal }>;
}

export interface KindOfServer {
  kind: string;
  create: (workshop: Workshop) => SdkServers[string];
}

type Progress = (update: { progress: number; message: string }) => unknown;

function hold(workshop: Workshop, nonce: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    workshop.held.set(nonce, { signal, release: () => resolve(`held ${nonce}`) });
  });
}

async function report(nonce: string, progress: Progress): Promise<string> {
  await progress({ progress: 1, message: nonce });
  await progress({ progress: 2, message: nonce });
  return `reported ${nonce}`;
}

const content = (text: string) => ({ content: [{ type: 'text' as const, text }] });

function createV1(workshop: Workshop): SdkServers[string] {
  const server = new McpServerV1({ name: 'v1', version: '1.0.0' });
  const inputSchema = { nonce: z.string() };
  server.registerTool('echo', { description: 'Echo', inputSchema }, ({ nonce }) => content(`echo ${nonce}`));
  server.registerTool('hold', { description: 'Hold', inputSchema }, async ({ nonce }, { signal }) =>
    content(await hold(workshop, nonce, signal)),
  );
  server.registerTool('report', { description: 'Report', inputSchema }, async ({ nonce }, extra) => {
    const progressToken = extra._meta?.progressToken ?? 'none';
    const progress: Progress = (update) =>
      extra.sendNotification({ method: 'notifications/progress', params: { progressToken, ...update } });
    return content(await report(nonce, progress));
  });
  server.registerTool('ask', { description: 'Ask', inputSchema }, async ({ nonce }, extra) => {
    const answer = await extra.sendRequest(
      {
        method: 'elicitation/create',
        params: { message: nonce, requestedSchema: { type: 'object', properties: {} } },
      },
      z.object({ action: z.string() }),
    );
    return content(`${nonce} ${answer.action}`);
  });
  return { type: 'sdk', name: 'v1', instance: server };
}

function createV2(workshop: Workshop): SdkServers[string] {
  const server = new McpServerV2({ name: 'v2', version: '1.0.0' });
  const inputSchema = z.object({ nonce: z.string() });
  server.registerTool('echo', { description: 'Echo', inputSchema }, ({ nonce }) => content(`echo ${nonce}`));
  server.registerTool('hold', { description: 'Hold', inputSchema }, async ({ nonce }, { mcpReq }) =>
    content(await hold(workshop, nonce, mcpReq.signal)),
  );
  server.registerTool('report', { description: 'Report', inputSchema }, async ({ nonce }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 'none';
    const progress: Progress = (update) =>
      mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...update } });
    return content(await report(nonce, progress));
  });
  server.registerTool('ask', { description: 'Ask', inputSchema }, async ({ nonce }, { mcpReq }) => {
    const answer = await mcpReq.send(
      {
        method: 'elicitation/create',
        params: { message: nonce, requestedSchema: { type: 'object', properties: {} } },
      },
      z.object({ action: z.string() }),
    );
    return content(`${nonce} ${answer.action}`);
  });
  return { type: 'sdk', name: 'v2', instance: server };
}

function createOurs(workshop: Workshop): SdkServers[string] {
  const schema = { nonce: z.string() };
  return createSdkMcpServer({
    name: 'ours',
    tools: [
      tool('echo', 'Echo', schema, ({ nonce }) => `echo ${nonce}`),
      tool('hold', 'Hold', schema, ({ nonce }, { signal }) => hold(workshop, nonce, signal)),
      tool('report', 'Report', schema, ({ nonce }, { progress }) => report(nonce, progress)),
      tool('ask', 'Ask', schema, async ({ nonce }, { sendRequest }) => {
        const answer = await sendRequest<{ action: string }>({
          method: 'elicitation/create',
          params: { message: nonce },
        });
        return `${nonce} ${answer.action}`;
      }),
    ],
  });
}

export const FOREIGN: KindOfServer[] = [
  { kind: 'MCP SDK v1', create: createV1 },
  { kind: 'MCP SDK v2', create: createV2 },
];

export const EVERY_KIND: KindOfServer[] = [{ kind: 'ours', create: createOurs }, ...FOREIGN];
