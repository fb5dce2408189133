// Checks the options of a worker and fills in defaults. Also makes the function that reports a worker's events.
import { hostname } from 'node:os';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import {
  filledText,
  inWords,
  requireShape,
  shape,
  strictFlag,
  type OptionShape,
} from '@inboard/core/util/option-shapes.js';
import { LONGEST_TIMER_MS } from '@inboard/core/util/timers.js';
import type { ClusterTelemetry } from './host-parts.js';
import { refuseUnknownOptions } from '@inboard/core/util/options-object.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { WorkOptions } from './work-options.js';
import type { WorkerEvent } from './worker-event.js';

/** The options of a worker with all defaults filled in. */
export type WorkerSettings = {
  readonly [Name in keyof Omit<WorkOptions, 'onEvent' | 'retention'>]-?: Exclude<
    WorkOptions[Name],
    undefined
  >;
};

/** An event without the fields that are the same for all events of a worker. */
export type WorkerEventBody = WorkerEvent extends infer Event
  ? Event extends WorkerEvent
    ? Omit<Event, 'at' | 'worker'>
    : never
  : never;

/** Reports an event of the worker. Never throws. */
export type EmitWorkerEvent = (event: WorkerEventBody) => void;

const DEFAULTS = {
  concurrency: 4,
  recoveryConcurrency: 0,
  leaseMs: 3000,
  suspendAfterMs: 30_000,
  keepWarmMs: 20_000,
  drainMs: 20_000,
  sweepMs: 600,
  maxAttempts: 10,
};

/** The least value of each number, if 0 is too small. */
const LEAST: Partial<Record<keyof typeof DEFAULTS, number>> = {
  concurrency: 1,
  leaseMs: 1000,
  sweepMs: 10,
  maxAttempts: 1,
};

/** The options that must be whole numbers. */
const WHOLE: ReadonlySet<string> = new Set(['recoveryConcurrency']);

// `signal` is an option of `step()`. The cluster applies the retention.
const OPTIONS = [...Object.keys(DEFAULTS), 'suspendWithServers', 'name', 'onEvent', 'signal', 'retention'];

/** Fills in the defaults. Throws an InvalidOptionsError for a number out of range, and for an unknown option. */
export function readWorkSettings(options: WorkOptions): WorkerSettings {
  refuseUnknownOptions('A worker', options, OPTIONS);
  const { name: ownName = nameWorker(), suspendWithServers = false } = options;
  const settings = { ...DEFAULTS, suspendWithServers, name: ownName };
  requireShape('suspendWithServers', suspendWithServers, strictFlag, {
    called: '"suspendWithServers" of a worker',
  });
  requireShape('name', settings.name, inWords('a string', filledText), { called: 'The name of a worker' });
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const given = options[name];
    if (given === undefined) continue;
    requireShape(name, given, describeNumber(name), { called: `"${name}" of a worker` });
    // Longer times than this are not possible with timers.
    settings[name] = Math.min(given, LONGEST_TIMER_MS);
  }
  return settings;
}

function describeNumber(name: keyof typeof DEFAULTS): OptionShape {
  const least = LEAST[name] ?? 0;
  const isWhole = WHOLE.has(name);
  return shape(
    `${isWhole ? 'a whole number' : 'a number'}, at least ${least}`,
    (value) =>
      typeof value === 'number' &&
      value >= least &&
      (value <= LONGEST_TIMER_MS || value === Infinity) &&
      !(isWhole && value % 1 > 0),
  );
}

/** Makes the function that tells the caller's listener and the telemetry. */
export function createEmitter(
  worker: string,
  onEvent: WorkOptions['onEvent'],
  telemetry: ClusterTelemetry | undefined,
): EmitWorkerEvent {
  return (body) => {
    const event: WorkerEvent = { at: clock.Date.now(), worker, ...body };
    const warn = (cause: unknown): void => warnOfCallback('onEvent', cause);
    if (onEvent) callListener(() => onEvent(event), warn);
    if (telemetry) callListener(() => telemetry.event(event), warn);
  };
}

function nameWorker(): string {
  return `${hostname()}-${process.pid}-${randomUUID().slice(0, 6)}`;
}
