// What a replay found: where this run's answers are not those of the tape, what never came, what came unasked.
import { diffJson, type JsonChange } from './json-diff.js';
import { createRedactor } from '../recorder/redact.js';
import type { QuestionKind } from '../timeline/wire-question.js';

/** What was compared: an answer to the CLI, a user message, or a control request of this side. */
export type ReplaySubject = QuestionKind | 'prompt' | 'request';

/** A thing that is on the tape or came during the replay. */
export interface ReplayItem {
  kind: ReplaySubject;
  /** The tool, the hook's event, the method, the subtype. */
  name: string;
  toolUseId?: string;
  /** Milliseconds on the tape, or of the place it had come to. */
  t: number;
}

/** An answer that is not that of the tape. */
export interface ReplayDifference extends ReplayItem {
  /** What was asked, as far as it is a question. */
  question?: unknown;
  taped: unknown;
  live: unknown;
  /** Each place where they differ and that is not ignored. */
  changes: JsonChange[];
}

/** The verdict on a replay so far. */
export interface ReplayReport {
  /** The whole tape was played, and nothing differed, was missing or came unasked. */
  ok: boolean;
  /** Whether the tape was played to its end. */
  finished: boolean;
  /** How many answers, messages and requests were compared. */
  compared: number;
  differences: ReplayDifference[];
  /** On the tape, and not in this run: questions that were never put, messages and requests that never came. */
  missing: ReplayItem[];
  /** In this run, and not on the tape. */
  unexpected: ReplayItem[];
  /** Why the replay could not go on. */
  error?: Error;
}

/** What counts as a difference. */
export interface CompareOptions {
  /** Paths that may differ; `*` in a text stands for anything, as in `result.content[*].text`. */
  ignore?: readonly (string | RegExp)[] | undefined;
  /** True for a change that does not count. What it throws makes the change count. */
  isSame?: ((change: JsonChange, item: ReplayItem) => boolean) | undefined;
}

/** Compares by the caller's rules. */
export function createComparison({
  ignore = [],
  isSame,
}: CompareOptions): (taped: unknown, live: unknown, item: ReplayItem) => JsonChange[] {
  const forms = ignore.map((each) => (typeof each === 'string' ? toExpression(each) : each));
  const isIgnored = (path: string): boolean =>
    forms.some((form) => {
      form.lastIndex = 0;
      return form.test(path);
    });
  return (taped, live, item) =>
    diffJson(taped, live).filter((change) => {
      if (isIgnored(change.path)) return false;
      try {
        return isSame?.(change, item) !== true;
      } catch {
        return true;
      }
    });
}

function toExpression(path: string): RegExp {
  const pieces = path.split('*').map((piece) => piece.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  // A path stands for everything below it too.
  return new RegExp(`^${pieces.join('.*')}(?:$|[.[])`);
}

/** The report without what looks like a secret: a tape has none, and this run's answers go to the same logs. */
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
      : `The replay differs from the tape: ${report.compared} compared, ${count(report.differences, 'difference')}, ` +
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

const WORDS: Record<ReplaySubject, string> = {
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
  return `at ${Math.round(t)} ms: ${WORDS[kind]} ${JSON.stringify(name)}${toolUseId === undefined ? '' : ` (${toolUseId})`}`;
}

function show(value: unknown): string {
  if (value === undefined) return '(nothing)';
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}

function count(list: readonly unknown[], noun: string): string {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
}
