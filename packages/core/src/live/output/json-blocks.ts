// The fenced blocks of an answer that may hold JSON, in one pass: an expression for them would read to the end of the
// answer at every fence that is left open.

const FENCE = '```';
const JSON_LANGUAGES: ReadonlySet<string> = new Set(['', 'json', 'jsonc', 'json5']);

/** What is in each fenced block of JSON, or of no named language, in the order of the text. */
export function listJsonBlocks(text: string): string[] {
  const blocks: string[] = [];
  let lineEnd = -1;
  for (let open = text.indexOf(FENCE); open >= 0;) {
    const start = skipTicks(text, open);
    const close = text.indexOf(FENCE, start);
    if (close < 0) break;
    // Many fences may stand on one line, whose end is looked for once.
    if (lineEnd < start) lineEnd = text.indexOf('\n', start);
    if (lineEnd < 0) break;
    // A fence that closes on its own line is code inside a sentence.
    if (lineEnd < close && JSON_LANGUAGES.has(text.slice(start, lineEnd).trim().toLowerCase()))
      blocks.push(text.slice(lineEnd + 1, close));
    open = text.indexOf(FENCE, skipTicks(text, close));
  }
  return blocks;
}

/** Where the backticks end that begin at a place: a fence may have more than three. */
function skipTicks(text: string, from: number): number {
  let end = from;
  while (text.charAt(end) === '`') end += 1;
  return end;
}
