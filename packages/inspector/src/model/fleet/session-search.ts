// Searches for words in the facts about a session, and says where they were found.
import type { SessionSummary } from '../session-summary.js';

/** Where words were found, with the text around the first of them. */
export interface SearchHit {
  field:
    | 'title'
    | 'prompt'
    | 'answer'
    | 'model'
    | 'folder'
    | 'file'
    | 'tool'
    | 'tenant'
    | 'agent'
    | 'worker'
    | 'id';
  excerpt: string;
}

const AROUND = 40;
/** The shortest word that is searched for in ids. Ids are long and random, so shorter words would match most of them. */
const LEAST_OF_ID = 6;

/** The words of a text for {@link findWords}: in lower case, without duplicates. */
export function splitWords(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))];
}

/** Where the first word was found, if every word occurs somewhere in the session; undefined otherwise. */
export function findWords(
  session: SessionSummary,
  words: readonly string[],
  tools: readonly string[],
): SearchHit | undefined {
  const fields = fieldsOf(session, tools);
  let first: SearchHit | undefined;
  for (const word of words) {
    const hit = fields.find(
      ({ field, lower }) => lower.includes(word) && (field !== 'id' || word.length >= LEAST_OF_ID),
    );
    if (hit === undefined) return undefined;
    first ??= { field: hit.field, excerpt: excerptOf(hit.text, hit.lower.indexOf(word), word.length) };
  }
  return first;
}

function fieldsOf(
  session: SessionSummary,
  tools: readonly string[],
): { field: SearchHit['field']; text: string; lower: string }[] {
  const {
    title,
    prompt,
    answer,
    model = '',
    cwd = '',
    file = '',
    id,
    sessionId = '',
    conversation,
  } = session;
  const texts: [SearchHit['field'], string][] = [
    ['title', title],
    ['prompt', prompt],
    ['answer', answer],
    ['tool', tools.join(' ')],
    ['model', model],
    ['file', file],
    ['folder', cwd],
    ['tenant', conversation?.tenant ?? ''],
    ['agent', conversation?.agent ?? ''],
    ['worker', conversation?.owner ?? ''],
    ['id', `${id} ${sessionId}`],
  ];
  return texts.map(([field, text]) => ({ field, text, lower: text.toLowerCase() }));
}

function excerptOf(text: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(text.length, at + length + AROUND);
  const middle = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${middle}${to < text.length ? '…' : ''}`;
}
