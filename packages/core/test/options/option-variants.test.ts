import { describe, expect, it } from 'vitest';
import { InboardError, UnsupportedOptionError } from '../../src/errors.js';
import { createHookRegistry } from '../../src/answer/hooks/hook-registry.js';
import { checkOptions } from '../../src/options/check/check-options.js';
import { planForAll, planLaunch, type LaunchPlan } from '../../src/options/launch/launch-plan.js';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../src/options/supported-versions.js';
import { EVENT_VERSIONS } from './event-versions.js';
import { LEAST_VERSIONS } from './least-versions.js';
import {
  readOptionVariants,
  type Expectation,
  type OptionVariant,
} from '../../../../test/fixtures/option-variants.js';

const table = readOptionVariants();
const HOST = { PATH: '/bin', HOST_ONLY: '1' };
const ran = { newest: new Set<string>(), oldest: new Set<string>() };

function plan(variant: OptionVariant, version: string): { plan: LaunchPlan; warnings: string[] } {
  const { options, sdkServers } = variant;
  const doubts = checkOptions(options);
  const hooks = createHookRegistry(options.hooks).declared;
  const made = planLaunch({ options, version, hostEnv: HOST, hooks, sdkServers, platform: 'linux' });
  return { plan: made, warnings: [...doubts, ...made.warnings].map((warning) => warning.code) };
}

// Text, so that the order of keys counts.
function textOf(made: LaunchPlan): string {
  return JSON.stringify({ subtype: 'initialize', ...made.initialize });
}

function expectPlan(made: LaunchPlan, variant: OptionVariant, wanted: Required<Expectation>): void {
  // A private file holds what the official SDK writes on the command line.
  for (const file of made.files) file.place(file.content);
  const [...files] = wanted.files;
  const argv = wanted.argv.map((word) => (word === '<file>' ? files.shift() : word));
  expect(made.args).toStrictEqual([...table.baseline.argv, ...argv]);
  const inherited = variant.options.env === undefined ? HOST : {};
  expect(made.env).toStrictEqual({ ...inherited, ...table.baseline.env, ...wanted.env });
  expect(textOf(made)).toBe(JSON.stringify(wanted.initialize));
}

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

describe('every option variant on CLI 2.1.325', () => {
  it.each(table.variants)('$name', (variant) => {
    ran.newest.add(variant.name);
    if (variant.error) {
      const error = catchError(() => plan(variant, '2.1.325'));
      expect(error).toBeInstanceOf(InboardError);
      expect(error).toMatchObject(variant.error);
      return;
    }
    const { plan: made, warnings } = plan(variant, '2.1.325');
    const { argv = [], env = {}, initialize = table.baseline.initialize } = variant;
    expectPlan(made, variant, { argv, env, initialize, files: [] });
    expect(warnings).toStrictEqual(variant.warnings ?? []);
  });

  it('has run all 178', () => {
    expect(ran.newest.size).toBe(178);
  });
});

describe('every option variant on CLI 2.1.33', () => {
  it.each(table.variants)('$name', (variant) => {
    ran.oldest.add(variant.name);
    const column = variant['on2.1.33'];
    if (column === undefined) {
      expect(catchError(() => plan(variant, '2.1.33'))).toMatchObject({ ...variant.error });
      return;
    }
    if (column !== 'same' && 'refused' in column) {
      const error = catchError(() => plan(variant, '2.1.33'));
      expect(error).toBeInstanceOf(UnsupportedOptionError);
      expect(error).toMatchObject({
        option: column.refused.option,
        versionNeeded: column.refused.needed,
        versionFound: '2.1.33',
      });
      return;
    }
    const { plan: made, warnings } = plan(variant, '2.1.33');
    const older: Expectation = column === 'same' ? {} : column;
    expectPlan(made, variant, {
      argv: older.argv ?? variant.argv ?? [],
      env: older.env ?? variant.env ?? {},
      files: older.files ?? [],
      initialize: older.initialize ?? withOldPrompt(variant.initialize ?? table.baseline.initialize),
    });
    expect(warnings).toStrictEqual(variant.warnings ?? []);
  });

  it('has run all 178, and gives every one that is no error an answer', () => {
    expect(ran.oldest.size).toBe(178);
    const silent = table.variants.filter((row) => row['on2.1.33'] === undefined && row.error === undefined);
    expect(silent).toStrictEqual([]);
  });
});

// The one difference that "same" allows: an omitted prompt is an empty string there, not a list with one.
function withOldPrompt(initialize: Record<string, unknown>): Record<string, unknown> {
  if (initialize['systemPrompt'] === undefined) return initialize;
  expect(initialize['systemPrompt']).toStrictEqual(table.baseline.initialize['systemPrompt']);
  return { ...initialize, ...table['baselineOn2.1.33'].initialize };
}

describe('every option variant on a CLI whose version nobody knows', () => {
  const request = ({ options, sdkServers }: OptionVariant) => ({
    options,
    hostEnv: HOST,
    hooks: createHookRegistry(options.hooks).declared,
    sdkServers,
    platform: 'linux' as const,
  });
  /** What a CLI is told, and what is said about it; the functions that place files are left out. */
  const wordsOf = ({ args, env, initialize, files, warnings }: LaunchPlan): unknown => ({
    args,
    env,
    // To a CLI that knows lists, a list of one part is the same as that part.
    initialize: { ...initialize, systemPrompt: [initialize.systemPrompt].flat() },
    files: files.map(({ name, content }) => [name, content]),
    warnings,
  });
  const alike = table.variants.filter((variant) => {
    try {
      return planForAll(request(variant)) !== undefined;
    } catch {
      // Refused whatever the version.
      return false;
    }
  });
  // What a CLI is told changes with the versions in which something came. Both ends and those of the variant's own
  // options are always tried; of the others a few each, so that all have their turn.
  const turns = [...new Set([...Object.values(LEAST_VERSIONS), ...Object.values(EVENT_VERSIONS)])];
  const versionsFor = ({ options }: OptionVariant, index: number): string[] => [
    OLDEST_VERSION,
    NEWEST_VERSION,
    ...Object.entries(LEAST_VERSIONS).flatMap(([feature, since]) =>
      Object.hasOwn(options, feature.replace(/[. ].*/, '')) ? [since] : [],
    ),
    ...turns.filter((_, turn) => turn % 16 === index % 16),
  ];

  it.each(alike.map((variant, index) => ({ variant, index, name: variant.name })))(
    'is told the same as every other: $name',
    ({ variant, index }) => {
      const unasked = planForAll(request(variant));
      expect(unasked && [unasked.initialize.systemPrompt].flat().length).toBeLessThanOrEqual(1);
      const words = JSON.stringify(unasked && wordsOf(unasked));
      const others = versionsFor(variant, index).filter(
        (version) => JSON.stringify(wordsOf(planLaunch({ ...request(variant), version }))) !== words,
      );
      expect(others).toEqual([]);
    },
  );

  it('has to be known for the rest, where the oldest and the newest are told different things', () => {
    const rest = table.variants.filter((variant) => !alike.includes(variant) && !variant.error);
    const needless = rest.filter((variant) => {
      if (variant['on2.1.33'] !== 'same') return false;
      const [oldest, newest] = ['2.1.33', '2.1.325'].map((version) =>
        JSON.stringify(wordsOf(planLaunch({ ...request(variant), version }))),
      );
      return oldest === newest;
    });
    // Asked without need: schemas, which are written anew for each version, and a choice where there is nothing to choose.
    // A program that wants to be asked must know whether the CLI is one of the versions in between, which would not ask.
    const names = needless.map(({ name }) => name);
    expect(
      names.filter((name) => !/^(output|pluginDelivery|canUseTool|permissionPromptToolName)/.test(name)),
    ).toEqual([]);
    expect([alike.length > 80, rest.length > 40]).toEqual([true, true]);
  });
});
