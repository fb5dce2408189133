// Prints the result of a tool call on the terminal.
import type { CallToolResult } from '@inboard/core/answer/mcp/result/tool-content.js';
import { noteLine, printLine, type Terminal } from '../terminal/terminal.js';
import { describeContent } from '../terminal/tool-content.js';

/**
 * Prints a result to the standard output, or to the standard error if the result is an error. Content without text is
 * only described.
 */
export function printResult(terminal: Terminal, result: CallToolResult): void {
  const print = result.isError === true ? noteLine : printLine;
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  for (const text of describeContent(content)) print(terminal, text);
  if (content.length === 0 && result.structuredContent !== undefined) {
    print(terminal, JSON.stringify(result.structuredContent, undefined, 2));
  }
}
