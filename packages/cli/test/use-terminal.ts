// The built command at a terminal of its own. `script` of util-linux makes it; the one of other systems takes other flags.
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { collect, type BuiltCommand, type Ran } from './built-command.js';

/** What is shown, and what is typed then. */
export type TerminalStep = readonly [shown: string, typed: string];

/** Runs the command at a terminal, and types each text once what stands before it has been shown. */
export async function useTerminal(
  command: BuiltCommand,
  words: readonly string[],
  { steps, env = {} }: { steps: readonly TerminalStep[]; env?: Record<string, string | undefined> },
): Promise<Ran> {
  const line = [process.execPath, command.file, ...words].map((word) => `'${word}'`).join(' ');
  // A shell that stays would be interrupted too.
  const child = spawn('/usr/bin/script', ['-qec', `exec ${line}`, '/dev/null'], {
    cwd: command.folder,
    env: { PATH: process.env['PATH'], ...env, NO_COLOR: '1', TERM: 'xterm' },
  });
  const ended = collect(child);
  const open = [...steps];
  let seen = '';
  child.stdout.on('data', (text: string) => {
    seen += text;
    for (let at = seen.indexOf(open[0]?.[0] ?? '\0'); at >= 0; at = seen.indexOf(open[0]?.[0] ?? '\0')) {
      const [shown = '', typed = ''] = open.shift() ?? [];
      seen = seen.slice(at + shown.length);
      child.stdin.write(typed);
    }
  });
  const ran = await ended;
  expect(open).toEqual([]);
  return ran;
}
