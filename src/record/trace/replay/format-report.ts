// The report of a replay as text, without secrets.
import { countOf } from '../../../util/message-of.js';
import { createRedactor } from '../recorder/redact.js';
import type { ReplayItem, ReplayReport, ReplaySubject } from './replay-report.js';

/** The report with secrets hidden: a tape has none, and this run's answers go to the same logs. */
export function hideSecrets(report: ReplayReport): ReplayReport {
  const redactor = createRedactor();
  // Under its own name, as that may be what makes it a secret.
  const hide = (path: string, value: unknown): unknown =>
    Object.values(redactor.redactValue({ [path.split('.').at(-1) ?? '']: value }))[0];
  const differences = report.differences.map((difference) => ({
    ...redactor.redactValue(difference),
    changes: difference.changes.map(({ path, taped, live }) => ({
      path,
      taped: hide(path, taped),
      live: hide(path, live),
    })),
  }));
  return { ...report, differences };
}

/** The report as lines for a terminal or an assertion's message. What looks like a secret is hidden, as on a tape. */
export function formatReport(report: ReplayReport): string {
  const lines = [
    report.ok
      ? `The replay is like the tape: ${report.compared} compared.`
      : `The replay differs from the tape: ${report.compared} compared, ${countOf(report.differences.length, 'difference')}, ` +
        `${report.missing.length} missing, ${report.unexpected.length} not on the tape` +
        `${report.finished ? '' : '; the tape was not played to its end'}.`,
  ];
  if (report.error) lines.push(report.error.message);
  for (const difference of hideSecrets(report).differences) {
    lines.push(`${nameItem(difference)} differs:`);
    for (const { path, taped, live } of difference.changes) {
      lines.push(`  ${path === '' ? '(all of it)' : path}`, `    - ${show(taped)}`, `    + ${show(live)}`);
    }
  }
  for (const item of report.missing) lines.push(`${nameItem(item)} is on the tape and did not come.`);
  for (const item of report.unexpected) lines.push(`${nameItem(item)} came and is not on the tape.`);
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

/** A thing of a replay in a few words, as in `at 12 ms: the tool call "count" (toolu_1)`. */
export function nameItem({ kind, name, toolUseId, t }: ReplayItem): string {
  return `at ${Math.round(t)} ms: ${NOUNS[kind]} ${nameWithId(name, toolUseId)}`;
}

/** What a tape waits for, as in `the answer to the tool "count" (toolu_1)`. */
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
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}
