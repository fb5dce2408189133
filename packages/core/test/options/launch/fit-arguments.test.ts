import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LaunchError } from '../../../src/errors.js';
import { buildArguments } from '../../../src/options/launch/cli-arguments.js';
import {
  fitArguments,
  joinArguments,
  type FittedArguments,
} from '../../../src/options/launch/fit-arguments.js';
import type { Options } from '../../../src/options/options.js';

const KIB = 1024;

function fit(options: Options, platform: NodeJS.Platform = 'linux'): FittedArguments {
  return fitArguments({ given: buildArguments({ options, version: '2.1.325' }), platform });
}

function inline(options: Options): string[] {
  return buildArguments({ options, version: '2.1.325' }).flatMap((argument) => argument.words);
}

function longServers(bytes: number): Options {
  return { mcpServers: { s: { command: 'x'.repeat(bytes) } } };
}

function problemOf(run: () => unknown): LaunchError {
  try {
    run();
  } catch (error) {
    if (error instanceof LaunchError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

describe('fitArguments', () => {
  it('leaves a command line of ordinary length as it is', () => {
    const options: Options = {
      model: 'm',
      settings: '/s.json',
      managedSettings: { language: 'x'.repeat(90 * KIB) },
    };
    expect(fit(options)).toStrictEqual({ args: inline(options), files: [] });
  });

  it.each<[string, Options, string, string]>([
    ['mcpServers', longServers(101 * KIB), '--mcp-config', 'mcpServers.json'],
    ['settings', { settings: { language: 'x'.repeat(101 * KIB) } }, '--settings', 'settings.json'],
    ['a sandbox', { sandbox: { bwrapPath: 'x'.repeat(101 * KIB) } }, '--settings', 'settings.json'],
  ])('puts %s into a file', (_, options, flag, name) => {
    const { args, files } = fit(options);
    const content = inline(options).at(-1);
    expect(files).toMatchObject([{ name, content }]);
    files[0]?.place('/tmp/private/file.json');
    expect(args.slice(-2)).toStrictEqual([flag, '/tmp/private/file.json']);
    expect(args.length).toBe(inline(options).length);
  });

  it('counts bytes, not characters', () => {
    expect(fit({ model: 'x'.repeat(60 * KIB) }).args).toHaveLength(6);
    expect(problemOf(() => fit({ model: '€'.repeat(60 * KIB) })).code).toBe('ARGUMENTS_TOO_LONG');
  });

  it('leaves a large schema to the handshake, which carries it anyway', () => {
    const schema = { type: 'object', description: 'x'.repeat(101 * KIB) };
    const options: Options = { outputFormat: { type: 'json_schema', schema }, model: 'm' };
    expect(fit(options)).toStrictEqual({ args: inline({ model: 'm' }), files: [] });
  });

  it.each([
    ['allowedTools', '--allowedTools='],
    ['disallowedTools', '--disallowedTools='],
    ['tools', '--tools='],
  ] as const)('spreads %s over repeated flags, never cutting a rule in two', (name, prefix) => {
    const rules = Array.from({ length: 9000 }, (_, index) => `Bash(tool,number,${index})`);
    const { args, files } = fit({ [name]: rules });
    const lists = args.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length));
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.join(',')).toBe(rules.join(','));
    for (const list of lists) {
      expect(Buffer.byteLength(list)).toBeLessThan(101 * KIB);
      expect(list).toMatch(/^Bash\(.*\)$/);
    }
    expect(files).toStrictEqual([]);
  });

  it.each<[string, Options]>([
    ['managedSettings', { managedSettings: { language: 'x'.repeat(101 * KIB) } }],
    ['model', { model: 'x'.repeat(101 * KIB) }],
    ['extraArgs.big', { extraArgs: { big: 'x'.repeat(101 * KIB) } }],
    ['allowedTools', { allowedTools: ['Read', 'x'.repeat(101 * KIB)] }],
  ])('refuses a too long %s, which has no other way', (option, options) => {
    const problem = problemOf(() => fit(options));
    expect(problem.code).toBe('ARGUMENTS_TOO_LONG');
    expect(problem.message).toContain(`"${option}"`);
  });

  it('leaves out first what the handshake carries when the whole line is too long for Windows', () => {
    const schema = { type: 'object', description: 'x'.repeat(12_000) };
    const options: Options = { outputFormat: { type: 'json_schema', schema }, model: 'm'.repeat(20_000) };
    const hasSchema = (platform: NodeJS.Platform): boolean =>
      fit(options, platform).args.some((word) => word.startsWith('--json-schema='));
    expect(hasSchema('linux')).toBe(true);
    expect(hasSchema('win32')).toBe(false);
  });

  it('counts the quotes that Windows escapes', () => {
    const settings = { managedSettings: { list: Array.from({ length: 7000 }, () => '') } };
    expect(inline(settings).join(' ').length).toBeLessThan(30_000);
    expect(problemOf(() => fit(settings, 'win32')).code).toBe('ARGUMENTS_TOO_LONG');
  });

  it('names the longest option when nothing can be moved', () => {
    const folders = Array.from({ length: 3000 }, (_, index) => `/some/folder/${index}`);
    const problem = problemOf(() => fit({ additionalDirectories: folders }, 'win32'));
    expect(problem.message).toContain('"additionalDirectories"');
  });

  it('ends up within bounds, or says which option is at fault', () => {
    const text = fc.integer({ min: 0, max: 150 * KIB }).map((length) => 'x'.repeat(length));
    const options = fc.record<Options>({
      model: fc.string(),
      allowedTools: fc.array(text, { maxLength: 3 }),
      settings: fc.record({ language: text }),
      mcpServers: fc.dictionary(fc.string(), fc.record({ command: text }), { maxKeys: 2 }),
      outputFormat: text.map((title) => ({ type: 'json_schema' as const, schema: { title } })),
    });
    fc.assert(
      fc.property(options, fc.constantFrom<NodeJS.Platform>('linux', 'win32'), (given, platform) => {
        try {
          const { args, files } = fit(given, platform);
          for (const [index, file] of files.entries()) file.place(`/tmp/inboard-x/${index}`);
          const total = args.reduce((sum, word) => sum + word.length + 1, 0);
          return (
            args.every((word) => Buffer.byteLength(word) <= 100 * KIB) &&
            total < (platform === 'win32' ? 30_000 : 2 ** 20)
          );
        } catch (error) {
          return error instanceof LaunchError && error.code === 'ARGUMENTS_TOO_LONG';
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('joinArguments', () => {
  it('uses no files, spreads lists, and names what may be too much', () => {
    const rules = Array.from({ length: 9000 }, (_, index) => `mcp__server__tool_${index}`);
    const options: Options = { ...longServers(101 * KIB), allowedTools: rules, model: 'm' };
    const { args, large } = joinArguments(buildArguments({ options, version: undefined }));
    expect(large).toStrictEqual(['mcpServers']);
    expect(args).toContain(inline(options).at(-1));
    expect(args.filter((word) => word.startsWith('--allowedTools=')).length).toBeGreaterThan(1);
  });
});
