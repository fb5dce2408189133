// The comparing parts of `npm run try-cli`: what they find in small helps, frames and reports, and that they find nothing else.
import { readFileSync } from 'node:fs';
import type { Schema } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { framesOf, readRecordings } from '../../scripts/support/protocol/read-recordings.mjs';
import { checkFrames } from '../../scripts/support/try-cli/check-frames.mjs';
import {
  answersOf,
  compareShapes,
  findBrokenRequests,
  shapesOf,
} from '../../scripts/support/try-cli/compare-frames.mjs';
import { compareLists, compareMaps } from '../../scripts/support/try-cli/differences.mjs';
import { parseHelp } from '../../scripts/support/try-cli/parse-help.mjs';
import { describeEnd, readComplaint } from '../../scripts/support/try-cli/read-ends.mjs';
import { sessionFactsOf } from '../../scripts/support/try-cli/session-facts.mjs';
import { compareVersions } from '../../packages/core/src/wire/process/find/compare-versions.js';

const HELP = `Usage: claude [options] [command] [prompt]

Arguments:
  prompt                                Your prompt

Options:
  --add-dir <directories...>            More folders
  --allowedTools, --allowed-tools <tools...>
      Comma or space-separated list (e.g. "Bash(git *)
      Edit")
  -c, --continue                        Go on, as with --resume
  --input-format <format>               Input format (choices:
                                        "text", "stream-json")
  -r, --resume [value]                  Resume

Commands:
  mcp                                   Servers
  plugin|plugins                        Plugins
  update|upgrade [options]              Update
`;

describe('the help of a CLI', () => {
  it('is read as flags with the form of their values, and commands', () => {
    expect(parseHelp(HELP)).toEqual({
      flags: new Map([
        ['--add-dir', '<directories...>'],
        ['--allowedTools', '<tools...>'],
        ['--allowed-tools', '<tools...>'],
        ['--continue', ''],
        ['--input-format', '<format> of text, stream-json'],
        ['--resume', '[value]'],
      ]),
      commands: ['mcp', 'plugin', 'update'],
    });
  });

  it('differs by flags and by what they take, not by words', () => {
    const after = HELP.replace('More folders', 'Other words')
      .replace('--resume [value] ', '--resume <value> ')
      .replace('"stream-json"', '"json"')
      .replace('-c, --continue  ', '-c, --carry-on  ');
    const difference = compareMaps(parseHelp(HELP).flags, parseHelp(after).flags);
    expect(difference).toEqual({
      same: 3,
      added: ['--carry-on'],
      gone: ['--continue'],
      changed: [
        '--input-format: <format> of text, stream-json → <format> of text, json',
        '--resume: [value] → <value>',
      ],
    });
    expect(compareLists(['mcp', 'rm'], ['mcp'])).toMatchObject({ same: 1, added: [], gone: ['rm'] });
  });
});

describe('the end of a CLI', () => {
  it.each([
    ["error: unknown option '--no-such-flag=1'\n", { flag: '--no-such-flag', value: undefined }],
    [
      "error: unknown option '--await-claim'\n(Did you mean --x?)",
      { flag: '--await-claim', value: undefined },
    ],
    [
      "error: option '--effort <level>' argument 'xhigh' is invalid. It must be one of: low",
      { flag: '--effort', value: 'xhigh' },
    ],
    ["error: option '-d, --debug [filter]' argument 'a' is invalid.", { flag: '--debug', value: 'a' }],
  ])('tells a flag that its parser does not take: %s', (stderr, complaint) => {
    expect(readComplaint(stderr)).toMatchObject(complaint);
  });

  it('is no complaint of the parser when something else was wrong', () => {
    expect(readComplaint('Error: Settings file not found: /nowhere')).toBeUndefined();
    expect(readComplaint('')).toBeUndefined();
  });

  it('is described by what hosts rely on', () => {
    const end = { code: 1, stdout: '{"type":"result"}\n', stderr: 'No.\n', isLate: false };
    expect(describeEnd(end)).toBe('exit 1, with a result, told on stderr');
    expect(describeEnd({ ...end, code: 0, stdout: '', stderr: '\n' })).toBe('exit 0');
    expect(describeEnd({ ...end, code: null, isLate: true })).toBe('does not end');
  });
});

const recordings = readRecordings();
const greeting = (version: string) =>
  recordings.filter((each) => each.version === version && each.scene === 'greet');
const line = (dir: 'in' | 'out', frame: object): string => JSON.stringify({ type: 'frame', dir, frame });
const framesFrom = (...lines: string[]) => framesOf(lines.join('\n'));

describe('the frames of two CLIs', () => {
  const before = framesFrom(
    line('in', { type: 'system', subtype: 'init', cwd: '/', tools: ['Bash'], old: { a: 1 }, maybe: null }),
    line('in', {
      type: 'result',
      subtype: 'success',
      usage: { tokens: 1 },
      modelUsage: { haiku: { cost: 1 } },
    }),
    line('out', { type: 'user', message: 'only what the CLI writes counts' }),
  );

  it('differ by kinds, fields and types, told once for what lies below', () => {
    const after = framesFrom(
      line('in', {
        type: 'system',
        subtype: 'init',
        cwd: ['/'],
        tools: ['Read'],
        maybe: 'now',
        more: { b: [{ c: 1 }] },
      }),
      line('in', { type: 'result', subtype: 'success', usage: {}, modelUsage: { opus: { cost: 1 } } }),
      line('in', { type: 'brand_new', field: 1 }),
    );
    const { added, gone, changed } = compareShapes(shapesOf(before), shapesOf(after));
    expect({ added, gone, changed }).toEqual({
      added: ['message in brand_new', 'message in system/init more'],
      gone: ['message in system/init old'],
      changed: ['message in system/init cwd: string → array'],
    });
  });

  it('do not differ from themselves', () => {
    const all = recordings.filter(({ version }) => version === '2.1.325');
    const { same, ...difference } = compareShapes(shapesOf(all), shapesOf(all));
    expect(difference).toEqual({ added: [], gone: [], changed: [] });
    expect(same).toBeGreaterThan(1000);
  });

  it('tell the oldest CLI from the newest', () => {
    const { added, gone } = compareShapes(shapesOf(greeting('2.1.325')), shapesOf(greeting('2.1.33')));
    expect(gone).toContain('message in system/session_state_changed');
    expect(gone).toContain('reply in initialize response.response.pid');
    expect((added as string[]).every((name) => name.startsWith('request in mcp_message'))).toBe(true);
  });
});

describe('the answers to control requests', () => {
  const ask = (id: string, subtype: string): string =>
    line('out', { type: 'control_request', request_id: id, request: { subtype } });
  const answer = (id: string, response: object): string =>
    line('in', { type: 'control_response', response: { request_id: id, ...response } });
  const answers = answersOf(
    framesFrom(
      ask('1', 'interrupt'),
      answer('1', { subtype: 'success' }),
      ask('2', 'set_color'),
      answer('2', { subtype: 'error', error: 'Unsupported control request subtype: set_color' }),
      ask('3', 'read_file'),
      answer('3', { subtype: 'error', error: 'No such file' }),
      ask('4', 'get_usage'),
      ask('5', 'list_models'),
      answer('5', { subtype: 'error', error: 'Unsupported control request subtype: list_models' }),
    ),
  );

  it('are accepted, an error, unknown, or not there', () => {
    expect(Object.fromEntries(answers)).toEqual({
      interrupt: 'accepted',
      set_color: 'unknown',
      read_file: 'error',
      get_usage: 'unanswered',
      list_models: 'unknown',
    });
  });

  it('are a fault where the version is promised to know the request', () => {
    const since = new Map([
      ['get_usage', '2.1.169'],
      ['list_models', '2.1.198'],
      ['set_color', undefined],
    ]);
    const find = (version: string) => findBrokenRequests(answers, { version, since, compareVersions });
    expect(find('2.1.180')).toEqual(['get_usage: unanswered, promised since 2.1.169']);
    expect(find('2.1.400')).toHaveLength(2);
    expect(find('2.1.33')).toEqual([]);
  });
});

describe('the schema of frames', () => {
  const text = readFileSync(new URL('../../schema/frames.schema.json', import.meta.url), 'utf8');
  const schema = JSON.parse(text) as Schema & { $defs: Record<string, Schema> };

  it('takes what was recorded, and tells the place of what it does not take', () => {
    const frames = greeting('2.1.325').filter(({ dir }) => dir === 'in');
    expect(checkFrames(frames, schema)).toEqual({ valid: frames.length, faults: [] });
    const init = frames.find(({ kind }) => kind === 'message in system/init');
    if (!init) throw new Error('not recorded');
    const { session_id: _, ...rest } = init.frame;
    const { valid, faults } = checkFrames([{ ...init, frame: { ...rest, tools: 'none' } }], schema);
    expect(valid).toBe(0);
    expect(faults).toHaveLength(2);
    expect(faults.join('\n')).toMatch(/\/tools: type,[\s\S]*required, .*session_id/);
  });
});

it('a session says what its CLI has', () => {
  const facts = sessionFactsOf(
    [
      line('in', {
        type: 'control_response',
        response: { response: { models: [{ value: 'opus' }], capabilities: ['a'] } },
      }),
      line('in', { type: 'system', subtype: 'init', tools: ['Bash'], slash_commands: ['cost'] }),
    ].join('\n'),
  );
  expect(facts).toMatchObject({ tools: ['Bash'], models: ['opus'], 'slash commands': ['cost'], agents: [] });
});
