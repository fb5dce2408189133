// The sources of an answer: citations of the API, and results of its web search. Each source is sent once.
import { isRecord } from '@inboard/core/util/guards.js';
import type { UiChunk } from './ui-chunk.js';

/** The sources of one answer. */
export class Sources {
  readonly #emit: (chunk: UiChunk) => void;
  readonly #seen = new Set<string>();

  constructor(emit: (chunk: UiChunk) => void) {
    this.#emit = emit;
  }

  /** Takes the citations of a text, or the results of a search. */
  take(found: unknown): void {
    if (Array.isArray(found)) for (const each of found.filter(isRecord)) this.#add(each);
  }

  #add({ url, source, title, document_title: document }: Record<string, unknown>): void {
    const address = [url, source].find(isWebAddress);
    const name = [title, document, source].find((each) => typeof each === 'string' && each !== '') as
      string | undefined;
    const key = address ?? name;
    if (key === undefined || this.#seen.has(key)) return;
    this.#seen.add(key);
    const sourceId = `source-${this.#seen.size}`;
    if (address !== undefined)
      this.#emit({ type: 'source-url', sourceId, url: address, ...(name !== undefined && { title: name }) });
    else if (name !== undefined)
      this.#emit({ type: 'source-document', sourceId, mediaType: 'text/plain', title: name });
  }
}

// The page makes a link of the address, so a `javascript:` address must not reach it.
function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}
