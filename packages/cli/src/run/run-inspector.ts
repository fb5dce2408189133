// Opens the inspector for a run in the terminal, when `--inspect` is given.
import type { Inspector } from '@inboard/inspector/inspect.js';
import { readSwitch, type CommandInput } from '../command.js';
import { noteLine } from '../terminal/terminal.js';
import { loadPart } from '@inboard/core/util/load-part.js';

/** Whether `--inspect` or the variable INBOARD_INSPECT opens a page on which questions can be answered. */
export function isInspected(input: CommandInput): boolean {
  return readSwitch(input, 'inspect') || asksByVariable(input);
}

/** Opens the inspector if `--inspect` asks for it. The caller closes it. */
export async function openRunInspector(input: CommandInput): Promise<Inspector | undefined> {
  // If the variable is set, the session opens an inspector by itself. A second one is not needed.
  if (!readSwitch(input, 'inspect') || asksByVariable(input)) return undefined;
  const { inspect } = await loadPart(() => import('@inboard/inspector/inspect.js'));
  const print = (link: string): void => noteLine(input.terminal, `Inspector: ${link}`);
  return inspect({ title: `inboard run ${input.args[0] ?? ''}`, print });
}

function asksByVariable({ terminal }: CommandInput): boolean {
  const value = terminal.env['INBOARD_INSPECT'];
  return value !== undefined && value !== '' && value !== '0';
}
