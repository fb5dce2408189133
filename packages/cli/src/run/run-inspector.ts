// The inspector beside a run in the terminal: `--inspect`.
import type { Inspector } from '@inboard/inspector/inspect.js';
import { readSwitch, type CommandInput } from '../command.js';
import { noteLine } from '../terminal/terminal.js';
import { loadPart } from '@inboard/core/util/load-part.js';

/** Whether somebody may answer on a page: by the option, or because the variable opens one for every program. */
export function isInspected(input: CommandInput): boolean {
  return readSwitch(input, 'inspect') || asksByVariable(input);
}

/** Opens the inspector where the option asks for it; whoever opened it closes it. */
export async function openRunInspector(input: CommandInput): Promise<Inspector | undefined> {
  // The session opens the one of the variable itself, and one is enough.
  if (!readSwitch(input, 'inspect') || asksByVariable(input)) return undefined;
  const { inspect } = await loadPart(() => import('@inboard/inspector/inspect.js'));
  const print = (link: string): void => noteLine(input.terminal, `Inspector: ${link}`);
  return inspect({ title: `inboard run ${input.args[0] ?? ''}`, print });
}

function asksByVariable({ terminal }: CommandInput): boolean {
  const value = terminal.env['INBOARD_INSPECT'];
  return value !== undefined && value !== '' && value !== '0';
}
