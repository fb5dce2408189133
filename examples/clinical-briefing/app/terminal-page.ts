// A briefing as lines for a terminal. Control characters of models and records are left out.
import { stripVTControlCharacters, styleText } from 'node:util';
import type { View } from './view.js';

const LOOKS = { critical: 'red', warning: 'yellow', info: 'blue' } as const;
type Look = Parameters<typeof styleText>[0];

export function renderBriefing(view: View, colours = process.stdout.isTTY): string {
  const paint = (look: Look, text: string) => (colours ? styleText(look, clean(text)) : clean(text));
  const cite = ({ citations }: View['actions'][number]) =>
    citations.map(({ quote, source, title }) => paint('dim', `    “${quote}” (${source}, ${title})`));
  return [
    paint('bold', `${view.name}, ${view.about}`),
    clean(view.summary),
    ...view.flags.flatMap((each) => [
      paint(LOOKS[each.severity], `  ${each.severity}: ${each.text}`),
      ...cite(each),
    ]),
    ...view.actions.flatMap((each) => [clean(`  - ${each.text}`), ...cite(each)]),
    ...view.searches.map(({ query, found }) => paint('cyan', `  searched ${query}: ${found.join(' ')}`)),
    ...view.refusals.map((why, at) => paint('yellow', `  try ${at + 1} was refused: ${why}`)),
    paint('dim', view.footer),
  ].join('\n');
}

export function clean(text: string): string {
  return stripVTControlCharacters(text).replace(/\p{Cc}+/gu, ' ');
}
