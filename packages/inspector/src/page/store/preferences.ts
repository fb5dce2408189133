// The reader's preferences in this browser: the look of the page, and whether it may notify. They are in the browser's
// storage.
import { signal, type Signal } from '@preact/signals';
import { keepText, readKept, type KeptTexts } from './kept-texts.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Preferences {
  theme: Signal<Theme>;
  notifies: Signal<boolean>;
  /** Stores the present choices. */
  keep(): void;
}

const KEY = 'inboard-inspector';

/** Reads the preferences; uses the defaults for those that cannot be read. */
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
