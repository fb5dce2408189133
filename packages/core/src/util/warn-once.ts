// Process warnings that are worth reading once: the same call may be made for every query of a long-lived program.
import { cleanText } from './terminal-text.js';

const warned = new Set<string>();
/** Far more than anybody reads; a callback that fails each time with another text must not fill the memory. */
const MAX_WARNED = 1_000;

/** Emits a process warning, once per process and `key`, by default its text. */
export function warnOnce(message: string, code: string, key = message): void {
  if (warned.has(key) || warned.size >= MAX_WARNED) return;
  warned.add(key);
  // It ends on a terminal, and may quote what a model, a tool or a CLI wrote.
  process.emitWarning(cleanText(message), { code });
}
