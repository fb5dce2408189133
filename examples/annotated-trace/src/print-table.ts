// The joint table for a terminal of 80 columns or more, and the reasons below it.
import { styleText } from 'node:util';
import type { Step } from '../comparison/document.ts';
import { KNOWN_DIFFERENCES } from '../comparison/known-differences.ts';
import type { Comparison } from '../page/comparison-page.ts';

/** What is printed, and how. */
export type Table = Omit<Comparison, 'files'> & { width: number; colour: boolean };

const ARROWS = { 'cli-to-host': 'CLI → host', 'host-to-cli': 'host → CLI', none: ' '.repeat(10) } as const;
const LAYERS = { control: 'yellow', mcp: 'magenta', message: 'cyan', process: 'gray' } as const;
/** The columns that the document's time, a run's time with its letter, and an event take. */
const [TIME, CELL, EVENT] = [9, 9, 29];

/** The table and its reasons, without a line feed at the end. */
export function printTable({ lines, runs, differences, spans, payloads, width, colour }: Table): string {
  const paint = (how: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(how, text) : text;
  const time = (step: Step | undefined, columns: number) =>
    paint(step ? 'bold' : 'dim', (step?.time ?? '·').padStart(columns));
  // What is left for the words of a frame; too little on a narrow terminal.
  const room = width - TIME - runs.length * CELL - EVENT - 16;
  const rows = lines.map(({ step, document, runs: cells }, line) => {
    const ours = cells.map((cell, run) => {
      const found = differences.find((difference) => difference.line === line && difference.run === run);
      const letter = found?.reason ? paint('green', found.reason.letter) : found ? paint('red', '?') : ' ';
      return `${time(cell, CELL - 2)} ${letter}`;
    });
    const event = paint(LAYERS[step.layer], nameOf(step).padEnd(EVENT));
    const says = room > 10 ? `  ${paint('dim', cut(cells.findLast(Boolean)?.says ?? step.says, room))}` : '';
    return `${time(document, TIME)}${ours.join('')}  ${ARROWS[step.direction]}  ${event}${says}`;
  });
  const reasons = KNOWN_DIFFERENCES.flatMap((known) => {
    const cells = differences.filter(({ reason }) => reason === known).length;
    const title = `${paint('green', known.letter)}  ${paint('bold', known.title)} ${paint('dim', `${cells} cells`)}`;
    const why = known.why.match(new RegExp(`\\S.{0,${Math.min(width, 110) - 5}}(?!\\S)`, 'g')) ?? [];
    return cells === 0 ? [] : [title, ...why.map((text) => `   ${text}`)];
  });
  const titles = runs.map(({ title }) =>
    title
      .replace(/^\S+ (?=by)/, '')
      .padStart(CELL - 2)
      .padEnd(CELL),
  );
  const head = paint('dim', `${'document'.padStart(TIME)}${titles.join('')}  direction   event`);
  const open = differences.filter(({ reason }) => !reason).length;
  const last = `${differences.length} cells differ from the document. ${open === 0 ? 'All are explained.' : `${open} of them not explained, marked "?".`}`;
  const measured = spans.map(({ title, document, runs: ours }) => {
    const texts = [document, ...ours].map((span) => (span === undefined ? 'none' : `${span.toFixed(0)} ms`));
    return `${texts[0]?.padStart(TIME)}${texts
      .slice(1)
      .map((text) => `${text.padStart(CELL - 2)}  `)
      .join('')}  ${title}`;
  });
  const contents = payloads.map((frames, run) => printContents(frames, runs[run]?.title ?? ''));
  const parts = [[head, ...rows], measured, reasons, contents, [paint(open === 0 ? 'green' : 'red', last)]];
  return parts.map((part) => part.join('\n')).join('\n\n');
}

/** How many fields of the quoted frames are the same in a run, and how many differ without a reason. */
function printContents(frames: Table['payloads'][number], title: string): string {
  const found = frames.flatMap(({ differences: fields }) => fields ?? []);
  const same = frames.reduce((sum, frame) => sum + frame.same, 0);
  const open = found.filter(({ reason }) => !reason);
  const missing = frames.filter(({ differences: fields }) => !fields).length;
  const first = `${title}: ${frames.length - missing} of ${frames.length} quoted frames, ${same} fields the same, ${found.length} explained.`;
  return open.length === 0
    ? first
    : [`${title}: not explained:`, ...open.map(({ where, path }) => `  ? ${where}: ${path}`)].join('\n');
}

/** An answer is marked as one, and what is MCP inside the control protocol says so. */
function nameOf({ layer, event }: Step): string {
  const name = `${layer === 'mcp' ? 'mcp ' : ''}${event}`;
  return cut(name.endsWith(' answer') ? `↳ ${name.slice(0, -7)}` : name, EVENT);
}

const cut = (text: string, columns: number): string =>
  text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
