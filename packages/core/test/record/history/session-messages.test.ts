// Conversations in transcripts as they should not be. Those as they are, tidy or not, are in official-answers.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getSessionMessages } from '../../../src/record/history/sessions/session-messages.js';
import { getSubagentMessages, listSubagents } from '../../../src/record/history/sessions/subagents.js';
import { useConfigFolders } from './support/config-folder.js';
import { assistant, boundary, idOf, numberOf, SESSION, textOf, user, type Line } from './support/entries.js';

const createConfigFolder = useConfigFolders();

async function readNumbers(lines: readonly (string | Line)[]): Promise<number[]> {
  createConfigFolder({ [`-p/${SESSION}.jsonl`]: lines });
  return (await getSessionMessages(SESSION)).map(({ uuid }) => numberOf(uuid));
}

describe('getSessionMessages', () => {
  it('gives a message as it was written', async () => {
    createConfigFolder({ [`-p/${SESSION}.jsonl`]: [user(2, [{ type: 'text', text: 'é😀' }])] });
    expect(await getSessionMessages(SESSION)).toEqual([
      {
        type: 'user',
        uuid: idOf(2),
        session_id: SESSION,
        message: { role: 'user', content: [{ type: 'text', text: 'é😀' }] },
        parent_tool_use_id: null,
        parent_agent_id: null,
        timestamp: '2025-01-02T03:04:05.000Z',
      },
    ]);
  });

  it('reads messages whose calls and results have objects in the place of ids', async () => {
    const noId = { toString: 1, valueOf: null };
    const lines = [
      user(2, [{ type: 'tool_result', tool_use_id: noId, content: 'r' }]),
      assistant(3, [{ type: 'tool_use', id: noId, name: 'Read', input: {} }] as never),
      boundary(4, { preservedMessages: { anchorUuid: idOf(3), uuids: [noId] } }),
    ];
    createConfigFolder({ [`-p/${SESSION}.jsonl`]: lines });
    expect((await getSessionMessages(SESSION)).length).toBeGreaterThan(0);
  });

  it('reads lines longer than what is read at a time', async () => {
    const lines = [2, 3, 4].map((number) =>
      user(number, 'é'.repeat(400_000), { parent: number === 2 ? null : number - 1 }),
    );
    createConfigFolder({ [`-p/${SESSION}.jsonl`]: lines });
    const messages = await getSessionMessages(SESSION, { offset: 1 });
    expect(messages.map(({ message }) => message)).toEqual(lines.slice(1).map(({ message }) => message));
  });

  it.each([
    [
      'two entries that are each other’s parent',
      [user(2, 'u', { parent: 3 }), user(3, 'u', { parent: 2 })],
      [],
    ],
    ['an entry that is its own parent', [user(2, 'u', { parent: 2 })], []],
    [
      'a cycle above the last message',
      [user(2, 'u', { parent: 3 }), user(3, 'u', { parent: 2 }), user(4, 'u', { parent: 3 })],
      [2, 3, 4],
    ],
    [
      'a compaction that kept what does not hang together',
      [
        user(2, 'u'),
        user(3, 'u'),
        boundary(20, {
          preservedSegment: { headUuid: idOf(2), anchorUuid: idOf(21), tailUuid: idOf(3) },
        }),
        user(21, 's', { parent: 20 }),
        user(22, 'u', { parent: 21 }),
      ],
      [21, 22],
    ],
    [
      'a compaction that says nothing one can use',
      [
        user(2, 'u'),
        boundary(20, { preservedMessages: { anchorUuid: 5 }, preservedSegment: 'x' }),
        user(21, 's', { parent: 20 }),
      ],
      [21],
    ],
  ])('ends with %s', async (_, lines, expected) => {
    expect(await readNumbers(lines)).toEqual(expected);
  });

  it('never fails, whatever is in the file', async () => {
    const number = fc.integer({ min: 2, max: 8 });
    const odd = fc.constantFrom<unknown>(undefined, null, 5, 'x', [], {}, [null], {
      id: 5,
      content: [null, 5],
    });
    const entry = fc.record({
      type: fc.constantFrom('user', 'assistant', 'system', 'attachment', 'progress', 'other', 5),
      uuid: fc.oneof(number.map(idOf), odd),
      parentUuid: fc.oneof(number.map(idOf), odd),
      message: odd,
      timestamp: odd,
      isMeta: odd,
      isSidechain: odd,
      subtype: fc.constantFrom('compact_boundary', undefined),
      compactMetadata: fc.oneof(
        odd,
        fc.record({
          preservedMessages: fc.record({ anchorUuid: number.map(idOf), uuids: fc.array(number.map(idOf)) }),
        }),
        fc.record({
          preservedSegment: fc.record({
            headUuid: number.map(idOf),
            anchorUuid: number.map(idOf),
            tailUuid: number.map(idOf),
          }),
        }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(entry, fc.string())), async (lines) => {
        const folder = createConfigFolder({ [`-p/${SESSION}.jsonl`]: textOf(lines) });
        const all = await getSessionMessages(SESSION, { includeSystemMessages: true });
        const pages = [];
        for (let offset = 0; offset < all.length; offset += 2) {
          pages.push(
            ...(await getSessionMessages(SESSION, { includeSystemMessages: true, limit: 2, offset })),
          );
        }
        folder.remove();
        expect(pages).toEqual(all);
        expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(all.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('subagents', () => {
  it('of a nested agent are found by their id alone', async () => {
    createConfigFolder({
      [`-p/${SESSION}.jsonl`]: [user(2, 'q')],
      [`-p/${SESSION}/subagents/deep/down/agent-x1.jsonl`]: [
        user(3, 'do', { isSidechain: true }),
        assistant(4, 'done', { parent: 3, isSidechain: true }),
      ],
      [`-p/${SESSION}/subagents/deep/down/agent-x1.meta.json`]: '{"toolUseId":"toolu_1"}',
    });
    expect(await listSubagents(SESSION)).toEqual(['x1']);
    expect(await getSubagentMessages(SESSION, 'x1')).toMatchObject([
      { uuid: idOf(3), parent_tool_use_id: 'toolu_1' },
      { uuid: idOf(4), parent_tool_use_id: 'toolu_1' },
    ]);
  });

  it('cannot be used to read other files', async () => {
    createConfigFolder({
      [`-p/${SESSION}.jsonl`]: [user(2, 'q')],
      '-p/agent-x.jsonl': [user(3, 'secret')],
    });
    expect(await getSubagentMessages(SESSION, '../../x')).toEqual([]);
  });
});
