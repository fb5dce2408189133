// A briefing as a page for the terminal, with numbered evidence. Text of models and records is stripped of control characters.
import { styleText, stripVTControlCharacters } from 'node:util';
import { SEVERITIES } from '../src/briefing.js';
import type { BriefingError } from '../src/errors.js';
import type { Patient } from '../src/records.js';
import type { WrittenBriefing } from '../src/write-briefing.js';

type Look = Parameters<typeof styleText>[0];
const MARKS = { critical: '◆', warning: '▲', info: '·' } as const;
const LOOKS = { critical: 'red', warning: 'yellow', info: 'blue' } as const;

/** How wide it is and whether it has colours; the terminal's own unless given. */
export interface PageStyle {
  width?: number;
  colours?: boolean;
}

export interface PageFacts {
  file: string;
  patient: Patient;
  today: string;
  written: WrittenBriefing;
}

export function renderBriefing({ patient, today, written }: PageFacts, style: PageStyle = {}): string {
  const { briefing, searches, retrieved, refusals, costUsd } = written;
  const { width, paint } = readStyle(style);
  const lines: string[] = [];
  const rule = (): void => void lines.push(paint('dim', '─'.repeat(width)));
  const heading = (text: string, aside = ''): void =>
    void lines.push('', spread(paint('bold', text), paint('dim', aside), width));
  const numbers = new Map<string, number>();
  const refer = (citations: readonly { guideline: string }[]): string =>
    [...new Set(citations.map(({ guideline }) => guideline))]
      .map((id) => `[${numbers.get(id) ?? numbers.set(id, numbers.size + 1).size}]`)
      .join('');
  /** Text in a hanging block, with a remark at the right end of its first line, or below it where there is no room. */
  const entry = (label: string, text: string, aside: string): void => {
    const indent = visible(label).length;
    const room = width - indent - visible(aside).length - 2;
    const isBeside = room >= Math.min(24, clean(text).length);
    const [first = '', ...rest] = wrap(clean(text), isBeside ? room : width - indent);
    lines.push(isBeside ? spread(label + first, aside, width) : label + first);
    lines.push(...[...rest, ...(isBeside ? [] : [aside])].map((line) => ' '.repeat(indent) + line));
  };

  rule();
  lines.push(spread(paint('bold', clean(patient.name)), paint('dim', `briefing of ${today}`), width));
  const age = yearsBetween(patient.born, today);
  lines.push(
    spread(
      `${age} years, ${patient.sex}, born ${patient.born}`,
      paint('dim', 'fictional, not medical advice'),
      width,
    ),
  );
  rule();
  lines.push(...wrap(clean(briefing.summary), width));

  heading('Flags', briefing.flags.length === 0 ? 'none' : '');
  const bySeverity = briefing.flags.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  for (const { severity, finding, observedOn, citations } of bySeverity) {
    const label = paint(LOOKS[severity], `${MARKS[severity]} ${severity.padEnd(9)}`);
    entry(`  ${label} `, finding, `${paint('dim', observedOn)}  ${paint('cyan', refer(citations))}`);
  }
  heading('Suggested actions');
  for (const [at, { action, dueBy, citations }] of briefing.actions.entries())
    entry(`  ${at + 1}  `, action, `${paint('dim', `by ${dueBy}`)}  ${paint('cyan', refer(citations))}`);

  const citations = [...briefing.flags, ...briefing.actions].flatMap((each) => each.citations);
  heading('Evidence', `${numbers.size} cited of ${retrieved.size} retrieved`);
  for (const [id, number] of numbers) {
    const guideline = retrieved.get(id);
    const label = `  ${paint('cyan', `[${number}]`)} `;
    entry(
      label,
      `${id}  ${guideline?.title ?? ''}`,
      paint('dim', `${guideline?.section ?? ''}, ${guideline?.date ?? ''}`),
    );
    for (const quote of new Set(
      citations.filter((each) => each.guideline === id).map((each) => clean(each.quote)),
    ))
      lines.push(...wrap(`“${quote}”`, width - 6).map((line) => paint('dim', `      ${line}`)));
  }
  heading('Searches');
  for (const { query, found } of searches)
    entry('  ', query, paint('dim', found.join(' ') || 'nothing found'));
  for (const [at, refusal] of refusals.entries()) {
    heading(`Refused at try ${at + 1}`);
    for (const line of refusal.split('\n'))
      lines.push(...wrap(clean(line), width - 2).map((each) => paint('yellow', `  ${each}`)));
  }
  const tries = refusals.length === 0 ? 'Accepted at once' : `Accepted at try ${refusals.length + 1}`;
  const footer = `${tries}: every citation was retrieved, every quote is in its text. $${costUsd.toFixed(4)}`;
  lines.push('', ...wrap(footer, width).map((line) => paint('dim', line)));
  rule();
  return lines.join('\n');
}

export function renderFailure(file: string, { code, message }: BriefingError, style: PageStyle = {}): string {
  const { width, paint } = readStyle(style);
  const rule = paint('dim', '─'.repeat(width));
  const reason = message.split('\n').flatMap((line) => wrap(clean(line), width));
  return [rule, spread(paint('bold', file), paint('red', code), width), ...reason, rule].join('\n');
}

function readStyle({ width, colours }: PageStyle): {
  width: number;
  paint: (look: Look, text: string) => string;
} {
  const { FORCE_COLOR, NO_COLOR, COLUMNS } = process.env;
  const isColoured = colours ?? (FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY && !NO_COLOR);
  const columns = width ?? process.stdout.columns ?? (Number(COLUMNS) || 100);
  return {
    width: Math.max(40, Math.min(columns, 100)),
    paint: (look, text) => (isColoured && text !== '' ? styleText(look, text) : text),
  };
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line === '' || line.length + 1 + word.length <= width)
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Two texts at both ends of a line, or on two lines where they do not fit. */
function spread(left: string, right: string, width: number): string {
  if (right === '') return left;
  const gap = width - visible(left).length - visible(right).length;
  return gap > 0 ? left + ' '.repeat(gap) + right : `${left}\n${right}`;
}

function visible(text: string): string {
  return stripVTControlCharacters(text);
}

function clean(text: string): string {
  return visible(text).replace(/\p{Cc}+/gu, ' ');
}

function yearsBetween(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(5) < born.slice(5) ? years - 1 : years;
}
