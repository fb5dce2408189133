// The table as Markdown, which reads well in a terminal, too.
import { formatFigure, formatTimes } from './format.mjs';

const COLUMNS = [
  { title: 'what', read: ({ text }) => text },
  { title: 'unit', read: ({ unit }) => unit },
  { title: 'official', isNumber: true, read: ({ official }) => formatFigure(official) },
  { title: 'Inboard', isNumber: true, read: ({ inboard }) => formatFigure(inboard) },
  { title: 'limit', isNumber: true, read: ({ limit }) => formatFigure(limit) },
  {
    title: 'times better than official',
    isNumber: true,
    read: ({ timesOfficial }) => formatTimes(timesOfficial),
  },
  { title: 'times the limit', isNumber: true, read: ({ timesLimit }) => formatTimes(timesLimit) },
];

/** All rows, with cells of equal width in a column. */
export function renderTable(rows) {
  const cells = [
    COLUMNS.map(({ title }) => title),
    ...rows.map((row) => COLUMNS.map(({ read }) => read(row))),
  ];
  const widths = COLUMNS.map((_, index) => Math.max(3, ...cells.map((line) => line[index].length)));
  const render = (line) =>
    `| ${line.map((cell, index) => (COLUMNS[index].isNumber ? cell.padStart(widths[index]) : cell.padEnd(widths[index]))).join(' | ')} |`;
  const rule = COLUMNS.map(
    ({ isNumber }, index) => `${'-'.repeat(widths[index] + 1)}${isNumber ? ':' : '-'}`,
  );
  const [head, ...body] = cells.map(render);
  return [head, `|${rule.join('|')}|`, ...body].join('\n');
}
