// The parts of a tool's name as the model says it.

/** A tool of an MCP server is called `mcp__server__tool`; any other is the CLI's. */
export function splitToolName(toolName: string): { server: string | undefined; name: string } {
  if (!toolName.startsWith('mcp__')) return { server: undefined, name: toolName };
  const end = toolName.indexOf('__', 5);
  if (end <= 5 || end + 2 >= toolName.length) return { server: undefined, name: toolName };
  return { server: toolName.slice(5, end), name: toolName.slice(end + 2) };
}

/** Whether a tool starts a subagent. */
export function startsAgent(toolName: string): boolean {
  return toolName === 'Task' || toolName === 'Agent';
}
