// A model that is a script, for trying the example without an account. It searches for three things in the record and
// answers with what it found; at first it cites a guideline from memory, as models do, to show that this is refused.
import { reply, structuredOutput, toolUse, type ScriptContext } from 'inboard/testing';
import type { Guideline, Patient } from './records.js';

const SEARCH = 'mcp__guidelines__search_clinical_guidelines';
const FROM_MEMORY = [{ guideline: 'G-042', quote: 'This is well known and needs no search.' }];

export function answerByScript({ prompt, answers }: ScriptContext) {
  const [, today = '', record = '{}'] = /Today is (\S+)\.\s*<patient>(.*)<\/patient>/s.exec(prompt) ?? [];
  const { name, reason, conditions, medications, labs } = JSON.parse(record) as Patient;
  const unusual = labs.filter(({ value, low = -Infinity, high = Infinity }) => value < low || value > high);
  const values = unusual.map((lab, at) => `${lab.name} ${medications[at]?.name ?? ''}`);
  const topics = [...values, ...conditions.map((each) => each.name), reason, 'medicines', 'screening'];
  const search = (at: number) => toolUse(SEARCH, { query: topics[at] });
  const searches = answers.filter((each) => each.name === SEARCH);
  if (searches.length === 0) return reply(search(0), search(1));
  if (searches.length === 2) return search(2);
  const found = searches.flatMap(({ text }) => (JSON.parse(text) as Guideline[]).slice(0, 1));
  const cite = ({ id, text }: Guideline) => [{ guideline: id, quote: text.split(/(?<=\.) /)[0] }];
  return structuredOutput({
    summary: `This briefing was put together by a script, not by a model. ${name} comes because of ${reason}.`,
    flags: unusual
      .slice(0, found.length)
      .map(({ name: lab, value, unit, low = '', high = '', date }, at) => ({
        severity: at === 0 ? 'critical' : 'warning',
        finding: `${lab} ${value} ${unit} (reference ${low}–${high})`,
        observedOn: date,
        citations: found.slice(at, at + 1).flatMap(cite),
      })),
    actions: found.map((guideline, at) => ({
      action: guideline.action,
      dueBy: new Date(Date.parse(today) + (1 + 14 * at) * 86_400_000).toISOString().slice(0, 10),
      citations: at === 0 && answers.length === 3 ? FROM_MEMORY : cite(guideline),
    })),
  });
}
