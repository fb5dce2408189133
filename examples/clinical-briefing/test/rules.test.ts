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
import { createBriefingServer } from '../src/search-tool.js';
import { writeBriefing } from '../src/write-briefing.js';
import { briefByScript, GOOD, guidelines, patient, SEARCH, TODAY } from './support.js';

const [low, high] = GOOD.flags;
const search = toolUse(SEARCH, { query: 'metformin eGFR, potassium on lisinopril' });
const wrong = { ...GOOD, flags: [{ ...low, value: 95 }, high] };

test('refuses what is wrong, tells the model why, and takes the corrected answer', async () => {
  const told: string[] = [];
  const seen: string[] = [];
  const correct = ({ answer }: ScriptContext) => {
    assert.ok(answer.isError);
    told.push(answer.text);
    return structuredOutput(GOOD);
  };
  const { briefing, refusals, searches } = await briefByScript([search, structuredOutput(wrong), correct], {
    onProgress: ({ type }) => seen.push(type),
  });
  assert.deepEqual(briefing, GOOD);
  assert.deepEqual(seen, ['search', 'found', 'refused']);
  assert.equal(searches.length, 1);
  assert.equal(refusals.length, 1);
  assert.match(told.join(), /latest eGFR of the record is 28 mL\/min of 2026-01-25[\s\S]*flags\[0\]/);
});

test('gives the model its sources as chunks in XML, with the rules that each carries', async () => {
  let sources = '';
  const read = ({ answer }: ScriptContext) => {
    sources = answer.text;
    return structuredOutput(GOOD);
  };
  await briefByScript([search, read]);
  const first =
    /<source id="G-001\.1" title="(.+?)" section="(.+?)" date="(.+?)">\n(.+?)\n(<rule .+?)\n<\/source>/s;
  const [, title, section, date, text, rules = ''] = first.exec(sources) ?? [];
  assert.deepEqual([title, section, date], ['Metformin and renal function', 'Dosing', '2024-03-11']);
  assert.equal(text, guidelines[0]?.chunks[0]?.text);
  const quote = low?.citations[0]?.quote ?? '';
  const stop = `<rule says="${quote}">must stop metformin if eGFR &#60; 30</rule>`;
  assert.ok(rules.includes(stop), rules);
});

test('does not take what another run has retrieved, though both use one server', async () => {
  const server = createBriefingServer({
    search: async (query) => guidelines.filter(({ id }) => query.includes(id)),
  });
  const brief = async (query: string) => {
    const script = [toolUse(SEARCH, { query }), ...Array(3).fill(structuredOutput(GOOD))];
    await using fake = createFakeCli(script, { allowEarlyEnd: true });
    return writeBriefing({
      patient,
      server,
      guidelines,
      today: TODAY,
      options: { transport: fake.transport },
    });
  };
  const [own, foreign] = await Promise.allSettled([brief('G-001 G-007'), brief('G-030')]);
  assert.equal(own.status, 'fulfilled');
  assert.ok(foreign.status === 'rejected' && foreign.reason instanceof BriefingError);
  assert.equal(foreign.reason.code, 'REFUSED');
  assert.match(foreign.reason.message, /G-001\.1 was not returned by a search of this run/);
});

const failures: Record<string, { script: FakeScript; code: BriefingError['code']; says: RegExp }> = {
  'three refused tries': {
    script: [search, ...Array(4).fill(structuredOutput(wrong))],
    code: 'REFUSED',
    says: /Refused 3 times[\s\S]*latest eGFR/,
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
