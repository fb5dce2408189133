// What the browser keeps for this address, port included. Some browsers keep nothing, and say so by an error.

/** The part of the browser's storage that is used. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** A text that was kept; undefined where there is none, or nothing can be read. */
export function readKept(kept: () => KeptTexts, key: string): string | undefined {
  try {
    return kept().getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text; where that is forbidden, it is forgotten with the page. */
export function keepText(kept: () => KeptTexts, key: string, value: string): void {
  try {
    kept().setItem(key, value);
  } catch {
    // Nobody can be helped by knowing.
  }
}
