// Writes the report of a replay as text.
import { stringifyDeep } from '../../../util/deep-json.js';
import { countOf } from '../../../util/message-of.js';
import type { RedactOptions } from '../recorder/redact.js';
import { hideSecrets } from './hide-secrets.js';
import type { ReplayItem, ReplayReport, ReplaySubject } from './replay-report.js';

/** How a report is written. */
export interface FormatReportOptions {
  /** What to hide in addition, as in the option `trace`. With `false`, nothing at all is hidden. */
  redact?: RedactOptions | false | undefined;
}

/**
 * The report as lines for a terminal or an assertion message. Secrets are hidden as on a tape, including the values of
 * this process's secret variables.
 */
export function formatReport(given: ReplayReport, { redact }: FormatReportOptions = {}): string {
  const report = hideSecrets(given, redact);
  const lines = [
    report.ok
      ? `The replay matches the tape: ${report.compared} compared.`
      : `The replay differs from the tape: ${report.compared} compared, ${countOf(report.differences.length, 'difference')}, ` +
        `${report.missing.length} missing, ${report.unexpected.length} not on the tape` +
        `${report.finished ? '' : '; the tape was not played to its end'}.`,
  ];
  if (report.error) lines.push(report.error.message);
  for (const difference of report.differences) {
    lines.push(`${nameItem(difference)} differs:`);
    for (const { path, taped, live } of difference.changes) {
      lines.push(
        `  ${path === '' ? '(the whole value)' : path}`,
        `    - ${show(taped)}`,
        `    + ${show(live)}`,
      );
    }
  }
  for (const item of report.missing) lines.push(`${nameItem(item)} is on the tape but did not occur.`);
  for (const item of report.unexpected) lines.push(`${nameItem(item)} occurred but is not on the tape.`);
  return lines.join('\n');
}

const NOUNS: Record<ReplaySubject, string> = {
  tool: 'the tool call',
  server: 'the server message',
  permission: 'the permission question',
  hook: 'the hook',
  dialog: 'the dialog',
  other: 'the question',
  prompt: 'the user message',
  request: 'the control request',
};

/** One item of a replay in a few words, as in `at 12 ms: the tool call "count" (toolu_1)`. */
export function nameItem({ kind, name, toolUseId, t }: ReplayItem): string {
  return `at ${Math.round(t)} ms: ${NOUNS[kind]} ${nameWithId(name, toolUseId)}`;
}

/** The frame that a tape waits for, as in `the answer to the tool "count" (toolu_1)`. */
export function nameExpected({ kind, name, toolUseId }: ReplayItem): string {
  if (kind === 'prompt') return 'a user message';
  if (kind === 'request') return `the control request ${JSON.stringify(name)}`;
  return `the answer to the ${kind === 'other' ? 'question' : kind} ${nameWithId(name, toolUseId)}`;
}

function nameWithId(name: string, toolUseId: string | undefined): string {
  return `${JSON.stringify(name)}${toolUseId === undefined ? '' : ` (${toolUseId})`}`;
}

function show(value: unknown): string {
  if (value === undefined) return '(nothing)';
  const text = stringifyDeep(value) ?? '(nothing)';
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}
