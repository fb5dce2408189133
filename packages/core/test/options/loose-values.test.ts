// Values that are not what an option asks for and yet plain: they are taken as they are meant, and told of.
import { describe, expect, it } from 'vitest';
import { checkOptions } from '../../src/options/check/check-options.js';
import { OPTION_ROWS, pickGiven } from '../../src/options/rows/option-rows.js';
import type { Options } from '../../src/options/options.js';
import { createFullOptions } from './full-options.js';

const hook = { hooks: [() => Promise.resolve({})] };
const agent = { description: 'd', prompt: 'p' };

/** What is given, what it is taken as, and whether the caller is told. */
const ROWS: Array<[string, object, object, boolean]> = [
  ['a word for a flag', { continue: 'yes' }, { continue: true }, true],
  ['a number for a flag', { includePartialMessages: 1 }, { includePartialMessages: true }, true],
  ['nothing for a flag', { strictMcpConfig: '' }, { strictMcpConfig: false }, true],
  ['zero for a flag that is on by default', { persistSession: 0 }, { persistSession: false }, true],
  ['digits for a number', { maxTurns: '5' }, { maxTurns: 5 }, true],
  ['digits for a budget', { maxThinkingTokens: '1000' }, { maxThinkingTokens: 1000 }, true],
  ['no limit for a limit', { maxTurns: Infinity }, {}, true],
  ['no schema', { outputFormat: { type: 'json_schema' } }, {}, true],
  ['plain text as output', { outputFormat: { type: 'text' } }, {}, true],
  [
    'the name of the stock tools',
    { tools: 'default' },
    { tools: { type: 'preset', preset: 'claude_code' } },
    false,
  ],
  [
    'hooks of no event',
    { hooks: { Stop: null, PreToolUse: [hook] } },
    { hooks: { PreToolUse: [hook] } },
    false,
  ],
  ['an agent that is none', { agents: { a: undefined, b: agent } }, { agents: { b: agent } }, false],
  [
    'plain values as arguments',
    { extraArgs: { a: 5, b: true, c: null } },
    { extraArgs: { a: '5', b: 'true', c: null } },
    false,
  ],
];

describe('a loose value', () => {
  it.each(ROWS)('%s', (_name, given, meant, isTold) => {
    expect(pickGiven(given as Options)).toStrictEqual(meant);
    const warnings = checkOptions(given);
    expect(warnings.map(({ code }) => code)).toStrictEqual(isTold ? ['UNKNOWN_VALUE'] : []);
  });

  it('is told of with what it is taken as', () => {
    const [warning] = checkOptions({ maxTurns: '5' } as unknown as Options);
    expect(warning?.message).toBe(
      'The option "maxTurns" must be a whole number, 0 or more, not the string "5". It is read as 5.',
    );
  });
});

describe('a proper value', () => {
  it('is the very same afterwards', () => {
    const full = createFullOptions();
    const given = pickGiven(full);
    for (const name of Object.keys(OPTION_ROWS) as Array<keyof Options>) {
      expect(given[name], name).toBe(full[name]);
    }
  });
});
