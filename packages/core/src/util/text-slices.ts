// Cuts long texts into slices. It never cuts between the two halves of a surrogate pair, because each slice is encoded by
// itself.

/** The end of a slice that should end at `end`. It is one less if a surrogate pair would be cut there. */
export function findSliceEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const code = text.charCodeAt(end - 1);
  const isFirstHalf = code >= 0xd800 && code <= 0xdbff;
  return isFirstHalf ? end - 1 : end;
}

/** A text in slices of about this many UTF-16 units. */
export function* sliceText(text: string, units: number): Generator<string, undefined> {
  for (let at = 0; at < text.length;) {
    const end = findSliceEnd(text, at + units);
    yield text.slice(at, end);
    at = end;
  }
}
