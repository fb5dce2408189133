// `inboard inspect --journal`: serves the conversations of a cluster to the browser until it is stopped.
import { startInspectorServer } from '@inboard/inspector/server/inspector-server.js';
import { JournalSource } from '@inboard/inspector/sources/journal/journal-source.js';
import { withJournal } from '../cluster/open-journal.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { startListening } from '../port-option.js';
import { noteLine, printLine } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { openBrowser } from './open-browser.js';
import { untilStopped } from './until-stopped.js';

/** Serves until the user stops it, with exit code 0. */
export async function inspectJournal(
  input: CommandInput,
  { host, port }: { host: string; port: number | undefined },
): Promise<number> {
  const { terminal, args } = input;
  if (args[0] !== undefined || input.values['tools'] !== undefined)
    throw new UsageError('--journal shows a cluster, so it takes neither a recording nor --tools.');
  // An empty value usually comes from a shell variable that is not set. It must not be read as all tenants, or as no
  // tenant.
  for (const name of ['journal', 'schema', 'tenant'])
    if (input.values[name] === '') throw new UsageError(`--${name} needs a value that is not empty.`);
  const isReadOnly = readSwitch(input, 'read-only');
  return await withJournal(input, async (journal, { name }) => {
    const source = await JournalSource.open({
      journal,
      title: name,
      isReadOnly,
      tenant: readText(input, 'tenant'),
    });
    try {
      const allowedHosts = readTexts(input, 'allow-host');
      const server = await startListening({ host, port }, () =>
        startInspectorServer(source, { host, port, isReadOnly, allowedHosts }),
      );
      try {
        const link = server.createLink();
        printLine(terminal, `Inspecting ${name} at ${link}`);
        noteLine(terminal, 'The link works once, within ten minutes. Press Ctrl-C to stop the inspector.');
        if (readSwitch(input, 'open')) openBrowser(link, terminal);
        await untilStopped(terminal);
      } finally {
        await server.close();
      }
    } finally {
      await source.close();
    }
    return EXIT_CODES.ok;
  });
}
