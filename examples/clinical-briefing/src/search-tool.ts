// The tool the model searches with, and what it found: the evidence of one run, which citations are checked against.
import { createSdkMcpServer, tool, type HandlerExtra } from 'inboard';
import { z } from 'zod';
import { BriefingError } from './errors.js';
import type { Chunk, Guideline } from '../app/records.js';
import { sayRule } from '../app/rules.js';

export type Progress =
  | { type: 'search'; query: string }
  | { type: 'found'; query: string; found: { id: string; title: string }[] }
  | { type: 'refused'; why: string };

/** What one run has: its evidence, since what another run found is none for this one, and how to end it. */
export class SearchContext {
  readonly searches: { query: string; found: string[] }[] = [];
  readonly retrieved = new Map<string, Chunk>();
  readonly stop = new AbortController();
  readonly tell: (progress: Progress) => void;
  constructor(tell: (progress: Progress) => void = () => {}) {
    this.tell = tell;
  }
}

/** One server for all runs. The tool is marked read-only, so that the CLI runs several searches of one message at once. */
export function createBriefingServer(index: { search(query: string, limit: number): Promise<Guideline[]> }) {
  const search = tool({
    name: 'search_clinical_guidelines',
    description:
      'Finds guidelines by words and meaning. Search for conditions, medicines and values together.',
    inputSchema: { query: z.string().min(3).max(300).describe('What you need to know, in a few words') },
    readOnly: true,
    run: async ({ query }, { context }: HandlerExtra<SearchContext>) => {
      context.tell({ type: 'search', query });
      try {
        const found = await index.search(query, 4);
        context.searches.push({ query, found: found.map(({ id }) => id) });
        for (const chunk of found.flatMap(({ chunks }) => chunks)) context.retrieved.set(chunk.id, chunk);
        context.tell({ type: 'found', query, found: found.map(({ id, title }) => ({ id, title })) });
        return writeSources(found);
      } catch (error) {
        // Without evidence a briefing is worth nothing: the run ends, whatever the model would make of a tool error.
        context.stop.abort(new BriefingError('INDEX_BROKEN', 'The index cannot be searched:', error));
        throw error;
      }
    },
  });
  return createSdkMcpServer({ name: 'briefing', tools: [search] });
}

/** The chunks as XML, each under the id by which it is cited. */
function writeSources(found: readonly Guideline[]): string {
  const sources = found.flatMap(({ title, section, date, chunks }) =>
    chunks.map(({ id, text, rules }) => {
      const carried = rules
        .map((rule) => `\n<rule says="${escapeXml(rule.says)}">${escapeXml(sayRule(rule))}</rule>`)
        .join('');
      const about = `title="${escapeXml(title)}" section="${escapeXml(section)}" date="${date}"`;
      return `<source id="${id}" ${about}>\n${escapeXml(text)}${carried}\n</source>`;
    }),
  );
  return `<sources>\n${sources.join('\n')}\n</sources>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
