// Checks options before a CLI is started: throws for wrong ones, and warns of doubtful ones. The folder `launch` checks
// what depends on the CLI's version, once that is known.
import { isGiven, isRecord } from '../../util/guards.js';
import { InvalidOptionsError } from '../../errors.js';
import { findArgumentProblems } from './argument-problems.js';
import { findContradictions, type Problem } from './contradictions.js';
import { findOptionWarnings } from './option-warnings.js';
import { findOptionRow, listGiven, pickGiven } from '../rows/option-rows.js';
import type { Options } from '../options.js';
import type { InboardWarning } from './warning.js';

/** The warnings about options. Throws one `InvalidOptionsError` for all problems of the first step that finds any. */
export function checkOptions(options: Options): InboardWarning[] {
  const given = pickGiven(options);
  refuseProblems(findMisfits(given));
  // From here on, options have their declared types.
  refuseProblems([...findContradictions(given), ...findWrongValues(given)]);
  refuseProblems(findArgumentProblems(given));
  return [...findReadings(options, given), ...findOptionWarnings(given)];
}

// Warns of values that were read as another value. Objects get no warning: they lost only entries without a value.
function findReadings(options: Options, given: Options): InboardWarning[] {
  const names = Object.keys(options) as Array<keyof Options>;
  return names
    .filter((name) => isGiven(options[name]) && options[name] !== given[name] && !isRecord(given[name]))
    .map((name) => ({
      code: 'UNKNOWN_VALUE',
      message:
        `The option "${name}" must be ${findOptionRow(name)?.shape.expected}, not ${describe(options[name])}. ` +
        (name in given ? `It is read as ${describe(given[name])}.` : 'It has no effect.'),
      options: [name],
    }));
}

/** Throws one `InvalidOptionsError` for all problems, if there are any. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const names = new Set(problems.flatMap((problem) => problem.options));
  throw new InvalidOptionsError([...names], problems.map((problem) => problem.message).join(' '));
}

function findMisfits(options: Options): Problem[] {
  return listGiven(options)
    .filter(({ value, row }) => !row.shape.fits(value))
    .map(({ name, value, row: { shape } }) => {
      const culprit = shape.findCulprit?.(value);
      const found =
        culprit === undefined ? `not ${describe(value)}` : `but its entry "${culprit}" does not fit`;
      return { options: [name], message: `The option "${name}" must be ${shape.expected}, ${found}.` };
    });
}

function findWrongValues(options: Options): Problem[] {
  return listGiven(options).flatMap(({ name, value, row }) => {
    const problem = row.findProblem?.(value);
    return problem === undefined ? [] : [{ options: [name], message: `The option "${name}" ${problem}` }];
  });
}

// Objects are described without their content, which may be secret.
function describe(value: unknown): string {
  if (typeof value === 'string') {
    return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  }
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? 'a list of strings' : 'this list';
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).slice(0, 8);
    return keys.length === 0 ? 'an empty object' : `an object with ${keys.join(', ')}`;
  }
  return String(value);
}
