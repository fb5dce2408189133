// Emits each process warning only once, because a program may make the same mistake again and again.
import { cleanText } from './terminal-text.js';

const warned = new Set<string>();
/** No more warnings than this are emitted, so that a callback that fails with ever new texts does not fill the memory. */
const MAX_WARNED = 1_000;

/** Emits a process warning, once for each `key` in this process. The default key is the text of the warning. */
export function warnOnce(message: string, code: string, key = message): void {
  if (warned.has(key) || warned.size >= MAX_WARNED) return;
  warned.add(key);
  // The text is shown on a terminal, and may quote a model, a tool or a CLI.
  process.emitWarning(cleanText(message), { code });
}
