// Emits process warnings once, because a long-lived program may make the same call for every query.
import { cleanText } from './terminal-text.js';

const warned = new Set<string>();
/** More warnings than a person reads. A callback that fails each time with another text must not fill the memory. */
const MAX_WARNED = 1_000;

/** Emits a process warning, once per process and `key`. The default key is its text. */
export function warnOnce(message: string, code: string, key = message): void {
  if (warned.has(key) || warned.size >= MAX_WARNED) return;
  warned.add(key);
  // The text is shown on a terminal, and may quote a model, a tool or a CLI.
  process.emitWarning(cleanText(message), { code });
}
