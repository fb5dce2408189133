// The index of the guidelines: it embeds them, fills the store when that holds others, and turns questions into searches.
import { createHash } from 'node:crypto';
import { BriefingError } from '../src/errors.js';
import type { Embedder } from './embed.js';
import type { GuidelineStore } from './guideline-store.js';
import type { Guideline } from './records.js';

const WORD_WEIGHTS = { fused: 0.5, words: 1, meaning: 0 };
export type SearchMode = keyof typeof WORD_WEIGHTS;
// Words that say nothing about a topic.
const EMPTY =
  /^(?:an?|and|are|at|be|been|by|do|does|for|from|ha[ds]|have|how|i|in|is|its?|must|of|on|or|people|person|patient|should|than|that|the|this|to|was|we|were|what|when|which|who|whom|with)$/i;
const LAYOUT = 3; // changed when the same texts are stored in another way

export interface IndexSource {
  store: GuidelineStore;
  guidelines: readonly Guideline[];
  embedder: Embedder;
  onBuild?: () => void;
}

/** Opens the index, and fills the store first if need be. Throws INDEX_BROKEN when that cannot be done. */
export async function openIndex({ store, guidelines, embedder, onBuild }: IndexSource) {
  const facts = JSON.stringify([LAYOUT, embedder.name, guidelines]);
  const fingerprint = createHash('sha256').update(facts).digest('hex');
  try {
    if ((await store.readFingerprint()) !== fingerprint) {
      onBuild?.();
      const texts = guidelines.map(({ title, action, text }) => `${title}. ${action}. ${text}`);
      const keywords = guidelines.map((each) => `${each.title}: ${each.keywords}`);
      const [ofTexts, ofKeywords] = [await embedder.embed(texts), await embedder.embed(keywords)];
      const vectorsOf = (at: number) => [ofTexts[at]!, ofKeywords[at]!];
      const entries = guidelines.map((each, at) => ({ ...each, vectors: vectorsOf(at) }));
      await store.fill(fingerprint, entries);
    }
  } catch (error) {
    store.close();
    throw new BriefingError('INDEX_BROKEN', 'The index cannot be built:', error);
  }
  const known = new Map(guidelines.map((guideline) => [guideline.id, guideline]));
  return {
    close: () => store.close(),
    async search(query: string, limit: number, mode: SearchMode = 'fused'): Promise<Guideline[]> {
      const words = query.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !EMPTY.test(word)) ?? [];
      const [vector = []] = await embedder.embed([query]);
      const ids = await store.search({ words, vector, wordWeight: WORD_WEIGHTS[mode], limit });
      return ids.flatMap((id) => known.get(id) ?? []);
    },
  };
}
