// The last turn of a transcript is found from its end: the same as by reading all of it, and without reading all of it.
import * as fc from 'fast-check';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readLastTurn } from '../../../src/record/history/sessions/transcript-state.js';
import { findProjectKey } from '../../../src/record/history/store/stored-entries.js';
import { scanEntriesBackwards } from '../../../src/record/history/transcript/scan-backwards.js';
import {
  encodeEntries,
  scanEntries,
  type Entry,
} from '../../../src/record/history/transcript/transcript-lines.js';
import {
  CONTINUATION_START,
  LastTurnFinder,
  TranscriptReader,
} from '../../../src/record/history/transcript/transcript-state.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

async function createFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'last-turn-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'transcript.jsonl');
}

const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const assistant = (message: object, more: object = {}) => ({ type: 'assistant', message, ...more });

/** An entry of each kind that the last turn depends on, or must not. */
const KINDS: readonly object[] = [
  user('Pay back.'),
  user([{ type: 'text', text: 'And that.' }]),
  user(`${CONTINUATION_START}\nContinue where you left off.`),
  user([{ type: 'text', text: '[Request interrupted by user for tool use]' }]),
  user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'paid' }]),
  user([
    { type: 'tool_result', tool_use_id: 'toolu_1', content: 'paid' },
    { type: 'text', text: 'Also said.' },
  ]),
  user(
    [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'paid' },
      { type: 'text', text: 'By a person.' },
    ],
    { origin: { kind: 'human' } },
  ),
  user('A note of the CLI.', { isMeta: true }),
  user('Of a subagent.', { isSidechain: true }),
  user('Without an id.', { uuid: null }),
  assistant({ id: 'm1', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' }),
  assistant({
    id: 'm2',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'pay', input: {} }],
    stop_reason: 'tool_use',
  }),
  assistant({ id: 'm3', model: '<synthetic>', content: [{ type: 'text', text: 'No response requested.' }] }),
  assistant({ id: 'm4', content: [{ type: 'text', text: 'Of a subagent.' }] }, { isSidechain: true }),
  { type: 'system', subtype: 'compact_boundary' },
  { type: 'progress' },
];

it('is the same as that of the whole transcript', () => {
  const kinds = fc.array(fc.constantFrom(...KINDS), { maxLength: 14 });
  let taken = 0;
  let given = 0;
  fc.assert(
    fc.property(kinds, (chosen) => {
      const entries: Entry[] = chosen.map((entry, index) => ({ uuid: `uuid-${index}`, ...entry }));
      const reader = new TranscriptReader();
      for (const entry of entries) reader.read(entry);
      const finder = new LastTurnFinder();
      const enough = entries.toReversed().findIndex((entry) => finder.take(entry));
      taken += enough < 0 ? entries.length : enough + 1;
      given += entries.length;
      expect(finder.turn).toEqual(reader.turn);
    }),
    propertyOptions(4000),
  );
  // It must not have been right by taking everything.
  expect(taken).toBeLessThan(given);
});

it('comes from lines that are the same backwards, however they are cut into pieces', async () => {
  const path = await createFile();
  const text = `{"uuid":1}\n\n{"text":"größer","n":2}\nno JSON\n{"uuid":3,"long":"${'ab'.repeat(40)}"}\n[4]\n{"uuid":5}\n{"uuid":6,"torn`;
  for (const content of ['', '\n', '{"uuid":1}', text, `${text}":1}`, `${text}":1}\n\n`]) {
    await writeFile(path, content);
    for (const options of [{}, { mention: '"uuid"' }]) {
      const forwards: Entry[] = [];
      await scanEntries(path, (entry) => forwards.push(entry), options);
      for (const chunkBytes of [1, 2, 3, 7, 16, 1024]) {
        const backwards: Entry[] = [];
        await scanEntriesBackwards(path, (entry) => backwards.push(entry) < 0, { ...options, chunkBytes });
        expect(backwards.toReversed()).toEqual(forwards);
      }
    }
  }
});

it('ends reading where it was told to', async () => {
  const path = await createFile();
  await writeFile(path, encodeEntries([{ n: 1 }, { n: 2 }, { n: 3 }]));
  const seen: unknown[] = [];
  await scanEntriesBackwards(path, ({ n }) => seen.push(n) === 2);
  expect(seen).toEqual([3, 2]);
});

it('of a long session needs only its end', async () => {
  const home = await mkdtemp(join(tmpdir(), 'last-turn-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const sessionId = '57d460cf-0000-4000-8000-000000000001';
  const path = join(home, 'projects', await findProjectKey(home), `${sessionId}.jsonl`);
  const turns = Array.from({ length: 4000 }, (_, index) => [
    { uuid: `u${index}`, ...user(`Question ${index}`) },
    {
      uuid: `a${index}`,
      ...assistant({ id: `m${index}`, content: [{ type: 'text', text: 'x'.repeat(1000) }] }),
    },
  ]).flat();
  const lines = encodeEntries([...turns, { uuid: 'last', ...user('And?') }]);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines);
  const file = await open(path);
  const read = vi.spyOn(Object.getPrototypeOf(file), 'read');
  onTestFinished(() => read.mockRestore());
  await file.close();
  const turn = await readLastTurn(sessionId, { dir: home, env: { CLAUDE_CONFIG_DIR: home } });
  expect(turn).toMatchObject({ uuid: 'last', isFirst: false, text: undefined });
  const bytes = read.mock.calls.reduce((sum, [, , length]) => sum + Number(length), 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(lines.length / 10);
});
