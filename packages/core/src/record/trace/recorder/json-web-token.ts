// Hides JSON Web Tokens in a chain of words that are joined by dots. This code reads the chain once. A regular
// expression would read the rest of the chain again from each possible start.
import { REDACTED } from '../trace-event.js';

const MIN_PART = 4;

/** The chain with each token hidden. A token is a word with `eyJ` and more characters, and the two words after it. */
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

/** The start of a token in a word; negative if there is none. */
function findStart(word: string): number {
  const start = word.indexOf('eyJ');
  return start >= 0 && word.length - start >= 'eyJ'.length + MIN_PART ? start : -1;
}
