// The name of a tool as the model says it, taken apart.

/** A tool and its server; undefined for tools of the CLI. */
export interface SplitToolName {
  server: string | undefined;
  name: string;
}

/** `mcp__shop__count` is `count` of `shop`. */
export function splitToolName(toolName: string): SplitToolName {
  const found = /^mcp__(.+?)__(.+)$/s.exec(toolName);
  return found ? { server: found[1], name: found[2] as string } : { server: undefined, name: toolName };
}
