// How well the search finds what a differently worded question is about: words alone, meaning alone, both fused.
//   npm run evaluate                              the questions that the index was tuned with
//   npm run evaluate evaluation/held-out.json     those it was not
//   npm run evaluate -- --bare                    without the keywords of the guidelines
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLocalEmbedder, type Embedder } from '../app/embed.js';
import { openIndex, type SearchMode } from '../app/guideline-index.js';
import { openLibsqlStore } from '../app/guideline-store.js';
import { readGuidelines } from '../app/records.js';

const HERE = import.meta.dirname;
const MODES: readonly SearchMode[] = ['words', 'meaning', 'fused'];
const TOP = 3;

export interface Hit {
  question: string;
  expects: string;
  /** The place of the expected guideline for each mode, from 1; 0 when it is not among the first three. */
  places: Record<SearchMode, number>;
}

/** Remembers what was embedded: here each question is asked in every mode. */
export function rememberVectors({ name, embed }: Embedder): Embedder {
  const known = new Map<string, Promise<number[][]>>();
  const embedOnce = (texts: readonly string[]): Promise<number[][]> => {
    const key = JSON.stringify(texts);
    const vectors = known.get(key) ?? embed(texts);
    known.set(key, vectors);
    return vectors;
  };
  return { name, embed: embedOnce };
}

export async function evaluate(
  index: Awaited<ReturnType<typeof openIndex>>,
  file = join(HERE, 'questions.json'),
): Promise<Hit[]> {
  const questions = JSON.parse(await readFile(file, 'utf8')) as Omit<Hit, 'places'>[];
  const hits: Hit[] = [];
  for (const { question, expects } of questions) {
    const places = { words: 0, meaning: 0, fused: 0 };
    for (const mode of MODES) {
      const found = await index.search(question, TOP, mode);
      places[mode] = found.findIndex(({ id }) => id === expects) + 1;
    }
    hits.push({ question, expects, places });
  }
  return hits;
}

export function countHits(hits: readonly Hit[], mode: SearchMode): number {
  return hits.filter(({ places }) => places[mode] > 0).length;
}

if (process.argv[1] === import.meta.filename) {
  const words = process.argv.slice(2);
  const isBare = words.includes('--bare');
  const file = words.find((word) => word !== '--bare');
  const guidelines = await readGuidelines(join(HERE, '..', 'guidelines'));
  const folder = process.env['DATA_DIR'] ?? join(HERE, '..', 'data');
  const index = await openIndex({
    store: await openLibsqlStore(join(folder, isBare ? 'bare.db' : 'guidelines.db')),
    guidelines: isBare ? guidelines.map((each) => ({ ...each, keywords: '' })) : guidelines,
    embedder: rememberVectors(createLocalEmbedder()),
  });
  const hits = await evaluate(index, file);
  console.log(`Place of the expected guideline among the first ${TOP}:\n`);
  console.log(' words  meaning  fused');
  for (const { question, expects, places } of hits) {
    const [words, meaning, fused] = MODES.map((mode) => (places[mode] === 0 ? '·' : String(places[mode])));
    console.log(`   ${words}       ${meaning}       ${fused}    ${expects}  ${question}`);
  }
  console.log(`\n${MODES.map((mode) => `${mode} ${countHits(hits, mode)} of ${hits.length}`).join(', ')}`);
  index.close();
}
