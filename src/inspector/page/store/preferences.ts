// What a reader chose for this browser: how the page looks, and whether it may notify. Kept where the browser keeps such things.
import { signal, type Signal } from '@preact/signals';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The part of the browser's storage that is used. It may throw: some forbid it to pages from disk. */
export interface KeptTexts {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface Preferences {
  theme: Signal<Theme>;
  notifies: Signal<boolean>;
  /** Writes down what is chosen now. */
  keep(): void;
}

const KEY = 'inboard-inspector';

/** Reads them; anything that cannot be read is as if nothing had been chosen. */
export function createPreferences(kept: () => KeptTexts): Preferences {
  const known = read(kept);
  const theme = signal<Theme>(THEMES.find((name) => name === known['theme']) ?? 'system');
  const notifies = signal(known['notifies'] === true);
  return {
    theme,
    notifies,
    keep: () => {
      try {
        kept().setItem(KEY, JSON.stringify({ theme: theme.value, notifies: notifies.value }));
      } catch {
        // Then it holds until the page is closed.
      }
    },
  };
}

function read(kept: () => KeptTexts): Record<string, unknown> {
  try {
    return { ...(JSON.parse(kept().getItem(KEY) ?? '{}') as Record<string, unknown>) };
  } catch {
    return {};
  }
}
