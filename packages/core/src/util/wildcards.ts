// Texts with gaps that anything fills, compared in time in proportion to their length; an expression with several gaps
// would try every way of filling them.

/** Whether a text is those pieces in their order, with anything between them. */
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
