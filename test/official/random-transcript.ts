// Transcripts by chance, for what a list shows about them.
import { idOf, SESSION, type Line } from '../../packages/core/test/record/history/support/entries.js';
import type { Chance } from './chance.js';

const TEXTS = [
  'hello',
  '  padded  ',
  'a\nb',
  'x'.repeat(250),
  '<div>x',
  '<command-name>/x</command-name>',
  '<command-message>m</command-message>\n<command-name>/m</command-name>',
  '<bash-input>ls</bash-input>',
  '<local-command-stdout>o</local-command-stdout>',
  '[Request interrupted by user]',
  '',
  '  ',
  'é😀'.repeat(80),
  'say "cwd":"/inj"',
  '<Foo>',
  '\\"quoted\\"',
  'y'.repeat(70_000),
];
const TIMES = [
  '2024-01-01T00:00:00.000Z',
  '2025-06-01T00:00:00.000Z',
  '2026-06-01T00:00:00.000Z',
  'bad',
  undefined,
  5,
];
const NESTED = {
  cwd: '/n',
  gitBranch: 'n',
  customTitle: 'n',
  summary: 'n',
  tag: 'n',
  lastPrompt: 'n',
  timestamp: '2020',
};

/** The text of a transcript. */
export function createRandomTranscript(chance: Chance): string {
  const lines = chance.list(chance.below(9), () => createRandomLine(chance));
  const text = lines
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join(chance.pick(['\n', '\n', '\r\n']));
  const ended = text + chance.pick(['\n', '']);
  return chance.next() < 0.1 ? ended.replaceAll('":', '": ') : ended;
}

/** The mark of an archived session. */
export function createRandomMark(chance: Chance): string {
  const at = chance.pick(['2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z', 'bad']);
  return JSON.stringify({ archived: chance.next() < 0.8, at, by: 'sdk' });
}

function createRandomLine(chance: Chance): string | Line {
  const { pick, maybe } = chance;
  const shared = {
    cwd: maybe(0.7, pick(['/a', '/b', ''])),
    gitBranch: maybe(0.7, pick(['m1', 'm2', ''])),
    timestamp: pick(TIMES),
    sessionId: SESSION,
    isSidechain: maybe(0.5, chance.next() < 0.1),
    entrypoint: maybe(0.3, pick(['cli', 'sdk-ts', 'sdk-py', ''])),
  };
  const sessionId = pick([SESSION, SESSION, SESSION, idOf(77), undefined]);
  const kinds: [weight: number, make: () => string | Line][] = [
    [40, () => createRandomPrompt(chance, shared)],
    [15, () => createRandomReply(chance, shared)],
    [7, () => ({ type: 'custom-title', customTitle: pick(['T1', 'T2', '', 5]) })],
    [5, () => ({ type: 'ai-title', aiTitle: pick(['A1', '']) })],
    [5, () => ({ type: 'last-prompt', lastPrompt: pick(['L1', '']) })],
    [4, () => ({ type: 'summary', summary: pick(['S1', '']) })],
    [5, () => ({ type: 'tag', tag: pick(['G1', '', null]) })],
    [5, () => ({ type: 'queue-operation', ...shared })],
    [4, () => pick(['garbage', '{"type":"user","message":{"content":"trunc', '', 'null', '[1]'])],
    [7, () => ({ type: 'filler', x: 'f'.repeat(chance.below(40_000)) })],
    [3, () => ({ type: 'attachment', attachment: { type: 'image', cwd: '/att' } })],
    [4, () => ({ type: 'atis-latch', sessionId, atis: pick(['', 'x', 'y', 5]) })],
    [4, () => ({ type: 'tools-used', sessionId, tools: pick([[], ['A'], ['B', 5, 'A'], 'x']) })],
  ];
  let left = chance.below(kinds.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, make] of kinds) {
    left -= weight;
    if (left < 0) return make();
  }
  return '';
}

function createRandomPrompt(chance: Chance, shared: Line): Line {
  const { pick, maybe, next } = chance;
  const block = (): Line =>
    pick<Line>([
      { type: 'text', text: pick(TEXTS) },
      { type: 'image', source: { data: pick(['s', 'z'.repeat(70_000)]) } },
      { type: 'document' },
      { type: 'tool_result', tool_use_id: 't', content: 'x' },
      { type: 'text', text: 'plain block' },
    ]);
  const content = pick<unknown>([
    pick(TEXTS),
    pick(TEXTS),
    chance.list(chance.below(3), block),
    pick([null, {}, 5]),
  ]);
  return {
    type: 'user',
    uuid: idOf(chance.below(1e6)),
    parentUuid: null,
    ...shared,
    isMeta: maybe(0.15, next() < 0.7),
    isCompactSummary: maybe(0.1, true),
    isVisibleInTranscriptOnly: maybe(0.05, true),
    origin: maybe(0.1, pick([{ kind: 'human' }, { kind: 'x' }, null])),
    toolUseResult: maybe(0.05, pick(['x', null])),
    message: { role: 'user', content },
  };
}

function createRandomReply(chance: Chance, shared: Line): Line {
  const content = [
    { type: 'text', text: chance.pick(TEXTS) },
    { type: 'tool_use', input: NESTED },
  ];
  return { type: 'assistant', uuid: idOf(chance.below(1e6)), ...shared, message: { content } };
}
