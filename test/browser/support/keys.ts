// Keys as the browser's protocol wants them: with codes, so that Tab moves the focus and Enter presses a button.

/** What is held down meanwhile. */
export interface Chord {
  alt?: boolean;
  ctrl?: boolean;
  meta?: boolean;
  shift?: boolean;
}

const NAMED: Record<string, { code: number; text?: string }> = {
  Backspace: { code: 8 },
  Tab: { code: 9 },
  Enter: { code: 13, text: '\r' },
  Escape: { code: 27 },
  ' ': { code: 32, text: ' ' },
  PageUp: { code: 33 },
  PageDown: { code: 34 },
  End: { code: 35 },
  Home: { code: 36 },
  ArrowLeft: { code: 37 },
  ArrowUp: { code: 38 },
  ArrowRight: { code: 39 },
  ArrowDown: { code: 40 },
  Delete: { code: 46 },
};

/** The two messages of one key: down and up. */
export function describeKey(
  key: string,
  { alt = false, ctrl = false, meta = false, shift = /^[A-Z]$/.test(key) }: Chord,
): { down: Record<string, unknown>; up: Record<string, unknown> } {
  const named = NAMED[key];
  if (named === undefined && key.length !== 1) throw new Error(`There is no key "${key}" in keys.ts`);
  const modifiers = Number(alt) + 2 * Number(ctrl) + 4 * Number(meta) + 8 * Number(shift);
  const text = named ? named.text : key;
  const facts = {
    key,
    code: codeOf(key),
    modifiers,
    windowsVirtualKeyCode: named?.code ?? key.toUpperCase().charCodeAt(0),
  };
  const writes = text !== undefined && !ctrl && !alt && !meta;
  return {
    down: { type: writes ? 'keyDown' : 'rawKeyDown', ...facts, ...(writes && { text }) },
    up: { type: 'keyUp', ...facts },
  };
}

function codeOf(key: string): string {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return key === ' ' ? 'Space' : key;
}
