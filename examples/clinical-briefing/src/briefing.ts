// The shape of a briefing, and what no JSON Schema can say: whether it is true of the record and of the guidelines.
// A model writes no sentence of its own here. It chooses values, changes and quotes, and each of them is checked.
import { z } from 'zod';
import { addDays, shortestInterval } from './dates.js';
import { plain, splitSentences, type Chunk, type Guideline, type Patient } from '../app/records.js';
import {
  classOf,
  holds,
  isAbnormal,
  isMeant,
  isSame,
  judge,
  KINDS,
  listLatest,
  mentions,
  sayRule,
  type Change,
  type Rule,
} from '../app/rules.js';

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
/** How late an action may be whose sentence names no time, and how late a change or a referral may be at all. */
const MOST_DAYS = 14;

export interface Evidence {
  patient: Patient;
  today: string;
  guidelines: readonly Guideline[]; // all there are: what one of them forbids is forbidden, whether it was found or not
  retrieved: ReadonlyMap<string, Chunk>; // what this run has found until now
}

const citation = z.strictObject({
  source: z.string().describe('The id of a source, such as G-001.1'),
  quote: z.string().describe('One whole sentence of it, word for word'),
});
const date = z.iso.date();
const Flag = z.strictObject({
  severity: z.enum(SEVERITIES),
  lab: z.string().describe('The name of a laboratory value in the record'),
  value: z.number(),
  unit: z.string(),
  observedOn: date,
  citations: z.array(citation).describe('Sentences that name this value; empty when no guideline was found'),
});
const Action = z.strictObject({
  kind: z.enum(KINDS),
  what: z.string().describe('As the rule has it; of a class of medicines, the one that is meant'),
  dueBy: date,
  citations: z.array(citation).min(1).describe('Sentences that say to do this'),
});
const Shape = z.strictObject({ flags: z.array(Flag), actions: z.array(Action) });
export type Briefing = z.infer<typeof Shape>;

/** The schema for one run: it looks at what this run has retrieved at the moment it is asked. */
export function briefingSchema(evidence: Evidence) {
  return Shape.superRefine((briefing, context) => {
    const report = (path: (string | number)[], problems: Iterable<string>): void => {
      for (const message of problems) context.addIssue({ code: 'custom', message, path });
    };
    for (const [at, flag] of briefing.flags.entries()) report(['flags', at], checkFlag(flag, evidence));
    // What is started now may not go with what is started beside it.
    const started = briefing.actions
      .filter(({ kind }) => kind === 'start')
      .map(({ what }) => ({ name: what, dose: '' }));
    const after = { ...evidence.patient, medications: [...evidence.patient.medications, ...started] };
    for (const [at, action] of briefing.actions.entries())
      report(['actions', at], checkAction(action, evidence, after));
    report(['flags'], findMissingFlags(briefing, evidence.patient));
    report(['actions'], findMissingActions(briefing, evidence));
  });
}

function* checkFlag(
  { lab: name, value, unit, observedOn, severity, citations }: Briefing['flags'][number],
  { patient, retrieved }: Evidence,
) {
  const lab = listLatest(patient).find((each) => isSame(each.name, name));
  if (!lab) {
    yield `The record has no value named "${name}"`;
    return;
  }
  const isOurs = lab.name === name && lab.value === value && lab.unit === unit && lab.date === observedOn;
  if (!isOurs)
    yield `The latest ${name} of the record is ${lab.value} ${lab.unit} of ${lab.date}: name it so`;
  const isMild = severity === 'info';
  if (isMild ? isAbnormal(lab) : judge(lab) === 'normal')
    yield `${name} is ${judge(lab)}: it cannot be "${severity}"`;
  yield* checkCitations(citations, retrieved);
  if (!citations.every(({ quote }) => mentions(quote, name)))
    yield `A sentence that is cited does not name ${name}`;
}

function* checkAction(
  action: Briefing['actions'][number],
  { patient, today, guidelines, retrieved }: Evidence,
  after: Patient,
) {
  const { kind, what, dueBy, citations } = action;
  yield* checkCitations(citations, retrieved);
  const isTaken = patient.medications.some(({ name }) => isSame(name, what));
  const changesDose = kind === 'stop' || kind === 'increase' || kind === 'decrease';
  if (changesDose && !isTaken) yield `The record has no medicine named "${what}"`;
  const alike = patient.medications.find(({ name }) => classOf(name) === classOf(what));
  if (kind === 'start' && alike) yield `The patient takes ${alike.name} already`;
  const rules = guidelines.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.rules));
  for (const rule of rules) {
    const isAbout = rule.kind === kind && (isMeant(what, rule.what) || isMeant(rule.what, what));
    // What the record does not say may be so: only a condition that is known not to hold takes a ban away.
    const applies = rule.conditions.every((each) => holds(each, after, today) !== false);
    if (rule.force === 'forbid' && isAbout && applies)
      yield `${rule.guideline} forbids this: "${sayRule(rule)}"`;
  }
  for (const { source, quote } of citations) {
    const carried = retrieved.get(source)?.rules.filter(({ says }) => says === plain(quote)) ?? [];
    if (!carried.some((rule) => isAskedBy(rule, action) && isMet(rule, patient, today)))
      yield `"${quote}" has no rule to ${kind} ${what} whose conditions this record meets`;
  }
  // What must be done is not put off by citing a guideline that has more time.
  const musts = rules.filter(
    (rule) => rule.force === 'must' && isAskedBy(rule, action) && isMet(rule, patient, today),
  );
  const sentences = [...citations.map(({ quote }) => quote), ...musts.map(({ says }) => says)];
  const named = sentences.map((sentence) => shortestInterval(sentence) ?? MOST_DAYS);
  const days = Math.min(...named, kind === 'monitor' ? Infinity : MOST_DAYS);
  const latest = addDays(today, days);
  if (dueBy < today) yield `${dueBy} has passed: today is ${today}`;
  if (dueBy > latest) yield `${dueBy} is too late: by what is quoted it is due by ${latest}`;
}

function* checkCitations(
  citations: Briefing['actions'][number]['citations'],
  retrieved: Evidence['retrieved'],
) {
  for (const { source, quote } of citations) {
    const text = retrieved.get(source)?.text;
    if (text === undefined)
      yield `${source} was not returned by a search of this run: search for it, or drop it`;
    // Part of a sentence can say the opposite of the whole.
    else if (!splitSentences(text).includes(plain(quote)))
      yield `This is no whole sentence of ${source}: "${quote}"`;
  }
}

function* findMissingFlags({ flags }: Briefing, patient: Patient) {
  for (const lab of listLatest(patient)) {
    const count = flags.filter((flag) => isSame(flag.lab, lab.name)).length;
    if (isAbnormal(lab) && count === 0)
      yield `${lab.name} ${lab.value} is ${judge(lab)}, and no flag says so`;
    if (count > 1) yield `There are ${count} flags for ${lab.name}`;
  }
}

function* findMissingActions({ actions }: Briefing, { guidelines, patient, today }: Evidence) {
  for (const rule of guidelines.flatMap(({ chunks }) => chunks.flatMap(({ rules }) => rules)))
    if (
      rule.force === 'must' &&
      isMet(rule, patient, today) &&
      !actions.some((each) => isAskedBy(rule, each))
    )
      yield `${rule.guideline} asks for this, and no action does it: "${sayRule(rule)}"`;
  const changes = actions.map(({ kind, what }) => {
    if (kind === 'start') return classOf(what);
    return kind === 'monitor' || kind === 'refer' ? `${kind} ${what}` : what;
  });
  const twice = changes.find((each, at) => changes.indexOf(each) !== at);
  if (twice !== undefined) yield `There are two actions for ${twice}`;
}

function isAskedBy(rule: Rule, { kind, what }: Change): boolean {
  return rule.force !== 'forbid' && rule.kind === kind && isMeant(what, rule.what);
}

function isMet({ conditions }: Rule, patient: Patient, today: string): boolean {
  return conditions.every((each) => holds(each, patient, today) === true);
}
