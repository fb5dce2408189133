// Makes the help texts from the table of commands.
import type { Command } from '../command.js';
import { COMMANDS } from '../commands.js';
import { styled, StyledText, type TerminalText } from './styled-text.js';
import { createStyler, type Terminal } from './terminal.js';
import { wrapWords } from './wrap-words.js';

// Longer lines could be wrapped by the terminal.
const COLUMNS = 80;

/** The help of `inboard` itself. */
export function describeCommands(terminal: Terminal, stream: 'stdout' | 'stderr' = 'stdout'): StyledText {
  const style = createStyler(terminal, stream);
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const);
  return joinLines([
    styled`${style('bold', 'inboard')}: agents for the Claude CLI whose tools run inside your own process`,
    '',
    'Usage: inboard <command> [options]',
    '',
    ...alignRows(rows, (text) => style('bold', text)),
    '',
    'Run "inboard <command> --help" for details, "inboard --version" for the version.',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 130 ended by Ctrl-C.',
  ]);
}

/** The help of one command. */
export function describeCommand(name: string, command: Command, terminal: Terminal): StyledText {
  const style = createStyler(terminal);
  const options = Object.entries(command.options).map(([key, option]) => {
    const short = option.short === undefined ? '' : `-${option.short}, `;
    return [`${short}--${key}${option.value === undefined ? '' : ` ${option.value}`}`, option.help] as const;
  });
  return joinLines([
    styled`${style('bold', `inboard ${name}`)}: ${wrapWords(command.summary, { columns: COLUMNS, indent: '  ', used: `inboard ${name}: `.length })}`,
    '',
    `Usage: inboard ${[name, command.usage].filter(Boolean).join(' ')}${options.length > 0 ? ' [options]' : ''}`,
    ...(command.details ? ['', ...wrapDetails(command.details)] : []),
    ...(options.length > 0 ? ['', ...alignRows(options, (text) => text)] : []),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ]);
}

function alignRows(
  rows: readonly (readonly [string, string])[],
  decorate: (text: string) => TerminalText,
): TerminalText[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  const indent = ' '.repeat(width + 4);
  return rows.map(
    ([left, right]) =>
      styled`  ${decorate(left.padEnd(width))}  ${wrapWords(right, { columns: COLUMNS, indent })}`,
  );
}

// Joins each line that does not end a sentence with the next line, then wraps the paragraphs.
function wrapDetails(lines: readonly string[]): string[] {
  const paragraphs = lines.join('\n').replace(/([^.:\n])\n(?=\S)/g, '$1 ');
  return paragraphs.split('\n').map((line) => wrapWords(line, { columns: COLUMNS }));
}

function joinLines(lines: readonly TerminalText[]): StyledText {
  return StyledText.join(lines.flatMap((line, index) => (index === 0 ? [line] : ['\n', line])));
}
