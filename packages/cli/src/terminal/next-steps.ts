// Prints what a newcomer can do after a command, as a table.
import { styled } from './styled-text.js';
import { createStyler, noteLine, printLine, type Terminal } from './terminal.js';

/** A command, and what it does. */
export type NextStep = readonly [command: string, what: string];

export function printNextSteps(
  terminal: Terminal,
  steps: readonly NextStep[],
  stream: 'stdout' | 'stderr' = 'stdout',
): void {
  const style = createStyler(terminal, stream);
  const print = stream === 'stdout' ? printLine : noteLine;
  const width = Math.max(...steps.map(([command]) => command.length));
  print(terminal, '\nNext:');
  for (const [command, what] of steps)
    print(terminal, styled`  ${style('bold', command.padEnd(width))}  ${what}`);
}
