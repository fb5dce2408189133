// A call in a few words, rows of a story, and the search in them.
import { describe, expect, it } from 'vitest';
import {
  callTimes,
  inputLine,
  outputLines,
  permissionLine,
  stateWord,
} from '../../src/model/story/call-lines.js';
import { readOutput } from '../../src/model/story/read-output.js';
import { Story } from '../../src/model/story/story.js';
import {
  findStoryRow,
  isErrorItem,
  isTurnStart,
  listRows,
  searchRows,
} from '../../src/model/story/story-rows.js';
import type { CallItem, PermissionStep } from '../../src/model/story/story-item.js';
import { splitToolName } from '../../src/model/story/tool-name.js';
import { readFixture } from '../support/make-events.js';

const story = new Story();
for (const event of readFixture('story')) story.push(event);
const rows = listRows(story.items, () => false);
const callNamed = (name: string): CallItem =>
  rows.find((item) => item.kind === 'call' && item.name === name) as CallItem;

describe('a call', () => {
  it('shows of its input what says most', () => {
    expect(inputLine(callNamed('Bash'))).toBe('ls -1 && wc -l notes.md');
    expect(inputLine(callNamed('Task'))).toBe('Find out about Porto');
    expect(inputLine(callNamed('TaskCreate'))).toBe('Tell the customer');
    expect(inputLine(callNamed('count_stock'))).toBe('warehouse: Lund, article: blue lamp');
    const long = { ...callNamed('Bash'), input: { command: 'x\n'.repeat(5000) } };
    expect(inputLine(long)).toHaveLength(240);
    expect(inputLine({ ...callNamed('Bash'), input: undefined, inputText: '{"comm' })).toBe('{"comm');
  });

  it('shows the first lines of its output, and of a subagent the report', () => {
    expect(outputLines(callNamed('Bash'))).toBe('notes.md\n4 notes.md');
    expect(outputLines(callNamed('list_orders'))).toBe('article: blue lamp, open: 3, orders: [3 items]');
    expect(outputLines(callNamed('Task'))).toMatch(/^Express orders go out from Lund/);
    expect(outputLines({ output: readOutput('a\n\n\nb\nc\nd') })).toBe('a\nb\nc');
    expect(outputLines({ output: [] })).toBe('');
    // What the CLI puts before a subagent's answer is meant for the model.
    const listed = '<tools-used-before-summary>Read, Bash</tools-used-before-summary>\n';
    expect(outputLines({ output: readOutput(`${listed}Porto is being moved.`) })).toBe(
      'Porto is being moved.',
    );
  });

  it('splits its time into waiting and running', () => {
    const { waited, ran, whole } = callTimes(callNamed('send_mail'));
    expect(Math.round((waited ?? 0) / 100)).toBe(15);
    expect(ran).toBeLessThan(300);
    expect(whole).toBeGreaterThan((waited ?? 0) + (ran ?? 0));
    // What never ran has no time of running.
    expect(callTimes(callNamed('refund_order')).ran).toBeUndefined();
  });

  it('says who allowed it', () => {
    const step: PermissionStep = {
      id: 'p',
      askedT: 100,
      settledT: 1600,
      outcome: 'allowed',
      by: 'inspector',
      message: undefined,
      isEdited: true,
    };
    expect(permissionLine(step)).toBe('allowed by you after 1.5 s, edited');
    expect(permissionLine({ ...step, by: 'callback', isEdited: false })).toBe(
      'allowed by the program after 1.5 s',
    );
    expect(permissionLine({ ...step, by: 'Ines', outcome: 'denied', isEdited: false })).toBe(
      'denied by Ines after 1.5 s',
    );
    expect(permissionLine({ ...step, outcome: 'withdrawn', isEdited: false })).toBe('withdrawn after 1.5 s');
    expect(permissionLine({ ...step, outcome: undefined, settledT: undefined })).toBe('asks to run');
    expect(stateWord({ ...callNamed('Bash'), state: 'running', isBackground: true })).toBe(
      'running in the background',
    );
  });

  it('has a server only where its name says so', () => {
    expect(splitToolName('mcp__my_shop__count__all')).toEqual({ server: 'my_shop', name: 'count__all' });
    for (const name of ['Bash', 'mcp__', 'mcp__shop', 'mcp__shop__', 'mcp____x'])
      expect(splitToolName(name)).toEqual({ server: undefined, name });
  });
});

describe('the output of a tool', () => {
  it('is JSON where it is, and text where it only begins like it', () => {
    expect(readOutput('{"a":1}')).toEqual([{ type: 'json', value: { a: 1 } }]);
    expect(readOutput(' [1,2] ')).toEqual([{ type: 'json', value: [1, 2] }]);
    for (const text of ['{"a":', '[info] started', '{not json}', '[1],"x":[2]'])
      expect(readOutput(text)).toEqual([{ type: 'text', text }]);
    expect(readOutput('<tool_use_error>No such file</tool_use_error>')).toEqual([
      { type: 'text', text: 'No such file' },
    ]);
  });

  it('has images of the API and of MCP, also where their data was cut', () => {
    const api = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const mcp = { type: 'image', mimeType: 'image/png', data: '' };
    expect(readOutput([api, mcp, { type: 'odd' }])).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'AAAA', bytes: 3 },
      { type: 'image', mediaType: 'image/png', data: undefined, bytes: 0 },
      { type: 'json', value: { type: 'odd' } },
    ]);
  });
});

describe('the rows of a story', () => {
  it('have what a subagent did below its call, unless it is folded', () => {
    const folded = listRows(story.items, () => true);
    expect(rows.length - folded.length).toBe(2);
    expect(rows.indexOf(callNamed('Read'))).toBe(rows.indexOf(callNamed('Task')) + 1);
  });

  it('are jumped to by turn and by error, around the end', () => {
    const turns = rows.flatMap((item, index) => (isTurnStart(item) ? index : []));
    expect(turns).toHaveLength(2);
    expect(findStoryRow(rows, -1, 1, isTurnStart)).toBe(turns[0]);
    expect(findStoryRow(rows, turns[1] as number, 1, isTurnStart)).toBe(turns[0]);
    expect(findStoryRow(rows, turns[0] as number, -1, isTurnStart)).toBe(turns[1]);
    expect(rows[findStoryRow(rows, -1, 1, isErrorItem) as number]).toMatchObject({ state: 'failed' });
    expect(findStoryRow(rows, 0, 1, () => false)).toBeUndefined();
    expect(findStoryRow([], 0, 1, () => true)).toBeUndefined();
  });

  it('are found by what stands in inputs, outputs, texts and reasons', () => {
    const found = (query: string): string[] =>
      searchRows(rows, query).map((index) => {
        const item = rows[index];
        return item?.kind === 'call' ? item.name : (item?.kind ?? '');
      });
    expect(found('ETIMEDOUT')).toEqual(['count_stock']);
    expect(found('sofie maes')).toEqual(['list_orders']);
    expect(found('keep the order open')).toEqual(['refund_order']);
    // The answer repeats the text above it, and is not another place.
    expect(found('early December')).toEqual(['text']);
    expect(found('  ')).toEqual([]);
  });
});
