// The tool the model searches with, and what it found: the evidence of one run, which citations are checked against.
import { createSdkMcpServer, tool, type HandlerExtra } from 'inboard';
import { z } from 'zod';
import { BriefingError } from './errors.js';
import type { Guideline } from './records.js';

/** What one run has: its evidence, since what another run found is none for this one, and how to end it. */
export class SearchContext {
  readonly searches: { query: string; found: string[] }[] = [];
  readonly retrieved = new Map<string, Guideline>();
  readonly stop = new AbortController();
}

/** One server for all runs. The tool is marked read-only, so that the CLI runs several searches of one message at once. */
export function createGuidelineServer(index: { search(query: string, limit: number): Promise<Guideline[]> }) {
  const search = tool({
    name: 'search_clinical_guidelines',
    description: 'Finds guidelines by words and meaning. Search once for each condition, medicine or value.',
    inputSchema: { query: z.string().min(3).max(300).describe('What you need to know, in a few words') },
    readOnly: true,
    run: async ({ query }, { context }: HandlerExtra<SearchContext>) => {
      try {
        const found = await index.search(query, 4);
        context.searches.push({ query, found: found.map(({ id }) => id) });
        for (const guideline of found) context.retrieved.set(guideline.id, guideline);
        return found;
      } catch (error) {
        // Without evidence a briefing is worth nothing: the run ends, whatever the model would make of a tool error.
        context.stop.abort(new BriefingError('INDEX_BROKEN', 'The index cannot be searched:', error));
        throw error;
      }
    },
  });
  return createSdkMcpServer({ name: 'guidelines', tools: [search] });
}
