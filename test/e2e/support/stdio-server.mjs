// A real MCP server in a process of its own, to stand beside in-process ones.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'outside', version: '1.0.0' });
server.registerTool(
  'describe',
  {
    description: 'Tells about this process',
    inputSchema: { variable: z.string() },
    annotations: { readOnlyHint: true },
  },
  ({ variable }) => {
    const facts = { pid: process.pid, length: process.env[variable]?.length ?? 0 };
    return { content: [{ type: 'text', text: JSON.stringify(facts) }] };
  },
);
await server.connect(new StdioServerTransport());
