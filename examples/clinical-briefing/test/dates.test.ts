// Times in sentences, dates that count back, and rules that are not in their text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGuideline, patientSchema } from '../app/records.js';
import { resolveDate, shortestInterval } from '../src/dates.js';
import { guidelines, patient, TODAY } from './support.js';

const times: Record<string, number | undefined> = {
  'is repeated within two weeks before the treatment is changed': 14,
  'measure again within two to three days': 3,
  'repeat the test within 24 hours': 1,
  'Measure TSH six to eight weeks after each change': 56,
  'Measure TSH every four weeks until week 20': 28,
  'once a year while it is above 60, and every three months below': 90,
  'arrange an electrocardiogram on the same day and repeat within 24 hours': 0,
  'Above ten times the upper limit, stop at once': 0,
  'call the specialist within the week': 7,
  'See the person again within two working days': 2,
  'and measure the next day': 1,
  'doubles the risk for twelve months': undefined,
  'prednisolone 40 mg a day for five days': undefined,
};
for (const [text, days] of Object.entries(times))
  test(`"${text}" bounds by ${days ?? 'nothing'}`, () => assert.equal(shortestInterval(text), days));

test('dates of a record count back from today, so that a sample does not age', () => {
  assert.equal(resolveDate('6 days ago', TODAY), '2026-01-25');
  assert.equal(resolveDate('1 year 2 weeks ago', TODAY), '2025-01-17');
  assert.equal(resolveDate('2024-02-29', TODAY), '2024-02-29');
  for (const none of ['2025-02-29', 'ago', 'tomorrow', '-6 days ago', '2025-1-1', ''])
    assert.equal(resolveDate(none, TODAY), undefined, none);
  const tomorrow = { ...patient, labs: [{ ...patient.labs[0], date: '2026-02-01' }] };
  assert.match(patientSchema(TODAY).safeParse(tomorrow).error?.message ?? '', /is no date in the past/);
});

test('every rule is in the text of its guideline, and one that is not is an error', () => {
  assert.equal(guidelines.length, 38);
  assert.ok(guidelines.flatMap(({ chunks }) => chunks.flatMap(({ rules }) => rules)).length > 50);
  const write = (rule: string) =>
    `---\nid: G-1\ntitle: T\nsection: S\ndate: 2025-01-01\naction: A\nkeywords: K\n${rule}\n---\nGive rest. Wait.`;
  assert.equal(parseGuideline(write('must: start rest | Give rest')).chunks[0]?.rules.length, 1);
  assert.throws(() => parseGuideline(write('must: start rest | Give work')), /No sentence says "Give work"/);
  assert.throws(() => parseGuideline(write('must: drink rest | Give rest')), /is no part of a rule/);
  assert.throws(() => parseGuideline(write('must: start rest if tired | Give rest')), /"tired" is no part/);
  // Not in the vocabulary: it would never hold.
  assert.throws(
    () => parseGuideline(write('must: start rest if eGRF < 30 | Give rest')),
    /"eGRF < 30" is no/,
  );
});
