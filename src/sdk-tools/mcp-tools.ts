// Inputs and outputs of the tools around MCP servers: their resources, and calls of their own tools.

/** `ListMcpResourcesTool`: all servers, or one. */
export interface ListMcpResourcesInput {
  server?: string;
}

/** What the servers offer to read. */
export type ListMcpResourcesOutput = Array<{
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  server: string;
}>;

/** `ReadMcpResourceTool`: one resource. */
export interface ReadMcpResourceInput {
  server: string;
  uri: string;
}

/** The resource. Bytes are saved to a file, and `text` then says where. */
export interface ReadMcpResourceOutput {
  contents: Array<{ uri: string; mimeType?: string; text?: string; blobSavedTo?: string }>;
}

/** `ReadMcpResourceDirTool`: what a folder of a server holds. */
export interface ReadMcpResourceDirInput {
  server: string;
  uri: string;
}

/** The folder's entries; `error` where the server or the CLI cannot list it. */
export interface ReadMcpResourceDirOutput {
  resources: unknown[];
  error?: string;
}

/** The arguments of any `mcp__server__tool`: whatever that tool takes. */
export interface McpInput {
  [argument: string]: unknown;
}

/** What an MCP tool gave: its content, or an object where it also gave structured content. */
export type McpOutput =
  | string
  | Array<{ type: string; [field: string]: unknown }>
  | { content: unknown; structuredContent?: Record<string, unknown>; [field: string]: unknown };
