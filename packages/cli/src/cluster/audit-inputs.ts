// The inputs of an entry of the audit, in a few lines below its row: what was asked, and what was given in its place. Secrets are hidden
// as in traces.
import type { AuditEntry } from '@inboard/cluster/journal/audit-entry.js';
import { createRedactor } from '@inboard/core/record/trace/recorder/redact.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { describeChanges } from '@inboard/core/util/diff-values.js';
import { revealText, wrapText } from '../terminal/reveal-text.js';

const NAME_COLUMNS = 9;
const TEXT_COLUMNS = 65;
const MOST_LINES = 3;

/** The lines for an entry; none for a deed without an input. */
export function listInputs({ input, editedInput }: AuditEntry): string[] {
  if (input === undefined && editedInput === undefined) return [];
  const redactor = createRedactor();
  const [asked, given] = [input, editedInput].map((value) => redactor.redactValue(value));
  const lines = show('asked', asked);
  if (given === undefined) return lines;
  lines.push(...show('given', given));
  // In long inputs, what was changed may be in the part that is cut.
  const changes = describeChanges(asked, given);
  if (lines.length > 2) lines.push(...showLines('changed', changes));
  return lines;
}

function show(name: string, value: unknown): string[] {
  return value === undefined ? [] : showLines(name, stringifyDeep(value) ?? '');
}

function showLines(name: string, text: string): string[] {
  // Only the start of a long text is read. A character may take six when it is escaped.
  const start = text.slice(0, TEXT_COLUMNS * MOST_LINES + 1);
  const lines = wrapText(revealText(start.replaceAll(/\s+/g, ' ')), TEXT_COLUMNS);
  const shown = lines.slice(0, MOST_LINES);
  if (text.length > start.length || lines.length > MOST_LINES)
    shown.push(`… (${text.length} characters; --json has all of them)`);
  return shown.map((line, at) => `    ${(at === 0 ? name : '').padEnd(NAME_COLUMNS)}${line.trimEnd()}`);
}
