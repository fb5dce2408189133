// What a reader chose for this browser: how the page looks, and whether it may notify. Kept where the browser keeps such things.
import { signal, type Signal } from '@preact/signals';
import { keepText, readKept, type KeptTexts } from './kept-texts.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

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
    keep: () => keepText(kept, KEY, JSON.stringify({ theme: theme.value, notifies: notifies.value })),
  };
}

function read(kept: () => KeptTexts): Record<string, unknown> {
  try {
    return { ...(JSON.parse(readKept(kept, KEY) ?? '{}') as Record<string, unknown>) };
  } catch {
    return {};
  }
}
