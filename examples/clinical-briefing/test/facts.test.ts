// Answers that are wrong in fact: each is what a careless or a hostile model might say, and each is refused with a reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { patientSchema, type Patient } from '../app/records.js';
import { briefingSchema, type Briefing } from '../src/briefing.js';
import { cite, GOOD, guidelines, patient, TODAY } from './support.js';

const retrieved = new Map(guidelines.flatMap(({ chunks }) => chunks.map((chunk) => [chunk.id, chunk])));
/** Why an answer is refused; undefined when it is accepted. Every guideline has been found, so that only facts can be wrong. */
function refuse(answer: unknown, about: Patient = patient): string | undefined {
  const evidence = { patient: about, today: TODAY, guidelines, retrieved };
  const { error } = briefingSchema(evidence).safeParse(answer);
  return error && z.prettifyError(error);
}

const [low, high] = GOOD.flags as [Briefing['flags'][number], Briefing['flags'][number]];
const [stop, halve, measure] = GOOD.actions as [Action, Action, Action];
type Action = Briefing['actions'][number];
const flagged = (change: object) => ({ ...GOOD, flags: [{ ...low, ...change }, high] });
const doing = (...actions: Action[]) => ({ ...GOOD, actions: [...GOOD.actions, ...actions] });
const act = (kind: Action['kind'], what: string, words: string, dueBy = '2026-02-01'): Action => ({
  kind,
  what,
  dueBy,
  citations: cite(words),
});
const METFORMIN = 'stop it when the eGFR falls below 30';

const wrong: Record<string, [answer: object, reason: RegExp]> = {
  'another value: eGFR 95': [flagged({ value: 95 }), /latest eGFR of the record is 28 mL\/min of 2026-01-25/],
  'another date: 1999': [flagged({ observedOn: '1999-01-25' }), /of 2026-01-25: name it so/],
  'another unit': [flagged({ unit: 'mmol/L' }), /is 28 mL\/min/],
  'the unit in other letters': [flagged({ unit: 'ml/min' }), /is 28 mL\/min/],
  'an older value of the record, as if nothing had happened since': [
    flagged({ value: 41, observedOn: '2025-07-05' }),
    /latest eGFR/,
  ],
  'a value of another analyte': [flagged({ value: 5.7 }), /latest eGFR/],
  'an analyte that the record does not have': [
    { ...GOOD, flags: [...GOOD.flags, { ...low, lab: 'sodium', value: 128, unit: 'mmol/L' }] },
    /no value named "sodium"/,
  ],
  'an abnormal value called harmless': [flagged({ severity: 'info' }), /eGFR is low: it cannot be "info"/],
  'a normal value called critical': [
    { ...GOOD, flags: [...GOOD.flags, { ...low, lab: 'HbA1c', value: 51, unit: 'mmol/mol', citations: [] }] },
    /HbA1c is normal: it cannot be "critical"/,
  ],
  'an abnormal value left out': [{ ...GOOD, flags: [low] }, /potassium 5\.7 is high, and no flag says so/],
  'a value flagged twice': [{ ...GOOD, flags: [...GOOD.flags, low] }, /2 flags for eGFR/],
  'a flag whose citation is about something else': [
    flagged({ citations: cite('Offer a mammogram every two years to women') }),
    /does not name eGFR/,
  ],
  'words of its own beside the facts': [flagged({ finding: 'eGFR 95, normal' }), /Unrecognized key/],
  'a summary of its own': [
    { ...GOOD, summary: 'The kidneys work well, and nothing is to be done.' },
    /Unrecognized key/,
  ],
  'more metformin, citing what forbids it': [
    { ...GOOD, actions: [{ ...stop, kind: 'increase' }, halve, measure] },
    /G-001 forbids this: "forbid increase metformin if eGFR < 45"/,
  ],
  'ibuprofen, citing what forbids it': [
    doing(act('start', 'ibuprofen', 'Avoid anti-inflammatory pain killers')),
    /G-009 forbids this: "forbid start NSAID/,
  ],
  'its class in place of ibuprofen': [
    doing(act('start', 'nsaid', 'Avoid anti-inflammatory pain killers')),
    /G-009 forbids this/,
  ],
  'two changes in one name': [
    doing(act('start', 'metformin 2 g and ibuprofen', METFORMIN)),
    /no rule to start metformin 2 g and ibuprofen/,
  ],
  'what one guideline advises and another forbids': [
    doing(act('start', 'enalapril', 'Give an ACE inhibitor or receptor blocker when the ratio')),
    /takes lisinopril already[\s\S]*G-007 forbids this/,
  ],
  'half a sentence that says the opposite of the whole': [
    doing({
      ...act('start', 'metformin', 'Do not start metformin'),
      citations: [{ source: 'G-001.1', quote: 'start metformin in a person whose eGFR is below 45.' }],
    }),
    /no whole sentence of G-001\.1/,
  ],
  'a quote with one word changed': [
    doing({
      ...stop,
      citations: cite(METFORMIN).map((each) => ({
        ...each,
        quote: each.quote.replace('below 30', 'below 15'),
      })),
    }),
    /no whole sentence/,
  ],
  'a rule whose condition the record does not meet': [
    {
      ...GOOD,
      actions: [stop, measure, act('stop', 'lisinopril', 'From 6.0 to 6.4 mmol/L stop the blocker')],
    },
    /no rule to stop lisinopril whose conditions this record meets/,
  ],
  'the right action with a sentence that does not ask for it': [
    { ...GOOD, actions: [{ ...stop, citations: cite('Metformin alone does not cause') }, halve, measure] },
    /has no rule to stop metformin/,
  ],
  'a sentence beside the right one that does not ask for it': [
    {
      ...GOOD,
      actions: [
        { ...stop, citations: [...stop.citations, ...cite('Metformin and insulin may continue')] },
        halve,
        measure,
      ],
    },
    /has no rule to stop metformin/,
  ],
  'a medicine stopped that is not taken': [
    doing(act('stop', 'warfarin', 'stop warfarin, give 1 to 5 mg vitamin K')),
    /no medicine named "warfarin"/,
  ],
  'a medicine that no guideline speaks of': [
    doing(act('start', 'morphine', METFORMIN)),
    /no rule to start morphine/,
  ],
  'a date 15 days after "within three days"': [
    { ...GOOD, actions: [stop, halve, { ...measure, dueBy: '2026-02-18' }] },
    /2026-02-18 is too late: by what is quoted it is due by 2026-02-03/,
  ],
  'the time of a guideline that has more of it': [
    {
      ...GOOD,
      actions: [
        stop,
        halve,
        act('monitor', 'potassium', 'Measure creatinine and potassium before', '2026-02-10'),
      ],
    },
    /2026-02-10 is too late: by what is quoted it is due by 2026-02-03/,
  ],
  'one day too late': [
    { ...GOOD, actions: [stop, { ...halve, dueBy: '2026-02-04' }, measure] },
    /too late: by what is quoted it is due by 2026-02-03/,
  ],
  'a change next year, where the sentence names no time': [
    { ...GOOD, actions: [{ ...stop, dueBy: '2027-01-31' }, halve, measure] },
    /due by 2026-02-14/,
  ],
  'a date that has passed': [
    { ...GOOD, actions: [{ ...stop, dueBy: '2026-01-30' }, halve, measure] },
    /has passed/,
  ],
  'a date that is none': [
    { ...GOOD, actions: [{ ...stop, dueBy: '2026-02-30' }, halve, measure] },
    /Invalid ISO date/,
  ],
  'what must be done, left out': [
    { ...GOOD, actions: [halve, measure] },
    /G-001 asks for this, and no action does it: "must stop metformin if eGFR < 30"/,
  ],
  'two changes of one medicine': [doing(stop), /two actions for metformin/],
  'a source that does not exist': [
    doing({ ...stop, citations: [{ source: 'G-042.1', quote: 'This is well known.' }] }),
    /G-042\.1 was not returned by a search/,
  ],
};

test('accepts what is true, whatever the spaces of a quote', () => {
  assert.equal(refuse(GOOD), undefined);
  const spaced = stop.citations.map((each) => ({ ...each, quote: each.quote.replaceAll(' ', '\n  ') }));
  assert.equal(refuse({ ...GOOD, actions: [{ ...stop, citations: spaced }, halve, measure] }), undefined);
  const normal = { ...low, severity: 'info', lab: 'HbA1c', value: 51, unit: 'mmol/mol', citations: [] };
  assert.equal(refuse({ ...GOOD, flags: [...GOOD.flags, normal] }), undefined);
});

for (const [name, [answer, reason]] of Object.entries(wrong))
  test(`refuses ${name}`, () => assert.match(refuse(answer) ?? 'accepted', reason));

test('takes a ban to hold where the record does not say, and reads the range of the analyte where it has none', () => {
  const unknown = { ...patient, medications: [], labs: patient.labs.filter(({ name }) => name !== 'eGFR') };
  const start = doing(act('start', 'metformin', 'Start with 500 mg once a day'));
  assert.match(refuse(start, unknown) ?? '', /G-001 forbids this: "forbid start metformin if eGFR < 45"/);
  const bare = { ...patient, labs: patient.labs.map((lab) => ({ ...lab, low: undefined, high: undefined })) };
  assert.match(refuse({ ...GOOD, flags: [low] }, bare) ?? '', /potassium 5\.7 is high/);
  const shouted = { ...bare, labs: bare.labs.map((lab) => ({ ...lab, name: lab.name.toUpperCase() })) };
  assert.match(refuse({ ...GOOD, flags: [] }, shouted) ?? '', /POTASSIUM 5\.7 is high/);
});

test('takes no record whose values are in another unit than the rules', () => {
  const labs = patient.labs.map((lab) => ({ ...lab, unit: lab.name === 'potassium' ? 'mg/dL' : lab.unit }));
  const { error } = patientSchema(TODAY).safeParse({ ...patient, labs });
  assert.match(error ? z.prettifyError(error) : '', /in another unit.*\n.*labs\[\d\]/);
  const unknown = { name: 'cortisol', value: 300, unit: 'nmol/L', date: TODAY };
  assert.ok(patientSchema(TODAY).safeParse({ ...patient, labs: [unknown] }).success);
});

test('refuses to start side by side what may not be taken together', () => {
  const well = { ...patient, medications: [], conditions: [{ name: 'atrial fibrillation' }], labs: [] };
  const both = [
    act('start', 'apixaban', 'A direct oral anticoagulant is preferred'),
    act('start', 'naproxen', 'Avoid anti'),
  ];
  assert.match(refuse({ flags: [], actions: both }, well) ?? '', /G-017 forbids this: "forbid start NSAID/);
  const two = [
    act('start', 'apixaban', 'A direct oral anticoagulant is'),
    act('start', 'edoxaban', 'A direct oral anticoagulant is'),
  ];
  assert.match(refuse({ flags: [], actions: two }, well) ?? '', /two actions for anticoagulant/);
});
