// Inputs and outputs of the tools around MCP servers: their resources, and calls of their own tools.

/** `ListMcpResourcesTool`: lists the resources of one MCP server, or of all. */
export interface ListMcpResourcesInput {
  server?: string;
}

/** The resources that can be read, each with its server. */
export type ListMcpResourcesOutput = Array<{
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  server: string;
}>;

/** `ReadMcpResourceTool`: reads one resource of an MCP server. */
export interface ReadMcpResourceInput {
  server: string;
  uri: string;
}

/** The contents of the resource. Binary data is saved to a file, and `text` says where. */
export interface ReadMcpResourceOutput {
  contents: Array<{ uri: string; mimeType?: string; text?: string; blobSavedTo?: string }>;
}

/** `ReadMcpResourceDirTool`: lists a folder of an MCP server. */
export interface ReadMcpResourceDirInput {
  server: string;
  uri: string;
}

/** The folder's entries. `error` is set if the server or the CLI cannot list the folder. */
export interface ReadMcpResourceDirOutput {
  resources: Array<{ uri: string; name: string; mimeType?: string }>;
  error?: string;
}

/** The arguments of any tool `mcp__server__tool`. Their names and types depend on the tool. */
export interface McpInput {
  [argument: string]: unknown;
}

/** What an MCP tool returned: its content, or an object if it also returned structured content. */
export type McpOutput =
  | string
  | Array<{ type: string; [field: string]: unknown }>
  | { content: unknown; structuredContent?: Record<string, unknown>; [field: string]: unknown };
