// `inboard inspect`: serves recordings to the browser until it is stopped. With `--journal` or `--link`, other files do
// the work.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { startInspectorServer } from '@inboard/inspector/server/inspector-server.js';
import { listInspectors } from '@inboard/inspector/server/running-inspectors.js';
import type { RecordedSource } from '@inboard/inspector/sources/recorded-source.js';
import { openTraceFile } from '@inboard/inspector/sources/trace-file.js';
import { openTraceFolder } from '@inboard/inspector/sources/trace-folder.js';
import { countOf } from '@inboard/core/util/message-of.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { noteLine, printLine, type Terminal } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { readPort, startListening } from '../port-option.js';
import { readAddress } from './listen-options.js';
import { untilStopped } from './until-stopped.js';
import { openBrowser } from './open-browser.js';
import { nameInspector, printLinks } from './print-links.js';
import { inspectJournal } from './inspect-journal.js';
import { FileTools } from './file-tools.js';

/** Serves until the user stops it, with exit code 0. With `--link` it prints links instead. */
export async function runInspect(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const port = readPort(input);
  if (readSwitch(input, 'link')) return printLinks(input, port);
  const host = readAddress(input);
  if (readText(input, 'journal') !== undefined) return await inspectJournal(input, { host, port });
  for (const name of ['schema', 'tenant'])
    if (input.values[name] !== undefined) throw new UsageError(`--${name} needs --journal <address>.`);
  const path = findRecordings(input);
  const toolsFile = readText(input, 'tools');
  const tools = toolsFile === undefined ? undefined : await FileTools.load(toolsFile, terminal);
  try {
    const source = await openRecordings(path, terminal, tools);
    try {
      const isReadOnly = readSwitch(input, 'read-only');
      const allowedHosts = readTexts(input, 'allow-host');
      const server = await startListening({ host, port }, () =>
        startInspectorServer(source, { host, port, isReadOnly, allowedHosts }),
      );
      try {
        announce(input, source, server.createLink());
        await untilStopped(terminal);
      } finally {
        await server.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    tools?.close();
  }
  return EXIT_CODES.ok;
}

/** The file or folder to show: the argument, or else what INBOARD_TRACE names. */
function findRecordings({ args, terminal }: CommandInput): string {
  const path = args[0] ?? terminal.env['INBOARD_TRACE'];
  if (path) return path;
  const running = listInspectors();
  if (running.length > 0) {
    noteLine(terminal, 'Your running inspectors on this machine:');
    for (const inspector of running) noteLine(terminal, `  ${inspector.origin}  ${nameInspector(inspector)}`);
    noteLine(terminal, 'For a link to each, run "inboard inspect --link".');
  }
  throw new UsageError(
    'Give a trace file, or a folder of them. Record one with "inboard run --trace <file>", the option "trace" or the variable INBOARD_TRACE; to watch a program live, start it with INBOARD_INSPECT=1.',
  );
}

function openRecordings(
  path: string,
  { cwd }: Terminal,
  tools: FileTools | undefined,
): Promise<RecordedSource> {
  const isFolder =
    statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() ?? /[\\/]$/.test(path);
  return isFolder ? openTraceFolder(path, { cwd, tools }) : openTraceFile(path, { cwd, tools });
}

function announce(input: CommandInput, source: RecordedSource, link: string): void {
  const { terminal } = input;
  const count = source.sessions().length;
  printLine(terminal, `Inspecting ${source.title} (${countOf(count, 'session')}) at ${link}`);
  noteLine(terminal, 'The link works once, within ten minutes. Press Ctrl-C to stop the inspector.');
  if (count === 0) noteLine(terminal, 'It contains no trace yet; new ones will appear.');
  for (const sentence of source.leftOut) noteLine(terminal, `Left out: ${sentence}`);
  if (readSwitch(input, 'open')) openBrowser(link, terminal);
}
