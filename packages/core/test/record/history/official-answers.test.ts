// Our answers beside those of the official functions on the same folders. They are recorded, so that this needs
// nothing of the official package; scripts/compare-official.mjs records them, and compares far more.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getSessionInfo, listSessions } from '../../../src/record/history/sessions/list-sessions.js';
import { getSessionMessages } from '../../../src/record/history/sessions/session-messages.js';
import { getSubagentMessages, listSubagents } from '../../../src/record/history/sessions/subagents.js';
import { RECORDED_CASES } from './support/recorded-cases.js';
import { askCase, recordAnswer } from './support/session-case.js';

const OURS = { listSessions, getSessionInfo, getSessionMessages, listSubagents, getSubagentMessages };
const ANSWERS = JSON.parse(
  readFileSync(new URL('../../../../../test/fixtures/official-sessions.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, unknown[]>>;

describe.each(Object.entries(RECORDED_CASES))('%s', (group, cases) => {
  it('are all recorded', () => {
    expect(Object.keys(ANSWERS[group] ?? {})).toEqual(cases.map(({ name }) => name));
  });

  it.each(cases)('$name', async (given) => {
    expect((await askCase(OURS, given)).map(recordAnswer)).toEqual(ANSWERS[group]?.[given.name]);
  });
});
