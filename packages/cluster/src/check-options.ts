// The names of the options that each method of a cluster takes. A new method with options gets a row here, and calls
// `checkMethodOptions`.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { HealthOptions } from '@inboard/core/health/health-report.js';
import { checkOptionNames, optionNamesOf } from '@inboard/core/util/check-option-names.js';
import { checkShape, filledText, milliseconds, shape } from '@inboard/core/util/option-shapes.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type {
  ClusterApprovalFilter,
  ClusterAuditFilter,
  ClusterApprovals,
  ClusterCompleteOptions,
  ClusterEventsOptions,
  ClusterSendOptions,
  ForgetChoice,
  PruneOptions,
} from './cluster.js';
import type { Caller } from './journal/filters.js';
import { FILTERS } from './journal/check-filters.js';
import type { StepOptions, WorkOptions } from './work/host/work-options.js';

type ListFilter = NonNullable<Parameters<ClusterApprovals['list']>[0]>;
type WatchOptions = NonNullable<Parameters<ClusterApprovals['watch']>[0]>;
type LocalPlaces = NonNullable<ForgetChoice['local']>;

const OF_STEP = {
  leaseMs: true,
  suspendAfterMs: true,
  suspendWithServers: true,
  keepWarmMs: true,
  maxAttempts: true,
  name: true,
  onEvent: true,
} as const;
const OF_QUESTIONS = { conversation: true, tenant: true } as const;
const OF_COMPLETION = { by: true, tenant: true } as const;

const OPTIONS = {
  'conversations()': FILTERS.conversations.known,
  'work()': optionNamesOf<WorkOptions>({
    concurrency: true,
    recoveryConcurrency: true,
    drainMs: true,
    sweepMs: true,
    retention: true,
    ...OF_STEP,
  }),
  'step()': optionNamesOf<StepOptions>({ ...OF_STEP, turn: true, waitMs: true, signal: true }),
  'health()': optionNamesOf<HealthOptions>({ timeoutMs: true }),
  'metrics()': optionNamesOf<HealthOptions>({ timeoutMs: true }),
  'forget()': optionNamesOf<ForgetChoice>({ conversation: true, tenant: true, local: true, by: true }),
  '"local" of forget()': optionNamesOf<LocalPlaces>({
    env: true,
    traces: true,
    copies: true,
    sharedFiles: true,
  }),
  'send()': optionNamesOf<ClusterSendOptions>({ id: true, notBefore: true, by: true }),
  'cancel()': optionNamesOf<Caller>({ by: true }),
  'interrupt()': optionNamesOf<Caller>({ by: true }),
  'close()': optionNamesOf<Caller>({ by: true }),
  'prune()': optionNamesOf<PruneOptions>({ apply: true, by: true, signal: true }),
  'audit()': optionNamesOf<ClusterAuditFilter>({
    tenant: true,
    conversation: true,
    by: true,
    what: true,
    since: true,
    until: true,
    after: true,
  }),
  'events()': optionNamesOf<ClusterEventsOptions>({ after: true, signal: true }),
  'outcome()': optionNamesOf<{ signal?: unknown }>({ signal: true }),
  'approvals.list()': optionNamesOf<ListFilter>({
    ...(OF_QUESTIONS satisfies Record<keyof ClusterApprovalFilter, true>),
    id: true,
    answered: true,
    after: true,
    limit: true,
  }),
  'approvals.watch()': optionNamesOf<WatchOptions>({ ...OF_QUESTIONS, signal: true }),
  'approvals.answer()': optionNamesOf<{ by?: unknown }>({ by: true }),
  'calls.complete()': optionNamesOf<ClusterCompleteOptions>(OF_COMPLETION),
  'calls.fail()': optionNamesOf<ClusterCompleteOptions>(OF_COMPLETION),
  'calls.list()': optionNamesOf<ClusterApprovalFilter>(OF_QUESTIONS),
  'calls.watch()': optionNamesOf<WatchOptions>({ ...OF_QUESTIONS, signal: true }),
} as const;

/** Earlier names of options, with the names that they have now. */
const RENAMED: Readonly<Record<string, string>> = { holdApprovalMs: 'suspendAfterMs' };

/** Throws an InvalidOptionsError if the options are not an object, or have a name that the method does not know. */
export function checkMethodOptions(method: keyof typeof OPTIONS, given: unknown): void {
  if (method === 'work()' || method === 'step()') refuseRenamed(method, given);
  checkOptionNames(method, given, OPTIONS[method]);
}

/** Throws an InvalidOptionsError for options of `health()` or `metrics()` that cannot be used. */
export function checkHealthOptions(method: 'health()' | 'metrics()', options: HealthOptions = {}): void {
  checkMethodOptions(method, options);
  checkShape('timeoutMs', options.timeoutMs, milliseconds);
}

/** Throws an InvalidOptionsError for options of a step that cannot be used. */
export function checkStepOptions(options: StepOptions): void {
  checkMethodOptions('step()', options);
  const { turn, waitMs, signal } = options;
  checkShape('turn', turn, filledText);
  checkShape('waitMs', waitMs, milliseconds);
  checkShape('signal', signal, abortSignal);
}

const abortSignal = shape('an AbortSignal', (value) => value instanceof AbortSignal);

/** The names are too different for a suggestion by likeness. */
function refuseRenamed(method: string, given: unknown): void {
  for (const [before, now] of Object.entries(RENAMED))
    if (isRecord(given) && given[before] !== undefined)
      throw new InvalidOptionsError(
        [before],
        `${method} has no option "${before}": it is called "${now}" now, and means the same`,
      );
}
