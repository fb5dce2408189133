// JSON Web Tokens in a chain of dotted words. An expression that looked for them at every place where one may begin
// would read the rest of the chain each time; this reads it once.
import { REDACTED } from '../trace-event.js';

const MIN_PART = 4;

/** The chain with each token in it hidden: a word with `eyJ` and more in it, and the two that follow. */
export function hideTokens(chain: string): string {
  const words = chain.split('.');
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    const start = findStart(word);
    if (start < 0 || (words[index + 1]?.length ?? 0) < MIN_PART || words[index + 2] === undefined) {
      kept.push(word);
      continue;
    }
    kept.push(`${word.slice(0, start)}${REDACTED}`);
    index += 2;
  }
  return kept.join('.');
}

/** Where a token begins in a word; below 0 where none does. */
function findStart(word: string): number {
  const start = word.indexOf('eyJ');
  return start >= 0 && word.length - start >= 'eyJ'.length + MIN_PART ? start : -1;
}
