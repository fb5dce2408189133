// What the tests share: the texts, a patient, and a stand-in for the embedding model that needs no time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryOptions } from 'inboard';
import { createFakeCli, type FakeCli, type FakeScript } from 'inboard/testing';
import type { Embedder } from '../src/embed.js';
import { openIndex } from '../src/guideline-index.js';
import { readGuidelines, type Guideline, readPatient } from '../src/records.js';
import { createGuidelineServer } from '../src/search-tool.js';
import { writeBriefing, type WrittenBriefing } from '../src/write-briefing.js';

export const HERE = join(import.meta.dirname, '..');
export const TODAY = '2026-01-31';
export const SEARCH = 'mcp__guidelines__search_clinical_guidelines';
export const guidelines = await readGuidelines(join(HERE, 'guidelines'));
export const patient = await readPatient(join(HERE, 'patients', 'margit-lund.json'));

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
    options?: QueryOptions;
  } = {},
): Promise<WrittenBriefing & { fake: FakeCli }> {
  await using place = await makePlace();
  await using fake = createFakeCli(script, { allowEarlyEnd: true });
  const index = await openIndex({
    file: join(place.folder, 'index.db'),
    guidelines,
    embedder: quickEmbedder,
  });
  try {
    const server = createGuidelineServer(more.search ? { search: more.search } : index);
    const options = { transport: fake.transport, ...more.options };
    const written = await writeBriefing({
      patient,
      guidelines: server,
      today: TODAY,
      options,
      signal: more.signal,
    });
    return { ...written, fake };
  } finally {
    index.close();
  }
}

/** A valid briefing that cites one guideline. */
export function briefingCiting({ id, text }: Pick<Guideline, 'id' | 'text'>) {
  const citations = [{ guideline: id, quote: text.slice(0, 60) }];
  return {
    summary: 'A woman of 72 years with diabetes and kidney disease comes for her results.',
    flags: [{ severity: 'critical', finding: 'eGFR 28', observedOn: '2025-06-02', citations }],
    actions: [{ action: 'Stop metformin', dueBy: '2026-02-01', citations }],
  };
}
