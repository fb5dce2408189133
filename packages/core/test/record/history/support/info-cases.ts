// What a list shows about a session: one transcript each.
import { assistant, createEntry, filler, SESSION, textOf, user, type Line } from './entries.js';
import type { SessionCase } from './session-case.js';

type Lines = string | readonly (string | Line)[];

const title = (customTitle: unknown): Line => ({ type: 'custom-title', customTitle, sessionId: SESSION });
const aiTitle = (words: unknown): Line => ({ type: 'ai-title', aiTitle: words });
const lastPrompt = (words: unknown): Line => ({ type: 'last-prompt', lastPrompt: words });
const summary = (words: unknown): Line => ({ type: 'summary', summary: words, leafUuid: SESSION });
const tag = (words: unknown): Line => ({ type: 'tag', tag: words, sessionId: SESSION });
const image = { type: 'image', source: { type: 'base64', data: 'aaaa' } };
const document = { type: 'document', source: { type: 'base64', data: 'aaaa' } };
const text = (words: string): Line => ({ type: 'text', text: words });
const HELLO = user(2, 'hello');
const REAL = user(9, 'REAL');
const FAR = filler(200_000);
const nested = { cwd: '/n', gitBranch: 'n', customTitle: 'n', summary: 'n', lastPrompt: 'n', tag: 'n' };

const transcripts: Record<string, Lines> = {
  'a prompt': [HELLO],
  'an empty file': '',
  'blank lines': '\n\n',
  'no JSON at all': 'xx\n{bad\n',
  'a prompt in a block': [user(2, [text('from a block')])],
  'a picture, then words': [user(2, [image, text('look')])],
  'words in tags, then words': [user(2, [text('<ide_opened_file>x</ide_opened_file>'), text('second')])],
  'a tool result, then a prompt': [user(2, [{ type: 'tool_result', tool_use_id: 't' }]), REAL],
  'only a reply': [assistant(2, 'hi')],
  'a hidden message, then a prompt': [user(2, 'hidden', { isMeta: true }), REAL],
  'a compaction summary, then a prompt': [user(2, 'This session', { isCompactSummary: true }), REAL],
  'only a hidden message': [user(2, 'hidden', { isMeta: true })],
  'only a picture': [user(2, [image])],
  'only a document': [user(2, [document])],
  'a document and a picture': [user(2, [document, image])],
  'a document, later a picture': [user(2, [document]), user(3, [image])],
  'a picture that a tool gave': [user(2, [{ type: 'tool_result', content: [image] }])],
  'a picture and a command': [user(2, [image]), user(3, '<command-name>/x</command-name>')],
  'a picture of 70 kB': [user(2, [{ type: 'image', source: { data: 'y'.repeat(70_000) } }, text('look')])],
  'a prompt of 70 kB, then another': [user(2, 'y'.repeat(70_000)), REAL],
  'a prompt of 150 kB and a title': [user(2, 'y'.repeat(150_000)), title('Long')],
  'a title': [HELLO, title('My title')],
  'two titles': [HELLO, title('One'), title('Two')],
  'a title taken back': [HELLO, title('My title'), title('')],
  'a title in another order of fields': [HELLO, { customTitle: 'T', type: 'custom-title' }],
  'a title with spaces in the JSON': [HELLO, '{"type": "custom-title", "customTitle": "T"}'],
  'a title without its type': [HELLO, { type: 'other', customTitle: 'T' }],
  'a title that is a number': [HELLO, title(5)],
  'a title with all kinds of characters': [HELLO, title('a "q" \\ \n \u2028 é 😀')],
  'a long title': [HELLO, title('x'.repeat(500))],
  'a title of the model': [HELLO, aiTitle('Its title')],
  'both titles': [HELLO, title('Mine'), aiTitle('Its')],
  'a title taken back, one of the model': [HELLO, title('Mine'), aiTitle('Its'), title('')],
  'a last prompt': [HELLO, lastPrompt('the last')],
  'an empty last prompt': [HELLO, lastPrompt('the last'), lastPrompt('')],
  'a long last prompt': [HELLO, lastPrompt('x\n'.repeat(200))],
  'a summary': [HELLO, summary('about')],
  'a last prompt and a summary': [HELLO, lastPrompt('the last'), summary('about')],
  everything: [HELLO, lastPrompt('l'), summary('s'), aiTitle('a'), title('t'), tag('g')],
  'only a title': [title('T')],
  'only a last prompt': [lastPrompt('L')],
  'a tag': [HELLO, tag('T')],
  'a tag taken away': [HELLO, tag('T'), tag('')],
  'a tag of null': [HELLO, tag('T'), tag(null)],
  'names of fields inside a tool call': [
    HELLO,
    assistant(3, '', { message: { content: [{ type: 'tool_use', input: nested }] } }),
  ],
  'names of fields inside a prompt': [user(2, 'say "cwd":"/inj" and "isSidechain":true')],
  'a subagent': [user(2, 'q', { isSidechain: true }), REAL],
  'a subagent further down': [HELLO, user(3, 'r', { isSidechain: true })],
  'no time': [user(2, 'q', { timestamp: undefined })],
  'a time that is none': [user(2, 'q', { timestamp: 'zz' }), REAL],
  'a time in another entry': [{ type: 'queue-operation', timestamp: '2024-01-01T00:00:00.000Z' }, HELLO],
  'no folder and no branch': [user(2, 'q', { cwd: undefined, gitBranch: undefined })],
  'an empty folder name': [user(2, 'q', { cwd: '' }), REAL],
  'another branch later': [HELLO, user(3, 'q', { gitBranch: 'b2', cwd: '/other' })],
  'no branch later': [user(2, 'q', { gitBranch: 'b1' }), user(3, 'q', { gitBranch: '' })],
  'Windows line ends': textOf([HELLO, title('T')]).replaceAll('\n', '\r\n'),
  'no line feed at the end': textOf([HELLO, title('T')]).trimEnd(),
  'a line cut short': `${textOf([HELLO])}{"type":"custom-title","customTitle":"T`,
  'a byte order mark': `\ufeff${textOf([user(2, 'first'), REAL])}`,
  'a title only at the start of a large file': textOf([HELLO, title('T')]) + FAR,
  'a title only in the middle of a large file': textOf([HELLO]) + FAR + textOf([title('T')]) + FAR,
  'a title only at the end of a large file': textOf([HELLO]) + FAR + textOf([title('T')]),
  'a title taken back at the end of a large file': textOf([HELLO, title('T')]) + FAR + textOf([title('')]),
  'a tag only at the start of a large file': textOf([HELLO, tag('T')]) + FAR,
  'a last prompt only at the start of a large file': textOf([HELLO, lastPrompt('L')]) + FAR,
  'a branch in a line cut at the edge': `${textOf([HELLO])}${FAR}{"x":"${'y'.repeat(70_000)}","gitBranch":"cut"}\n`,
  'a first prompt far from the start': FAR + textOf([HELLO]) + FAR + textOf([title('T')]),
  'other entries first': [
    createEntry('attachment', 3, { attachment: { type: 'x', cwd: '/nested' }, cwd: '/top' }),
    { type: 'file-history-snapshot', snapshot: { timestamp: '2023-01-01T00:00:00.000Z' } },
    HELLO,
  ],
};

const prompts = [
  'a\nb\r\nc\td',
  '   padded   ',
  '   ',
  '',
  'x'.repeat(200),
  'x'.repeat(201),
  'word '.repeat(60),
  `${'x'.repeat(199)}😀 and more`,
  '<local-command-stdout>x</local-command-stdout>',
  '<session-start-hook>x',
  '<ide_selection>f</ide_selection> after',
  '<command-name>/compact</command-name>',
  '<command-message>foo</command-message>\n<command-name>/foo</command-name>',
  'hello <command-name>/foo</command-name>',
  '<command-name></command-name>',
  '<bash-input>ls\n-la</bash-input>',
  'run <bash-input>ls</bash-input>',
  '<bash-stdout>x</bash-stdout>',
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use] more',
  '[Request interrupted by userX',
  '<task-notification>x</task-notification>',
  '<div>hello</div>',
  '<Foo> x',
  '<foo/>',
  '<foo.bar>',
  '<h1>',
  '<foo\nbar>',
  '< b',
  '/slash command',
  '[Image #1] look',
  '\u00a0x\u00a0',
];

/** Cases about one session's facts. */
export const INFO_CASES: readonly SessionCase[] = [
  ...Object.entries(transcripts).map(([name, lines]) => createCase(name, lines)),
  ...prompts.map((words) =>
    createCase(`the prompt ${JSON.stringify(words)}, then another`, [user(2, words), REAL]),
  ),
  ...prompts.map((words) => createCase(`only the prompt ${JSON.stringify(words)}`, [user(2, words)])),
];

function createCase(name: string, lines: Lines): SessionCase {
  const questions = [['getSessionInfo', SESSION] as const, ['listSessions'] as const];
  return { name, files: { [`-p/${SESSION}.jsonl`]: lines }, questions };
}
