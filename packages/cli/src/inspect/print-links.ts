// `inboard inspect --link`: prints a new link to each inspector that this user runs on this machine.
import { askForLinks, type RunningInspector } from '@inboard/inspector/server/running-inspectors.js';
import { readSwitch, type CommandInput } from '../command.js';
import { noteLine, printLine } from '../terminal/terminal.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { openBrowser } from './open-browser.js';

const OF_A_NEW_SERVER = [
  'journal',
  'schema',
  'tenant',
  'tools',
  'read-only',
  'host',
  'allow-remote',
  'allow-host',
];

/**
 * Prints the links, one per line; with a port, only the link of the inspector that listens there. Throws a CommandError if
 * there is no inspector.
 */
export async function printLinks(input: CommandInput, port: number | undefined): Promise<number> {
  const { terminal, args } = input;
  if (args[0] !== undefined)
    throw new UsageError(
      `--link asks running inspectors, so it takes no file or folder. To open ${args[0]}, leave --link out.`,
    );
  const [unused] = OF_A_NEW_SERVER.filter((name) => input.values[name] !== undefined);
  if (unused !== undefined)
    throw new UsageError(
      `--link asks running inspectors, and --${unused} is for starting one. Leave out one of the two.`,
    );
  const all = await askForLinks();
  const wanted = port === undefined ? all : all.filter(({ origin }) => new URL(origin).port === String(port));
  if (wanted.length === 0) {
    const others = all.map(({ origin }) => origin).join(', ');
    throw new CommandError(
      'NO_INSPECTOR',
      others === ''
        ? 'You have no inspector running on this machine. Start one with "inboard inspect <trace file or folder>" or "inboard run --inspect", or start a program with INBOARD_INSPECT=1.'
        : `None of your inspectors listens on port ${port}. They listen on: ${others}.`,
    );
  }
  for (const inspector of wanted) {
    const { url } = inspector;
    noteLine(terminal, `${nameInspector(inspector)}:`);
    printLine(terminal, url);
    if (readSwitch(input, 'open')) openBrowser(url, terminal);
  }
  return EXIT_CODES.ok;
}

/** An inspector's title and process id. A default title already ends with the process id, so the id is not repeated. */
export function nameInspector({ title, pid }: Pick<RunningInspector, 'title' | 'pid'>): string {
  const process = `(process ${pid})`;
  return title.endsWith(process) ? title : `${title} ${process}`;
}
