// What the tests share: the texts, a patient, and a stand-in for the embedding model that needs no time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryOptions } from 'inboard';
import { createFakeCli, type FakeCli, type FakeScript } from 'inboard/testing';
import type { Embedder } from '../app/embed.js';
import { openIndex } from '../app/guideline-index.js';
import { openLibsqlStore } from '../app/guideline-store.js';
import { readGuidelines, readPatient, splitSentences, type Guideline } from '../app/records.js';
import type { Briefing } from '../src/briefing.js';
import { createBriefingServer } from '../src/search-tool.js';
import { writeBriefing, type BriefingJob, type WrittenBriefing } from '../src/write-briefing.js';

export const HERE = join(import.meta.dirname, '..');
export const TODAY = '2026-01-31';
export const SEARCH = 'mcp__briefing__search_clinical_guidelines';
export const guidelines = await readGuidelines(join(HERE, 'guidelines'));
export const patient = await readPatient(join(HERE, 'patients', 'margit-lund.json'), TODAY);

/** Counts words by the first letters they begin with: enough to tell texts apart. */
export const quickEmbedder: Embedder = {
  name: 'letters',
  embed: async (texts) =>
    texts.map((text) => {
      const counts = Array.from({ length: 676 }, () => 0.001);
      for (const [pair] of text.toLowerCase().matchAll(/\b[a-z][a-z]/g))
        counts[(pair.charCodeAt(0) - 97) * 26 + pair.charCodeAt(1) - 97]! += 1;
      return counts;
    }),
};

export interface Place extends AsyncDisposable {
  folder: string;
}

export async function makePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'briefing-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** A briefing of the sample patient against a script of the fake CLI, with a real index. */
export async function briefByScript(
  script: FakeScript,
  more: {
    search?: (query: string) => Promise<Guideline[]>;
    signal?: AbortSignal;
    onProgress?: BriefingJob['onProgress'];
    options?: QueryOptions;
  } = {},
): Promise<WrittenBriefing & { fake: FakeCli }> {
  await using place = await makePlace();
  await using fake = createFakeCli(script, { allowEarlyEnd: true });
  const index = await openIndex({
    store: await openLibsqlStore(join(place.folder, 'index.db')),
    guidelines,
    embedder: quickEmbedder,
  });
  try {
    const server = createBriefingServer(more.search ? { search: more.search } : index);
    const options = { transport: fake.transport, ...more.options };
    const written = await writeBriefing({
      patient,
      server,
      guidelines,
      today: TODAY,
      options,
      signal: more.signal,
      onProgress: more.onProgress,
    });
    return { ...written, fake };
  } finally {
    index.close();
  }
}

/** The sentence of a guideline that holds these words, cited. */
export function cite(words: string): Briefing['actions'][number]['citations'] {
  for (const { id, text } of guidelines.flatMap(({ chunks }) => chunks))
    for (const quote of splitSentences(text)) if (quote.includes(words)) return [{ source: id, quote }];
  throw new Error(`No guideline says "${words}"`);
}

const LOW = { lab: 'eGFR', value: 28, unit: 'mL/min', observedOn: '2026-01-25' };
const HIGH = { lab: 'potassium', value: 5.7, unit: 'mmol/L', observedOn: '2026-01-25' };
const ON_POTASSIUM = cite('half the dose of the ACE inhibitor');
/** A briefing of the sample patient in which all is true. */
export const GOOD: Briefing = {
  flags: [
    { ...LOW, severity: 'critical', citations: cite('stop it when the eGFR falls below 30') },
    { ...HIGH, severity: 'warning', citations: ON_POTASSIUM },
  ],
  actions: [
    { kind: 'stop', what: 'metformin', dueBy: '2026-01-31', citations: cite('stop it when the eGFR') },
    { kind: 'decrease', what: 'lisinopril', dueBy: '2026-02-03', citations: ON_POTASSIUM },
    { kind: 'monitor', what: 'potassium', dueBy: '2026-02-03', citations: ON_POTASSIUM },
  ],
};
