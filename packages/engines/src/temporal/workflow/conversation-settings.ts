// The settings of a conversation that may change while it runs. They are checked here for the client and for the workflow: what Temporal's
// SDK would refuse later stops the workflow's task for good, because the history keeps it.
import type { TurnActivitySettings } from './drive-turn.js';
import { mergeRetry, toMs } from './retry-policy.js';
import type { Duration } from './workflow-library.js';

/** How its turns are attempted, and when its workflow begins a new run or completes. */
export interface ConversationSettings {
  attempts?: TurnActivitySettings | undefined;
  /** After how many turns a new run goes on: 1 or more. Default 50. One also goes on when Temporal suggests it. */
  turnsPerRun?: number | undefined;
  /** Milliseconds without a turn after which the workflow completes. Default: never. */
  closeAfterMs?: number | undefined;
}

/** Settings for a conversation that runs. What is not given stays, and null takes the default again. */
export type SettingsChange = { [Name in keyof ConversationSettings]: ConversationSettings[Name] | null };

/** A wrong setting: its path, and what it must be. */
export interface SettingsFault {
  path: string[];
  message: string;
  /** There is no setting of this name, at least not in this version. */
  isUnknown?: true;
}

/** The settings with these in place of their own. */
export function changeSettings(settings: ConversationSettings, change: SettingsChange): ConversationSettings {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const next: Record<string, unknown> = { ...settings, ...Object.fromEntries(given) };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null));
}

type Rule = [expected: string, fits: (value: unknown) => boolean];

const TEXT: Rule = ['a text that is not empty', (value) => typeof value === 'string' && value !== ''];
const MS: Rule = [
  'a whole number of milliseconds, 0 or more',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
];
const whole = (least: number): Rule => [
  `a whole number, ${least} or more`,
  (value) => Number.isSafeInteger(value) && Number(value) >= least,
];
const DURATION: Rule = [
  "milliseconds above 0, or a text such as '30 seconds'",
  (value) =>
    (typeof value === 'number' || typeof value === 'string') && (toMs(value as Duration) ?? Number.NaN) > 0,
];

const ATTEMPTS: Record<string, Rule> = {
  taskQueue: TEXT,
  startToCloseTimeout: DURATION,
  scheduleToCloseTimeout: DURATION,
  heartbeatTimeout: DURATION,
  lookAfterMs: MS,
};
const RETRY: Record<string, Rule> = {
  initialInterval: DURATION,
  maximumInterval: DURATION,
  backoffCoefficient: ['a number, 1 or more', (value) => Number.isFinite(value) && Number(value) >= 1],
  maximumAttempts: whole(1),
  nonRetryableErrorTypes: [
    'a list of texts',
    (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  ],
};
const PRIORITY: Record<string, Rule> = {
  priorityKey: whole(1),
  fairnessKey: [
    'a text of at most 64 characters',
    (value) => typeof value === 'string' && value.length <= 64,
  ],
  fairnessWeight: ['a number above 0', (value) => Number.isFinite(value) && Number(value) > 0],
};

/** Returns what is wrong with settings, or nothing. */
export function findSettingsFault(settings: unknown): SettingsFault | undefined {
  if (!isObject(settings)) return { path: [], message: 'Settings must be an object' };
  const { attempts, ...own } = settings;
  const rules = { turnsPerRun: whole(1), closeAfterMs: MS };
  const fault = findFault([], own, rules, ['attempts']);
  if (fault || attempts === undefined || attempts === null) return fault;
  if (!isObject(attempts)) return { path: ['attempts'], message: '"attempts" must be an object' };
  const { retry, priority, ...plain } = attempts;
  return (
    findFault(['attempts'], plain, ATTEMPTS, ['retry', 'priority']) ??
    findFault(['attempts', 'retry'], retry ?? {}, RETRY) ??
    findFault(['attempts', 'priority'], priority ?? {}, PRIORITY) ??
    findIntervalFault(retry)
  );
}

function findFault(
  path: string[],
  values: unknown,
  rules: Record<string, Rule>,
  others: string[] = [],
): SettingsFault | undefined {
  if (!isObject(values)) return { path, message: `"${path.join('.')}" must be an object` };
  for (const [name, value] of Object.entries(values)) {
    const place = [...path, name];
    const known = [...Object.keys(rules), ...others];
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule)
      return {
        path: place,
        isUnknown: true,
        message: `There is no setting "${place.join('.')}". Known here are ${known.map((each) => `"${each}"`).join(', ')}`,
      };
    const [expected, fits] = rule;
    const isLeftOut = value === undefined || (value === null && path.length === 0);
    if (!isLeftOut && !fits(value))
      return { path: place, message: `"${place.join('.')}" must be ${expected}` };
  }
  return undefined;
}

/** Temporal refuses a longest pause that is shorter than the first one. */
function findIntervalFault(retry: unknown): SettingsFault | undefined {
  const { initialInterval, maximumInterval } = mergeRetry(retry ?? {});
  const [firstMs, longestMs] = [initialInterval, maximumInterval].map((each) => each && toMs(each));
  if (firstMs === undefined || longestMs === undefined || longestMs >= firstMs) return undefined;
  return {
    path: ['attempts', 'retry', 'maximumInterval'],
    message: '"attempts.retry.maximumInterval" must not be shorter than "initialInterval"',
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
