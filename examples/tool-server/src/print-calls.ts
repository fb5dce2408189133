// Prints what the model reads, an answer of a tool per line, those of one tool together.
import { styleText } from 'node:util';
import type { SDKMessage } from 'inboard';

export function paint(style: 'bold' | 'yellow', text: string): string {
  const hasColours = process.env['FORCE_COLOR'] === '1' || (process.stdout.isTTY && !process.env['NO_COLOR']);
  return hasColours ? styleText(style, text) : text;
}

/** Whatever a terminal would act on is shown, not done: the text comes from models, tools and people. */
export function plain(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\u{FFFD}');
}

/** A printer for the messages of one session. */
export function createCallPrinter(print: (line: string) => void): (message: SDKMessage) => void {
  const names = new Map<string, string>();
  let lastTool = '';
  return (message) => {
    if (message.type !== 'assistant' && message.type !== 'user') return;
    for (const block of message.message.content) {
      if (typeof block === 'string') continue;
      if (block.type === 'tool_use') names.set(block.id, block.name);
      if (block.type !== 'tool_result') continue;
      const [, server = '', tool = '?'] = (names.get(block.tool_use_id) ?? '').split('__');
      if (tool !== lastTool) print(`\n${paint('bold', (lastTool = tool))}`);
      const parts = typeof block.content === 'string' ? [{ text: block.content }] : (block.content ?? []);
      const answer = plain(parts.map((part) => ('text' in part ? part.text : '')).join('\n'));
      const lines = answer.split('\n').map((line) => (block.is_error ? paint('yellow', line) : line));
      print(`  ${server.padEnd(6)} ${lines.join(`\n${' '.repeat(9)}`)}`);
    }
  };
}
