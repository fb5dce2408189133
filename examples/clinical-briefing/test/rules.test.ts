// The rules of a briefing, on the fake CLI: what is refused, what the model reads, and which error it becomes in the end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  apiError,
  createFakeCli,
  endTurn,
  structuredOutput,
  text,
  toolUse,
  type FakeScript,
  type ScriptContext,
} from 'inboard/testing';
import { BriefingError } from '../src/errors.js';
import { createGuidelineServer } from '../src/search-tool.js';
import { writeBriefing } from '../src/write-briefing.js';
import { briefByScript, briefingCiting, guidelines, patient, SEARCH, TODAY } from './support.js';

const metformin = guidelines.find(({ id }) => id === 'G-001')!;
const screening = guidelines.find(({ id }) => id === 'G-030')!;
const good = briefingCiting(metformin);
const [flag] = good.flags;
const [action] = good.actions;
const search = toolUse(SEARCH, { query: 'metformin eGFR' });

/** Answers with `bad`, keeps what the model is told, then answers as it should. */
function scriptWith(bad: Record<string, unknown>, told: string[]): FakeScript {
  const correct = ({ answer }: ScriptContext) => {
    assert.ok(answer.isError);
    told.push(answer.text);
    return structuredOutput(good);
  };
  return [search, structuredOutput(bad), correct];
}

const refused: Record<string, { bad: Record<string, unknown>; reason: RegExp }> = {
  'a guideline that exists and was not retrieved': {
    bad: briefingCiting(screening),
    reason: /G-030 was not returned by a search of this run[\s\S]*flags\[0\]\.citations\[0\]/,
  },
  'a quote that the guideline does not have': {
    bad: briefingCiting({ id: 'G-001', text: 'Metformin may be doubled at any eGFR.' }),
    reason: /This quote is not in G-001/,
  },
  'no citation at all': {
    bad: { ...good, actions: [{ ...action, citations: [] }] },
    reason: /actions\[0\]\.citations/,
  },
  'a finding of tomorrow': {
    bad: { ...good, flags: [{ ...flag, observedOn: '2026-02-01' }] },
    reason: /lies in the future: today is 2026-01-31[\s\S]*flags\[0\]\.observedOn/,
  },
  'a finding before birth': {
    bad: { ...good, flags: [{ ...flag, observedOn: '1953-03-13' }] },
    reason: /before the patient's birth on 1953-03-14/,
  },
  'a date that is none': {
    bad: { ...good, flags: [{ ...flag, observedOn: '2025-02-30' }] },
    reason: /Invalid ISO date/,
  },
  'an action due yesterday': {
    bad: { ...good, actions: [{ ...action, dueBy: '2026-01-30' }] },
    reason: /has passed/,
  },
  'a severity of its own': {
    bad: { ...good, flags: [{ ...flag, severity: 'bad' }] },
    reason: /flags\[0\]\.severity/,
  },
};

for (const [name, { bad, reason }] of Object.entries(refused)) {
  test(`refuses ${name}, tells the model why, and takes the corrected answer`, async () => {
    const told: string[] = [];
    const { briefing, refusals } = await briefByScript(scriptWith(bad, told));
    assert.deepEqual(briefing, good);
    assert.equal(refusals.length, 1);
    assert.match(told.join(), reason);
  });
}

test('accepts a quote with other spaces and capitals, and nothing that is only alike', async () => {
  const quote = metformin.text.slice(0, 60).toUpperCase().replaceAll(' ', '\n ');
  const { refusals } = await briefByScript([
    search,
    structuredOutput(briefingCiting({ id: 'G-001', text: quote.slice(0, 60) })),
  ]);
  assert.deepEqual(refusals, []);
});

test('does not take what another run has retrieved, though both use one server', async () => {
  const server = createGuidelineServer({
    search: async (query) => guidelines.filter(({ title }) => title.toLowerCase().includes(query)),
  });
  const brief = async (query: string, cited: typeof metformin) => {
    await using fake = createFakeCli(
      [toolUse(SEARCH, { query }), ...Array(3).fill(structuredOutput(briefingCiting(cited)))],
      {
        allowEarlyEnd: true,
      },
    );
    return writeBriefing({
      patient,
      guidelines: server,
      today: TODAY,
      options: { transport: fake.transport },
    });
  };
  const [own, foreign] = await Promise.allSettled([brief('metformin', metformin), brief('bowel', metformin)]);
  assert.equal(own.status, 'fulfilled');
  assert.ok(foreign.status === 'rejected' && foreign.reason instanceof BriefingError);
  assert.equal(foreign.reason.code, 'REFUSED');
});

const failures: Record<string, { script: FakeScript; code: BriefingError['code']; says: RegExp }> = {
  'three refused tries': {
    script: [search, ...Array(4).fill(structuredOutput(briefingCiting(screening)))],
    code: 'REFUSED',
    says: /Refused 3 times[\s\S]*G-030/,
  },
  'an answer without a briefing': {
    script: [search, text('I would rather not.')],
    code: 'NO_BRIEFING',
    says: /structured output/i,
  },
  'an error of the API': {
    script: [apiError(400, { message: 'bad request' })],
    code: 'MODEL_ERROR',
    says: /bad request/,
  },
  'too many turns': { script: [search, endTurn('error_max_turns')], code: 'MAX_TURNS', says: /turns/ },
};

for (const [name, { script, code, says }] of Object.entries(failures)) {
  test(`ends with ${code} after ${name}`, async () => {
    await assert.rejects(briefByScript(script), (error) => {
      assert.ok(error instanceof BriefingError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, says);
      return true;
    });
  });
}

test('ends at once with INDEX_BROKEN when the index cannot be searched', async () => {
  const broken = briefByScript([search, text('Then from memory.')], {
    search: () => Promise.reject(new Error('database disk image is malformed')),
  });
  await assert.rejects(broken, { code: 'INDEX_BROKEN', message: /malformed/ });
});

test('ends with CANCELLED when it is cancelled before, and in a search', async () => {
  await assert.rejects(briefByScript([search], { signal: AbortSignal.abort() }), { code: 'CANCELLED' });
  const cancel = new AbortController();
  const cancelled = briefByScript([search, text('Never said.')], {
    signal: cancel.signal,
    search: async () => {
      cancel.abort();
      return [];
    },
  });
  await assert.rejects(cancelled, { code: 'CANCELLED' });
});
