// Hides secrets in the report of a replay. A tape has no secrets, but the answers of this run may have some, and both go
// to the same logs.
import { checkRedact } from '../../../util/redact-problem.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { createRedactor, type RedactOptions, type Redactor } from '../recorder/redact.js';
import { listSecretValues } from '../recorder/secret-variables.js';
import { findAtPath } from './json-diff.js';
import type { ReplayDifference, ReplayItem, ReplayReport } from './replay-report.js';

/** The report with secrets hidden as on a tape, including the values of this process's secret variables. */
export function hideSecrets(report: ReplayReport, redact: RedactOptions | false = {}): ReplayReport {
  checkRedact(redact, 'The report of a replay');
  if (redact === false) return report;
  const values = [...listSecretValues(process.env), ...(redact.values ?? [])];
  const redactor = createRedactor({ ...redact, values });
  const hideItem = (item: ReplayItem): ReplayItem => redactor.redactValue(item);
  return withoutUndefined({
    ...report,
    differences: report.differences.map((difference) => hideDifference(difference, redactor)),
    missing: report.missing.map(hideItem),
    unexpected: report.unexpected.map(hideItem),
    error: report.error && hideMessage(report.error, redactor),
  });
}

function hideDifference(difference: ReplayDifference, redactor: Redactor): ReplayDifference {
  const { changes, taped, live, ...item } = difference;
  const hidden = redactor.redactValue({ taped, live });
  return {
    ...redactor.redactValue(item),
    ...hidden,
    changes: changes.map((change) => ({
      path: redactor.redactText(change.path),
      taped: hideAt(hidden.taped, change.path, change.taped, redactor),
      live: hideAt(hidden.live, change.path, change.live, redactor),
    })),
  };
}

/**
 * The value as it is in the redacted whole, because its place there may make it a secret. If the whole has no value at
 * this path, the value is redacted as a field with the last name of the path.
 */
function hideAt(whole: unknown, path: string, value: unknown, redactor: Redactor): unknown {
  if (value === undefined) return undefined;
  const found = path === '' ? undefined : findAtPath(whole, path);
  if (found !== undefined) return found;
  return Object.values(redactor.redactValue({ [path.split('.').at(-1) ?? '']: value }))[0];
}

/** An error of the same class and code, without secrets in its texts. */
function hideMessage(error: Error, redactor: Redactor): Error {
  const message = redactor.redactText(error.message);
  if (message === error.message) return error;
  const copy = Object.create(error) as Error;
  Object.defineProperty(copy, 'message', { value: message, configurable: true, writable: true });
  Object.defineProperty(copy, 'stack', { value: redactor.redactText(error.stack ?? ''), configurable: true });
  return copy;
}
