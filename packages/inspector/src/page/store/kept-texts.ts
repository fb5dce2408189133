// Reads and writes the browser's storage for this origin. Some browsers forbid it and throw.

/** The part of the browser's storage that is used. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** A stored text; undefined if there is none, or if the storage cannot be read. */
export function readKept(kept: () => KeptTexts, key: string): string | undefined {
  try {
    return kept().getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text. If that is forbidden, the text is lost with the page. */
export function keepText(kept: () => KeptTexts, key: string, value: string): void {
  try {
    kept().setItem(key, value);
  } catch {
    // Telling the reader would not help.
  }
}
