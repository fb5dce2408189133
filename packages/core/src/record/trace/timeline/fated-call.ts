// A call of a session and what became of it. `call-fates` decides that.

/**
 * What became of a call. `open`: it has no result yet. `done`: it ran. `failed`: it ran and reported an error. `denied`: a
 * person, a callback, a hook or a rule refused it, so it did not run. `cut`: it was cut off, and its outcome is unknown.
 */
export type CallFate = 'open' | 'done' | 'failed' | 'denied' | 'cut';

/** A call that is known. */
export interface FatedCall {
  toolName: string;
  parent: string | null;
  fate: CallFate;
  /** Whether the model has written it whole, or something was done about it. */
  isWritten: boolean;
  /** Whether its result has come, or no result will come. A call that was denied is over with the result that says so. */
  isOver: boolean;
  hasResult: boolean;
  isDenied: boolean;
  isBackground: boolean;
  hasHandler: boolean;
}

/** A call that an event shows for the first time. */
export function createFatedCall(toolName: string, parent: string | null): FatedCall {
  return {
    toolName,
    parent,
    fate: 'open',
    isWritten: false,
    isOver: false,
    hasResult: false,
    isDenied: false,
    isBackground: false,
    hasHandler: false,
  };
}

/** Whether a block of a message of this type is a call. */
export function isCallBlock(type: unknown): boolean {
  return type === 'tool_use' || type === 'server_tool_use';
}

/** The name of a tool of the program, as the CLI writes it. */
export function wireToolName(server: string, tool: string): string {
  const plain = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return `mcp__${plain(server)}__${plain(tool)}`;
}
