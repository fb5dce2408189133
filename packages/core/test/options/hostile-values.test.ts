// No value becomes a rule, a flag or a second value. The cases are made from the rows, so that an option added later is
// tried with the same values: it must refuse one by name, or bring it to the CLI as that one value.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../../src/errors.js';
import { checkOptions } from '../../src/options/check/check-options.js';
import { buildArguments } from '../../src/options/launch/cli-arguments.js';
import type { Options } from '../../src/options/options.js';
import { findOptionRow, OPTION_NAMES } from '../../src/options/rows/option-rows.js';
import { propertyOptions } from '../../../../test/support/seed.js';

const HOSTILE = [
  'a,b',
  'a b',
  'a ,b',
  'pdf),Bash(touch:*',
  'pdf) Bash(touch:*',
  'Read,Bash(touch:*)',
  'Bash (touch:*)',
  'Bash(a(b) c)',
  'Bash(a\\),Bash)',
  'open(',
  'closed)',
  'a\nb',
  'a\r\nb',
  'a\tb',
  'a\0b',
  'a\u2028b',
  'half a pair \ud800',
  'full\uff0cwidth\uff09\uff08x',
  'no\u00a0break',
  '-x',
  '--',
  '--dangerously-skip-permissions',
  '--settings={"permissions":{"allow":["Bash"]}}',
  ' --add-dir',
  '=x',
  '"quoted" \'twice\'',
  '\\',
  '*',
  '$(touch x)',
  '[1]',
];
const LETTERS = ',,()) --=*:\\\n\t\0\u00a0\uff0c\u2028"abB'.split('');
const hostileText = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 12 });
const PLAIN = 'plain';

// The forms a text may have in an option; those a row's shape takes are tried.
const FORMS: Readonly<Record<string, (text: string) => unknown>> = {
  'as the value': (text) => text,
  'in a list': (text) => ['Read', text, 'Grep'],
  'last in a list': (text) => ['Read', text],
  'as a path in a list': (text) => [{ type: 'local', path: text }],
  'as the value of a flag': (text) => ({ 'some-flag': text }),
  'as a part': (text) => ({ type: 'enabled', budgetTokens: 5, display: text }),
};
// What an option needs beside it to be accepted.
const COMPANY: Readonly<Record<string, Options>> = {
  resumeSessionAt: { resume: 'r' },
  resumeDropsTurn: { resume: 'r', resumeSessionAt: 'm' },
};

interface Case {
  name: keyof Options;
  form: string;
  give: (text: string) => Options;
}

function listCases(): Case[] {
  return OPTION_NAMES.flatMap((name) => {
    const row = findOptionRow(name);
    if (!row?.argv) return [];
    return Object.entries(FORMS)
      .filter(([, make]) => row.shape.fits(make(PLAIN)))
      .map(([form, make]) => ({
        name,
        form,
        give: (text: string) => ({ ...COMPANY[name], [name]: make(text) }),
      }));
  });
}

/** A flag and its value; words are told apart by their dash alone, which is harsher than the CLI. */
type ReadFlag = [flag: string, value: string | undefined];

function readCommandLine(words: readonly string[]): ReadFlag[] {
  const flags: ReadFlag[] = [];
  for (const word of words) {
    const last = flags.at(-1);
    const [, flag, value] = /^(-[^=]*)=?(.*)$/s.exec(word) ?? [];
    if (flag !== undefined) flags.push([flag, word === flag ? undefined : value]);
    else if (last && last[1] === undefined) last[1] = word;
    else flags.push(['positional', word]);
  }
  return flags;
}

// As both CLIs were seen to cut a list; written here once more, so that one mistake does not hide the other.
function cutList(text: string): string[] {
  const parts = text.match(/(?:\([^)]*(?:\)|$)|[^, (])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function read(options: Options): ReadFlag[] {
  const written = buildArguments({ options, version: '2.1.325' });
  return written.flatMap(({ words, items }) =>
    readCommandLine(words).flatMap(([flag, value]): ReadFlag[] =>
      items ? cutList(value ?? '').map((item) => [flag, item]) : [[flag, value]],
    ),
  );
}

function refusalOf(options: Options): InvalidOptionsError | undefined {
  try {
    checkOptions(options);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error;
    throw error;
  }
}

// Compared as text and not with `expect`, which is too slow for thousands of values.
function tryValue({ name, form, give }: Case, text: string): 'refused' | 'arrived' {
  const refusal = refusalOf(give(text));
  if (refusal) {
    const isPlaced = !form.includes('list') || /index 1|\[[01]\]/.test(refusal.message);
    if (String(refusal.options) === name && isPlaced && refusal.message.includes(`"${name}"`))
      return 'refused';
    throw new Error(`A refusal that does not name the place: ${refusal.message}`);
  }
  const arrive = (value: string): string =>
    value.replace(PLAIN, () => (value.startsWith('{') ? JSON.stringify(text).slice(1, -1) : text)).trim();
  const wanted = read(give(PLAIN)).map(([flag, value]) => [flag, value && arrive(value)]);
  const found = read(give(text)).map(([flag, value]) => [flag, value?.replace(/^\.\/(?=-)/, '').trim()]);
  if (JSON.stringify(found) === JSON.stringify(wanted)) return 'arrived';
  throw new Error(`${JSON.stringify(text)} arrived as ${JSON.stringify(found)}`);
}

describe('a hostile value', () => {
  const cases = listCases();

  it('is tried on every option that becomes words', () => {
    const tried = new Set(cases.map(({ name }) => name));
    for (const name of ['allowedTools', 'disallowedTools', 'tools', 'skills', 'settingSources', 'betas'])
      expect(tried).toContain(name);
    expect(tried.size).toBeGreaterThan(20);
    for (const { give } of cases) expect(refusalOf(give(PLAIN))).toBeUndefined();
  });

  it.each(cases)('of $name $form is refused, or arrives as that one value', (each) => {
    for (const text of HOSTILE) tryValue(each, text);
    fc.assert(
      fc.property(hostileText, (text) => {
        if (text.trim() !== '' && !text.startsWith('{')) tryValue(each, text);
      }),
      propertyOptions(25),
    );
  });

  it.each([
    ['skills', ['x', 'pdf),Bash(touch:*'], 'index 1, which has the character ")"'],
    ['skills', ['pdf:*'], 'has the character "*"'],
    ['skills', ['*'], 'could allow other tools or skills'],
    ['skills', [''], 'is empty and would allow every skill'],
    ['skills', ['a', ' \t'], 'index 1, which is empty'],
    ['skills', ['pdf\\'], 'has the character "\\\\"'],
    ['skills', ['pdf\n'], 'has the character "\\n"'],
    ['allowedTools', ['Read,Bash'], 'read as 2: "Read", "Bash"'],
    ['allowedTools', ['Bash (git *)'], 'read as 2: "Bash", "(git *)"'],
    ['allowedTools', ['Bash(echo $(date) x)'], 'can only be given in "settings"'],
    ['disallowedTools', ['Bash(rm', 'WebFetch'], 'index 0, which leaves a parenthesis open'],
    ['tools', ['Read', 'Glob Bash'], 'index 1'],
    ['settingSources', ['user,project'], 'read as 2'],
    ['executableArgs', ['--a', 'b\0'], 'executableArgs[1] has a NUL'],
    ['env', { A: 'b\0' }, 'env.A has a NUL'],
    ['env', { 'A=B': 'c' }, 'its entry "A=B" does not fit'],
    ['extendEnv', { 'A\0': 'c' }, 'a name has a NUL'],
    ['cwd', '/a\0', 'has a NUL'],
    ['extraArgs', { '': null }, 'its entry "" does not fit'],
    ['extraArgs', { 'model=x': 'y' }, 'its entry "model=x" does not fit'],
    ['extraArgs', { 'a\nb': null }, 'does not fit'],
    ['additionalDirectories', ['/a', '/b\0c'], 'additionalDirectories[1] has a NUL'],
  ])('of %s is refused by place and reason: %o', (name, value, words) => {
    const refusal = refusalOf({ [name]: value });
    expect(refusal?.options).toEqual([name]);
    expect(refusal?.message).toContain(words);
  });

  it.each([
    {
      allowedTools: ['Bash(git log:*)', 'Bash(a, b:*)', 'mcp__s__t', ' Read ', '', 'Edit(//tmp/**)'],
    },
    { allowedTools: ['Bash(node -e "f(1)")', 'WebFetch(domain:a.b)', '*'] },
    { skills: ['pdf', 'plugin:pdf', 'My Skill, the second', 'größe'] },
    { settings: { permissions: { allow: ['Bash(echo $(date) x)', 'NUL \0 is escaped'] } } },
    { extraArgs: { 'with space': 'a,b (c', 'a.b': '--x' } },
    { env: { '=C:': 'C:\\', A: 'x=y\n' } },
  ])('is not what %o has', (options) => {
    expect(refusalOf(options)).toBeUndefined();
  });
});

const UUID = '66666666-6666-4666-8666-666666666666';

describe('a value that is almost right', () => {
  it.each<[keyof Options, unknown[]]>([
    [
      'sessionId',
      [`${UUID}/../x`, `${UUID}\n`, `\n${UUID}`, ` ${UUID}`, `${UUID} `, `${UUID}0`, `0${UUID}`].concat([
        UUID.slice(1),
        UUID.replaceAll('-', ''),
        UUID.replace('6', 'g'),
        UUID.replace('6', '\uff16'),
        `{${UUID}}`,
        `${UUID}\0`,
        `${UUID},${UUID}`,
        ' ',
      ]),
    ],
    ['maxTurns', ['5 ', ' 5', '5\n', '+5', '0x5', '1e3', '5.0', '\u0665', '', [5], 2 ** 53]],
    ['maxThinkingTokens', ['5\n', '-0', 0.5, -1]],
    ['maxBudgetUsd', ['5', 0, -0, Infinity, Number.NaN, [5]]],
    ['taskBudget', [{ total: '5' }, { total: 0 }, { total: 1.5 }, 5, [{ total: 5 }]]],
    ['idleTimeoutMs', ['5', Infinity, -1, Number.NaN]],
    ['skills', ['all ', 'ALL', 'all\n', ['a', 1]]],
    ['tools', ['default ', 'Read', { type: 'preset', preset: 'claude_code\n' }, { type: 'preset' }]],
    ['thinking', [{ type: 'enabled ' }, { type: 'adaptive\n' }, 'adaptive', { type: 'enabled', display: 1 }]],
    ['plugins', [[{ type: 'local\n', path: '/a' }], [{ type: 'local' }], { type: 'local', path: '/a' }]],
    ['pluginDelivery', ['argv\n', ' argv', 'Argv']],
    ['sessionStoreFlush', ['eager ', 'EAGER']],
    ['whenHostDies', ['kill\n', { graceMs: '5' }, { graceMs: -1 }]],
    ['allowDangerouslySkipPermissions', ['true', 1, 'false']],
    ['settings', ['{"a":1} x', ' {"a":1', '{"a":1},{}', 1]],
    [
      'outputFormat',
      [
        { type: 'json_schema\n', schema: {} },
        { type: 'json_schema', schema: 'x' },
      ],
    ],
    ['mcpServers', [{ a: { type: 'http' } }, { a: { type: 'stdio\n' }, b: { command: 1 } }, { a: [] }]],
    ['projectKey', ['', 1]],
    ['extraArgs', [{ '-x': null }, { '--x': 'y' }, { x: {} }, { '=': 'x' }]],
  ])('is refused as %s', (name, values) => {
    for (const value of values) {
      const company = name === 'projectKey' ? { sessionStore: { append: () => {}, load: () => {} } } : {};
      expect([value, refusalOf({ ...company, [name]: value } as Options)?.options]).toEqual([value, [name]]);
    }
  });
});

describe('a command line of random options', () => {
  const texts = listCases().filter(({ form }) => form === 'as the value' || form === 'in a list');

  it('says what the options said, and nothing else', () => {
    const one = fc.constantFrom(...texts);
    const text = hostileText.filter((each) => each.trim() === each);
    const given = fc.uniqueArray(fc.tuple(one, text), { maxLength: 8, selector: ([{ name }]) => name });
    fc.assert(
      fc.property(given, (pairs) => {
        // Alone each is refused or not; together they must be the sum of what each says, in the rows' order.
        const accepted = pairs.filter(([{ give }, each]) => each !== '' && !refusalOf(give(each)));
        const together = Object.assign({}, ...accepted.map(([{ give }, each]) => give(each))) as Options;
        if (refusalOf(together)) return;
        const { skills, allowedTools } = together;
        if (skills && allowedTools) return;
        const apart = Object.entries(together).flatMap(([name, value]) => read({ [name]: value }).slice(3));
        const sorted = (flags: ReadFlag[]): string[] => flags.map((flag) => JSON.stringify(flag)).toSorted();
        expect(sorted(read(together).slice(3))).toEqual(sorted(apart));
      }),
      propertyOptions(60),
    );
  });
});
