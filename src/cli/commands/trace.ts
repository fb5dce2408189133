// `inboard trace`: looks at a recorded run, or plays it again against your tools.
import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { query } from '../../verbs/query/query.js';
import { findNearestName } from '../../util/nearest-name.js';
import {
  buildTimeline,
  formatReport,
  openTape,
  readTrace,
  renderTimelineHtml,
  renderTimelineMermaid,
  renderTimelineText,
  type ReplayReport,
} from '../../doors/trace.js';
import { hideSecrets } from '../../record/trace/replay/format-report.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { loadTools } from '../tools/load-tools.js';
import { isColoured, noteLine, printLine } from '../terminal/terminal.js';
import { EXIT_CODES, UsageError } from '../terminal/usage-error.js';
import { withoutUndefined } from '../../util/without-undefined.js';

const ACTIONS: Readonly<Record<string, (input: CommandInput, file: string) => Promise<number>>> = {
  view: viewTrace,
  html: writeHtml,
  mermaid: writeMermaid,
  replay: replayTrace,
};

/** Does one of the four; see the help. */
export async function runTrace(input: CommandInput): Promise<number> {
  const [word = '', file = ''] = input.words;
  const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (action) return action(input, resolve(input.terminal.cwd, file));
  const nearest = findNearestName(word, Object.keys(ACTIONS));
  throw new UsageError(
    `There is no "trace ${word}".${nearest === undefined ? ` There are: ${Object.keys(ACTIONS).join(', ')}.` : ` Did you mean "${nearest}"?`}`,
  );
}

async function viewTrace(input: CommandInput, file: string): Promise<number> {
  const { terminal } = input;
  const timeline = buildTimeline(await readTrace(file));
  const maxRows = readRows(input);
  if (readSwitch(input, 'json')) {
    printLine(terminal, JSON.stringify({ ...timeline, rows: timeline.rows.slice(0, maxRows) }));
    return EXIT_CODES.ok;
  }
  const { columns } = terminal.stdout as { columns?: number };
  const text = renderTimelineText(timeline, { colour: isColoured(terminal), width: columns, maxRows });
  printLine(terminal, text);
  return EXIT_CODES.ok;
}

async function writeHtml(input: CommandInput, file: string): Promise<number> {
  const page = renderTimelineHtml(buildTimeline(await readTrace(file)));
  const target = readText(input, 'output') ?? `${basename(file).replace(/\.[^.]+$/, '')}.html`;
  return writeResult(input, target, page);
}

async function writeMermaid(input: CommandInput, file: string): Promise<number> {
  const maxRows = readRows(input);
  const timeline = buildTimeline(await readTrace(file));
  const text = renderTimelineMermaid(timeline, maxRows === undefined ? {} : { maxRows });
  return writeResult(input, readText(input, 'output') ?? '-', text);
}

async function writeResult({ terminal }: CommandInput, target: string, text: string): Promise<number> {
  if (target === '-') {
    terminal.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  } else {
    const path = resolve(terminal.cwd, target);
    await writeFile(path, text);
    printLine(terminal, path);
  }
  return EXIT_CODES.ok;
}

async function replayTrace(input: CommandInput, file: string): Promise<number> {
  const { terminal } = input;
  const toolsFile = readText(input, 'tools');
  const loaded = toolsFile === undefined ? undefined : await loadTools(toolsFile, terminal.cwd);
  for (const { message } of loaded?.warnings ?? []) noteLine(terminal, `Warning: ${message}`);
  const tape = await openTape(file, {
    tools: loaded ? 'live' : 'taped',
    // Whoever answered them then is not here now.
    permissions: 'taped',
    hooks: 'taped',
    dialogs: 'taped',
    ignore: readTexts(input, 'ignore'),
  });
  const q = query({
    prompt: tape.prompt,
    options: {
      transport: tape.transport,
      mcpServers: loaded?.servers,
      onWarning: () => {},
    },
  });
  const stop = (): void => void q.close().catch(() => {});
  terminal.signal.addEventListener('abort', stop, { once: true });
  let failure: unknown;
  try {
    for await (const _message of q);
  } catch (error) {
    // The recorded run may have ended badly, and then this one should; the report knows.
    failure = error;
  } finally {
    terminal.signal.removeEventListener('abort', stop);
    await q.close();
  }
  terminal.signal.throwIfAborted();
  const report = tape.report();
  if (!report.finished && !report.error && failure !== undefined) throw failure;
  if (readSwitch(input, 'json')) printLine(terminal, JSON.stringify(toJson(report), undefined, 2));
  else printLine(terminal, formatReport(report));
  return report.ok ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function toJson(found: ReplayReport): object {
  const { error, ...report } = hideSecrets(found);
  return withoutUndefined({ ...report, error: error?.message });
}

function readRows(input: CommandInput): number | undefined {
  const text = readText(input, 'rows');
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--rows must be a number of at least 1, and it is "${text}".`);
}
