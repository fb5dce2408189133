// Compares a text with a pattern whose gaps match anything, in one pass. A regular expression with several gaps would try
// every way to fill them.

/** Whether a text consists of these pieces in order, with anything between them. */
export function fitsPieces(pieces: readonly string[], text: string): boolean {
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return from <= text.length - last.length;
}
