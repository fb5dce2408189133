// Which messages a conversation has: trees of entries, tidy and untidy.
import {
  assistant,
  boundary,
  createEntry,
  idOf,
  SESSION,
  textOf,
  toolCall,
  toolResult,
  user,
  type Line,
} from './entries.js';
import type { SessionCase } from './session-case.js';

const system = (number: number, parent: number | null, more: Line = {}): Line =>
  createEntry('system', number, { parent, subtype: 'informational', content: 'x', ...more });
const attachment = (number: number, parent: number | null): Line =>
  createEntry('attachment', number, { parent, attachment: { type: 'x' } });
const progress = (number: number, parent: number | null): Line => createEntry('progress', number, { parent });
const segment = (head: number, anchor: number, tail: number): Line => ({
  preservedSegment: { headUuid: idOf(head), anchorUuid: idOf(anchor), tailUuid: idOf(tail) },
});
const messages = (anchor: number, ...kept: number[]): Line => ({
  preservedMessages: { anchorUuid: idOf(anchor), uuids: kept.map(idOf), allUuids: kept.map(idOf) },
});
const summaryOf = (number: number, parent: number): Line =>
  user(number, 'The story so far.', { parent, isCompactSummary: true, isVisibleInTranscriptOnly: true });

const TALK = [
  user(2, 'u'),
  assistant(3, 'a', { parent: 2 }),
  user(4, 'u', { parent: 3 }),
  assistant(5, 'a', { parent: 4 }),
];
const CAVEAT = '<local-command-caveat>Caveat</local-command-caveat>';
const COMMAND = '<command-name>/compact</command-name>\n<command-message>compact</command-message>';
const OUTPUT = '<local-command-stdout>Compacted</local-command-stdout>';
const ERRORS = '<local-command-stderr>bad</local-command-stderr>';
const caveat = (number: number, parent: number | null): Line =>
  user(number, CAVEAT, { parent, isMeta: true });

const transcripts: Record<string, string | readonly (string | Line)[]> = {
  'a conversation': TALK,
  'an empty file': '',
  'two branches, the later one counts': [
    ...TALK,
    user(6, 'u', { parent: 3 }),
    assistant(7, 'a', { parent: 6 }),
  ],
  'two branches, the older one spoken to last': [...TALK, user(6, 'u', { parent: 2 })],
  'entries between messages': [
    user(2, 'u'),
    system(3, 2),
    attachment(4, 3),
    assistant(5, 'a', { parent: 4 }),
  ],
  'entries after the last message': [...TALK, attachment(6, 5), system(7, 6)],
  'an attachment on an older branch written last': [...TALK, user(6, 'u', { parent: 3 }), attachment(7, 5)],
  'progress between messages': [
    user(2, 'u'),
    progress(3, 2),
    progress(4, 3),
    assistant(5, 'a', { parent: 4 }),
  ],
  'progress after another branch': [...TALK, progress(6, 3)],
  'a hidden message': [user(2, 'm', { isMeta: true }), user(3, 'u', { parent: 2 })],
  'a hidden message last': [...TALK, user(6, 'm', { parent: 5, isMeta: true })],
  'a subagent inside': [
    ...TALK,
    user(6, 's', { parent: 5, isSidechain: true }),
    assistant(7, 's', { parent: 6 }),
  ],
  'a teammate inside': [
    user(2, 'u'),
    assistant(3, 'a', { parent: 2, teamName: 't' }),
    user(4, 'u', { parent: 3 }),
  ],
  'only a subagent': [
    user(2, 's', { isSidechain: true }),
    assistant(3, 's', { parent: 2, isSidechain: true }),
  ],
  'a parent that is missing': [...TALK, user(6, 'u', { parent: 99 }), assistant(7, 'a', { parent: 6 })],
  'an entry without an id': [
    user(2, 'u'),
    { type: 'assistant', parentUuid: idOf(2) },
    assistant(5, 'a', { parent: 2 }),
  ],
  'no parents at all': [
    user(2, 'u', { parentUuid: undefined }),
    assistant(3, 'a', { parentUuid: undefined }),
  ],
  'two entries that are each other’s parent': [user(2, 'u', { parent: 3 }), assistant(3, 'a', { parent: 2 })],
  'an entry written twice': [...TALK, TALK[1] ?? {}],
  'lines that are no entries': [
    'xx',
    '{"a":',
    user(2, 'u'),
    '[]',
    'null',
    '5',
    assistant(3, 'a', { parent: 2 }),
  ],
  'Windows line ends': textOf(TALK).replaceAll('\n', '\r\n'),
  'a line cut short': textOf(TALK).slice(0, -40),
  'an origin': [user(2, 'u', { origin: { kind: 'task-notification' } })],
  'parallel calls': [
    user(2, 'u'),
    toolCall(3, { parent: 2, reply: 'm1', tools: ['t1'] }),
    toolCall(4, { parent: 3, reply: 'm1', tools: ['t2'] }),
    toolResult(5, 't1', { parent: 3 }),
    toolResult(6, 't2', { parent: 4 }),
    assistant(7, 'a', { parent: 6 }),
  ],
  'parallel calls beside each other, by time': [
    user(2, 'u'),
    toolCall(3, { parent: 2, reply: 'm1', tools: ['t1'], timestamp: '2025-01-01T00:00:09Z' }),
    toolCall(4, { parent: 2, reply: 'm1', tools: ['t2'], timestamp: '2025-01-01T00:00:05Z' }),
    toolCall(5, { parent: 2, reply: 'm1', tools: ['t3'], timestamp: '2025-01-01T00:00:01Z' }),
    toolResult(7, 't2', { parent: 4, timestamp: '2025-01-01T00:01:05Z' }),
    toolResult(8, 't3', { parent: 5, timestamp: '2025-01-01T00:00:55Z' }),
    toolResult(6, 't1', { parent: 3, timestamp: '2025-01-01T00:02:00Z' }),
  ],
  'a result that hangs elsewhere': [
    user(2, 'u'),
    toolCall(3, { parent: 2, reply: 'm1', tools: ['t1', 't2'] }),
    system(8, 3),
    toolResult(4, 't2', { parent: 8 }),
    toolResult(5, 't1', { parent: 3 }),
  ],
  'a result that hangs on nothing': [
    user(2, 'u'),
    toolCall(3, { parent: 2, reply: 'm1', tools: ['t1', 't2'] }),
    toolResult(4, 't2'),
    toolResult(5, 't1', { parent: 3 }),
  ],
  'two results for one call': [
    user(2, 'u'),
    toolCall(3, { parent: 2, reply: 'm1', tools: ['t1', 't2'] }),
    toolResult(4, 't2', { parent: 3 }),
    toolResult(8, 't2', { parent: 4 }),
    toolResult(5, 't1', { parent: 3 }),
  ],
  'calls of a reply without an id': [
    user(2, 'u'),
    toolCall(3, { parent: 2, tools: ['t1'] }),
    toolResult(4, 't1', { parent: 3 }),
    toolResult(5, 't1', { parent: 3 }),
  ],
  'a compaction': [...TALK, boundary(20), summaryOf(21, 20), user(22, 'u', { parent: 21 })],
  'a compaction that is somebody’s child': [
    ...TALK,
    boundary(20, {}, { parentUuid: idOf(5) }),
    user(21, 'u', { parent: 20 }),
  ],
  'a compaction that kept a segment': [
    ...TALK,
    boundary(20, segment(4, 21, 5)),
    summaryOf(21, 20),
    user(22, 'u', { parent: 21 }),
  ],
  'a compaction that kept messages': [
    ...TALK,
    boundary(20, { ...segment(2, 21, 3), ...messages(21, 2, 5) }),
    summaryOf(21, 20),
    user(22, 'u', { parent: 21 }),
  ],
  'a compaction that kept before its summary': [
    ...TALK,
    boundary(20, segment(4, 20, 5)),
    summaryOf(21, 20),
    user(22, 'u', { parent: 21 }),
  ],
  'a compaction that kept what is missing': [
    ...TALK,
    boundary(20, messages(21, 99, 5)),
    summaryOf(21, 20),
    user(22, 'u', { parent: 21 }),
  ],
  'a compaction with nothing after it': [...TALK, boundary(20, segment(4, 21, 5)), summaryOf(21, 20)],
  'two compactions': [
    ...TALK,
    boundary(20, segment(4, 21, 5)),
    summaryOf(21, 20),
    user(22, 'u', { parent: 21 }),
    assistant(23, 'a', { parent: 22 }),
    boundary(30, segment(5, 31, 23)),
    summaryOf(31, 30),
    user(32, 'u', { parent: 31 }),
  ],
  'a command': [caveat(5, null), user(6, COMMAND, { parent: 5 }), user(7, OUTPUT, { parent: 6 })],
  'a command without a caveat': [user(6, COMMAND), user(7, OUTPUT, { parent: 6 })],
  'a command with two outputs': [
    caveat(5, null),
    attachment(8, 5),
    user(6, COMMAND, { parent: 8 }),
    user(7, OUTPUT, { parent: 6 }),
    user(9, ERRORS, { parent: 7 }),
  ],
  'a command and a prompt, then output': [
    caveat(5, null),
    user(6, COMMAND, { parent: 5 }),
    user(7, 'u', { parent: 6 }),
    user(8, OUTPUT, { parent: 7 }),
  ],
  'a caveat, a prompt, then a command': [
    caveat(5, null),
    user(7, 'u', { parent: 5 }),
    user(6, COMMAND, { parent: 7 }),
    user(8, OUTPUT, { parent: 6 }),
  ],
  'two commands': [
    caveat(5, null),
    user(6, [{ type: 'text', text: COMMAND }], { parent: 5 }),
    user(7, OUTPUT, { parent: 6 }),
    caveat(8, 7),
    user(9, COMMAND, { parent: 8 }),
  ],
};

/** Cases about one session's conversation. */
export const MESSAGE_CASES: readonly SessionCase[] = Object.entries(transcripts).map(([name, lines]) => ({
  name,
  files: { [`-p/${SESSION}.jsonl`]: lines },
  questions: [
    ['getSessionMessages', SESSION],
    ['getSessionMessages', SESSION, { includeSystemMessages: true }],
    ['getSessionMessages', SESSION, { limit: 2, offset: 1 }],
  ],
}));
