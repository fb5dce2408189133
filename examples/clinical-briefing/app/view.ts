// A briefing in words, for every page: written here from what was checked, and not by the model.
import { SEVERITIES, type Briefing } from '../src/briefing.js';
import type { BriefingJob, WrittenBriefing } from '../src/write-briefing.js';
import { plain } from './records.js';
import { ageOf, isAbnormal, judge, listLatest } from './rules.js';

type Job = Pick<BriefingJob, 'patient' | 'today' | 'guidelines'>;
export function describeBriefing({ patient, today, guidelines }: Job, written: WrittenBriefing) {
  const { briefing, searches, refusals, costUsd } = written;
  const cite = (citations: Briefing['flags'][number]['citations']) =>
    citations.map(({ source, quote }) => {
      const guideline = guidelines.find(({ chunks }) => chunks.some(({ id }) => id === source));
      return { source, quote: plain(quote), title: guideline?.title ?? '', text: guideline?.text ?? '' };
    });
  const labs = listLatest(patient);
  const odd = labs.filter(isAbnormal).map((lab) => `${lab.name} ${lab.value} ${lab.unit} (${judge(lab)})`);
  const order = ({ severity }: Briefing['flags'][number]): number => SEVERITIES.indexOf(severity);
  return {
    name: patient.name,
    about: `${ageOf(patient, today)} years, ${patient.sex}, born ${patient.born}`,
    summary: `Comes for: ${patient.reason}. Outside their range: ${odd.join(', ') || 'no latest value'}.`,
    flags: briefing.flags
      .toSorted((one, other) => order(one) - order(other))
      .map(({ severity, lab: name, citations }) => {
        const lab = labs.find((each) => each.name === name)!;
        const text = `${name} ${lab.value} ${lab.unit}, ${judge(lab)}, of ${lab.date}`;
        return { severity, text, citations: cite(citations) };
      }),
    actions: briefing.actions
      .toSorted((one, other) => (one.dueBy < other.dueBy ? -1 : 1))
      .map(({ kind, what, dueBy, citations }) => {
        const text = `${kind[0]?.toUpperCase()}${kind.slice(1)} ${what}, by ${dueBy}`;
        return { text, citations: cite(citations) };
      }),
    searches,
    refusals,
    footer: `Accepted at try ${refusals.length + 1}: values, changes, quotes and times agree with the record and the guidelines. Not medical advice. $${costUsd.toFixed(4)}`,
  };
}
export type View = ReturnType<typeof describeBriefing>;
