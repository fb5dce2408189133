// Makes texts and times fit into the columns of a terminal.

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** A time in milliseconds as a text with a readable unit. */
export function formatMs(ms: number): string {
  if (!Number.isFinite(ms)) return '? ms';
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 10_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const tenths = Math.round(ms / 100);
  return `${Math.floor(tenths / 600)}m ${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}s`;
}

/** A text cut to `columns` columns. A wide character takes two columns. */
export function cutToColumns(text: string, columns: number): string {
  if (text.length * 2 <= columns) return text;
  let used = 0;
  let result = '';
  for (const character of text) {
    // No character before the Korean letters is wide. This check saves most uses of the slower expression.
    const wide = character >= '\u1100' && WIDE.test(character) ? 2 : 1;
    if (used + wide > columns) {
      return `${result.slice(0, result.length - (used >= columns ? (result.at(-1)?.length ?? 0) : 0))}…`;
    }
    used += wide;
    result += character;
  }
  return result;
}
