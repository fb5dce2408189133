// What we make of every kind of result, against recordings of live calls on both CLIs (INBOARD_RECORD_RESULTS=1 with
// test/e2e/shown-results.long.test.ts records them), and what no live call can show.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NEWEST_VERSION, OLDEST_VERSION } from '../../../src/options/supported-versions.js';
import { CONTENT_KINDS } from '../../../src/answer/mcp/result/content-kinds.js';
import { showToModel } from '../../../src/calls/result/show-to-model.js';
import type { ResultPlace } from '../../../src/calls/result/shown-result.js';
import { describeShown, shorten, showRow, type RowPlace } from './compare-results.js';
import { pngOf } from './make-png.js';
import { RESULT_ROWS } from './rows.js';

interface Recording extends RowPlace {
  rows: { name: string; seen?: unknown; differs?: string }[];
}

function readRecording(version: string): Recording {
  const file = new URL(`../../../../../test/fixtures/tool-results/${version}.json`, import.meta.url);
  if (!existsSync(file))
    throw new Error(`No results were recorded with CLI ${version}; see the first lines of this file`);
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

describe.each([NEWEST_VERSION, OLDEST_VERSION])('a result as CLI %s showed it', (version) => {
  const recording = readRecording(version);
  const recorded = new Map(recording.rows.map((row) => [row.name, row]));

  it('was recorded for every row', () => {
    expect([...recorded.keys()]).toEqual(RESULT_ROWS.map(({ name }) => name));
  });

  it.each(RESULT_ROWS.map((row, index) => ({ row, index, name: row.name })))(
    '$name',
    ({ row, index, name }) => {
      const { seen, differs } = recorded.get(name) ?? {};
      const why = version === OLDEST_VERSION ? row.differs?.old : row.differs?.new;
      expect(differs).toBe(why);
      const shown = describeShown(showRow(row, index, recording), index, recording);
      // As text: the order of fields is part of what the model sees.
      if (why === undefined)
        expect(JSON.stringify(shorten(shown), null, 1)).toBe(JSON.stringify(seen, null, 1));
    },
  );
});

it('every kind of block has a row', () => {
  const shown = JSON.stringify(RESULT_ROWS.map(({ result }) => result?.['content']));
  expect(Object.keys(CONTENT_KINDS).filter((type) => !shown.includes(`"type":"${type}"`))).toEqual([]);
});

const place: ResultPlace = {
  server: 'demo',
  tool: 'give',
  toolUseId: 'toolu_1',
  cliVersion: NEWEST_VERSION,
  resultsFolder: '/results',
  at: 1,
};

describe('a result', () => {
  const picture = { content: [{ type: 'image', data: pngOf(1, 1), mimeType: 'image/png' }] };

  it('names the same files when it is shown again, and others for another call', () => {
    const names = (more: Partial<ResultPlace>): string[] =>
      showToModel(picture, { ...place, ...more }).files.map(({ path }) => path);
    expect(names({})).toEqual(names({}));
    expect(names({})).not.toEqual(names({ toolUseId: 'toolu_2' }));
  });

  it('gives each file a name of its own', () => {
    const two = { content: [...picture.content, ...picture.content] };
    const paths = showToModel(two, place).files.map(({ path }) => path);
    expect(new Set(paths).size).toBe(2);
  });

  it('gives two results of one tool that ended at the same time two files', () => {
    const long = { content: [{ type: 'text', text: 'x'.repeat(450_000) }] };
    const [one, two] = ['toolu_1', 'toolu_2'].map(
      (toolUseId) => showToModel(long, { ...place, toolUseId }).files,
    );
    expect(one?.[0]?.path).not.toBe(two?.[0]?.path);
  });

  it('never leads out of the folder', () => {
    const odd = { server: '../s', tool: '/etc/x', toolUseId: '../../up' };
    const long = { content: [{ type: 'text', text: 'x'.repeat(60_000) }] };
    const longer = { content: [{ type: 'text', text: 'x'.repeat(450_000) }] };
    const paths = [picture, long, longer].flatMap(
      (result) => showToModel(result, { ...place, ...odd }).files,
    );
    expect(paths).toHaveLength(3);
    for (const { path } of paths) expect(path).toMatch(/^\/results\/[\w-]+\.\w+$/);
  });

  it('of an unknown CLI is shown as by the newest', () => {
    const empty = { content: [] };
    expect(showToModel(empty, { ...place, cliVersion: undefined })).toEqual(showToModel(empty, place));
    expect(showToModel(empty, { ...place, cliVersion: '2.1.34' })).toEqual(showToModel(empty, place));
  });

  it('is not changed', () => {
    const given = {
      content: [{ type: 'text', text: 'x', _meta: { a: 1 } }],
      structuredContent: { b: 1 },
      _meta: { c: 1 },
    };
    const copy = structuredClone(given);
    showToModel(given, place);
    expect(given).toEqual(copy);
  });
});

describe('a result of a session without files', () => {
  const nowhere = { ...place, resultsFolder: undefined };
  const show = (content: unknown[]): string => {
    const shown = showToModel({ content }, nowhere);
    expect(shown.files).toEqual([]);
    return JSON.stringify(shown.content);
  };

  it.each([
    ['a sound', { type: 'audio', data: 'AQID', mimeType: 'audio/wav' }, '(audio/wav, 3 bytes) was not saved'],
    [
      'a long text',
      { type: 'text', text: 'x'.repeat(60_000) },
      'It was not saved: this session keeps no files',
    ],
    [
      'too many tokens',
      { type: 'text', text: 'x'.repeat(450_000) },
      'It was not saved: this session keeps no files',
    ],
  ])('says of %s that it is not kept', (_, block, words) => {
    expect(show([block])).toContain(words);
    expect(show([block])).not.toContain('undefined');
  });

  it('shows an image without a path', () => {
    const data = pngOf(1, 1);
    const source = { type: 'base64', media_type: 'image/png', data };
    expect(JSON.parse(show([{ type: 'image', data, mimeType: 'image/png' }]))).toEqual([
      { type: 'image', source },
    ]);
    expect(show([{ type: 'image', data: 'AAAA', mimeType: 'image/png' }])).toMatch(
      /^\[\{[^{]*could not be processed[^{]*\}\]$/,
    );
  });
});

describe('an image that the API might refuse', () => {
  const shown = (data: string, cliVersion: string): unknown => {
    const content = [{ type: 'image', data, mimeType: 'image/png' }];
    return showToModel({ content }, { ...place, cliVersion }).content;
  };
  const large = Buffer.concat([Buffer.from(pngOf(1, 1), 'base64'), Buffer.alloc(4_000_000)]).toString(
    'base64',
  );
  const saved = [
    {
      type: 'text',
      text: expect.stringMatching(
        /^\[Image from demo\] Binary content .* saved to \/results\/mcp-demo-blob-/,
      ) as string,
    },
  ];

  it.each([NEWEST_VERSION, OLDEST_VERSION])('is saved where it has too many bytes, on CLI %s', (version) => {
    expect(shown(large, version)).toEqual(saved);
  });

  it('is saved where it has too many pixels', () => {
    expect(shown(pngOf(2001, 10), NEWEST_VERSION)).toEqual(saved);
  });

  it('is shown as it is where the CLI would only make it smaller', () => {
    expect(shown(pngOf(1933, 1932), NEWEST_VERSION)).toMatchObject([{ type: 'image' }, { type: 'text' }]);
  });
});

describe('MAX_MCP_OUTPUT_TOKENS', () => {
  const isOver = (said: string, cliVersion: string, length: number): boolean => {
    const content = [{ type: 'text', text: 'x'.repeat(length) }];
    const shown = showToModel({ content }, { ...place, cliVersion, env: { MAX_MCP_OUTPUT_TOKENS: said } });
    return typeof shown.content === 'string' && shown.content.startsWith('Error: result');
  };

  // What each CLI was seen to make of the variable, with results of 30,000 and 500,000 characters.
  it.each([
    ['1000', [true, true], [true, true]],
    ['100000', [false, true], [false, true]],
    ['0', [false, true], [true, true]],
    ['-1', [false, true], [true, true]],
    ['abc', [false, true], [false, false]],
    ['', [false, true], [false, false]],
    ['1000abc', [true, true], [true, true]],
    ['2000.7', [true, true], [true, true]],
    [' 3000 ', [true, true], [true, true]],
    ['1e4', [false, true], [true, true]],
  ])('%j is read as each CLI reads it', (said, newest, oldest) => {
    const lengths = [30_000, 500_000];
    expect(lengths.map((length) => isOver(said, NEWEST_VERSION, length))).toEqual(newest);
    expect(lengths.map((length) => isOver(said, OLDEST_VERSION, length))).toEqual(oldest);
  });
});

describe('anthropic/maxResultSizeChars', () => {
  it.each([
    [0, 5, false],
    [1, 5, true],
    [2.5, 5, true],
    [-5, 2000, false],
    ['1000', 2000, false],
    [null, 2000, false],
    [undefined, 50_000, false],
    [60_000, 60_000, false],
    [60_000, 60_001, true],
    [900_000, 500_000, false],
    [900_000, 500_001, true],
  ])('%j and %i characters', (maxResultSizeChars, length, isSaved) => {
    const content = [{ type: 'text', text: 'x'.repeat(length) }];
    const shown = showToModel({ content }, { ...place, maxResultSizeChars });
    expect(typeof shown.content === 'string' && shown.content.startsWith('<persisted-output>')).toBe(isSaved);
    expect(shown.files).toHaveLength(isSaved ? 1 : 0);
  });
});
