// A model that is a script, for trying the example without an account. It reads the record in the prompt as a model would,
// searches for three things that matter, and answers with what it found. At first it cites a guideline from memory, as
// models do, to show that this is refused.
import {
  reply,
  startOffline,
  structuredOutput,
  toolUse,
  type Offline,
  type ScriptContext,
} from 'inboard/testing';
import type { Briefing } from './briefing.js';
import type { Guideline } from './guidelines.js';
import type { Patient } from './patient.js';

const SEARCH = 'mcp__guidelines__search_clinical_guidelines';
const FROM_MEMORY = [{ guideline: 'G-042', quote: 'This is well known and needs no search.' }];
const DAY_MS = 86_400_000;
const search = (query: string) => toolUse(SEARCH, { query });

export function startScriptedDoctor(): Promise<Offline> {
  return startOffline({ onExhausted: answer });
}

export function answer({ prompt, answers }: ScriptContext) {
  const [, today = '', record = '{}'] = /Today is (\S+)\.\s*<patient>(.*)<\/patient>/s.exec(prompt) ?? [];
  const patient = JSON.parse(record) as Patient;
  const [first, second, third] = planSearches(patient);
  const searches = answers.filter(({ name }) => name === SEARCH);
  if (searches.length === 0) return reply(search(first), search(second));
  if (searches.length === 2) return search(third);
  const found = searches.flatMap(({ text }) => (JSON.parse(text) as Guideline[]).slice(0, 1));
  const briefing = compose(patient, today, found);
  if (answers.length > searches.length) return structuredOutput(briefing); // the first try was refused
  const [action, ...others] = briefing.actions;
  return structuredOutput({ ...briefing, actions: [{ ...action, citations: FROM_MEMORY }, ...others] });
}

function planSearches({ labs, conditions, medications, reason }: Patient): [string, string, string] {
  const values = labs.filter(excessOf).map(({ name }, at) => `${name} ${medications[at]?.name ?? ''}`);
  const others = [...conditions, ...medications].map(({ name }) => name);
  const [first = reason, second = `${first}: treatment`, third = `${first}: monitoring`] = new Set([
    ...values,
    ...others,
  ]);
  return [first, second, third];
}

function compose({ name, reason, labs }: Patient, today: string, found: Guideline[]): Briefing {
  const cite = ({ id, text }: Guideline) => [{ guideline: id, quote: text.split(/(?<=\.) /)[0] ?? text }];
  const flags = found.flatMap((guideline, at) => {
    const lab = labs.filter(excessOf)[at];
    if (!lab) return [];
    const severity = excessOf(lab) > 0.25 ? ('critical' as const) : ('warning' as const);
    const finding = `${lab.name} ${lab.value} ${lab.unit} (reference ${lab.low ?? ''}–${lab.high ?? ''})`;
    return { severity, finding, observedOn: lab.date, citations: cite(guideline) };
  });
  const unique = [...new Map(found.map((guideline) => [guideline.action, guideline])).values()];
  const actions = unique.map((guideline, at) => {
    const dueBy = new Date(Date.parse(today) + (1 + at * 14) * DAY_MS).toISOString().slice(0, 10);
    return { action: guideline.action, dueBy, citations: cite(guideline) };
  });
  const summary = `This briefing was put together by a script, not by a model. ${name} comes because of ${reason}.`;
  return { summary, flags, actions };
}

/** How far a value is outside its range, as a part of the limit; 0 within. */
function excessOf({ value, low, high }: Patient['labs'][number]): number {
  if (low !== undefined && value < low) return (low - value) / low;
  return high !== undefined && value > high ? (value - high) / high : 0;
}
