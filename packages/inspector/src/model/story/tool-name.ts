// Splits the name of a tool that the model uses.

/** The server and the name in `mcp__server__tool`. A tool with any other name belongs to the CLI. */
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
