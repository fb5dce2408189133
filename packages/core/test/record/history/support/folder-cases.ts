// Several transcripts at once: what is found where, in which order, and what lies beside a transcript.
import { assistant, createEntry, filler, idOf, SESSION, textOf, user, type Line } from './entries.js';
import type { ProjectFiles } from './config-folder.js';
import type { Question, SessionCase } from './session-case.js';

const file = (number: number, project = '-p'): string => `${project}/${idOf(number)}.jsonl`;
const SIX = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((number) => [file(number), [user(2, `session ${number}`)]]),
);
const SIX_TIMES = Object.fromEntries(Object.keys(SIX).map((path, index) => [path, 1_700_000_000 + index]));

const pages = [
  {},
  { limit: 2 },
  { limit: 2, offset: 1 },
  { offset: 4 },
  { limit: 0 },
  { limit: -1 },
  { offset: -1 },
  { offset: 99 },
];
const WITH_HIDDEN = {
  [file(1)]: '',
  [file(2)]: [user(2, 'b')],
  [file(3)]: [user(2, 'c', { isSidechain: true })],
  [file(4)]: [user(2, 'd')],
};

const entrypoints: Record<string, readonly (string | undefined)[]> = {
  'a program': ['sdk-ts'],
  'another program': ['sdk-py'],
  'a one-shot command': ['sdk-cli'],
  'a person': ['cli'],
  'an editor': ['claude-vscode'],
  'somebody unknown': ['sdk-other'],
  nobody: [undefined],
  'a program, then a person': ['sdk-ts', 'cli'],
  'a person, then a program': ['cli', 'sdk-ts'],
  'an empty name, then a program': ['', 'sdk-ts'],
};

const ARCHIVED = { archived: true, at: '2026-01-01T00:00:00.000Z', by: 'sdk' };
const LATER = { timestamp: '2026-06-01T00:00:00.000Z' };
const later = (content: unknown, more: Line = {}): Line[] => [
  user(2, 'q'),
  user(3, content, { ...LATER, ...more }),
];
const marks: Record<string, [mark: unknown, lines: string | Line[]]> = {
  archived: [ARCHIVED, [user(2, 'q')]],
  unarchived: [{ ...ARCHIVED, archived: false }, [user(2, 'q')]],
  'a mark without a time': [{ archived: true }, [user(2, 'q')]],
  'a mark with a date only': [{ ...ARCHIVED, at: '2026-01-01' }, [user(2, 'q')]],
  'a mark with an offset': [{ ...ARCHIVED, at: '2026-01-01T00:00:00+01:00' }, [user(2, 'q')]],
  'a mark that is no boolean': [{ ...ARCHIVED, archived: 1 }, [user(2, 'q')]],
  'a mark that is no JSON': ['{bad', [user(2, 'q')]],
  'a mark that is too large': [{ ...ARCHIVED, x: 'y'.repeat(5000) }, [user(2, 'q')]],
  'a prompt at the same time': [ARCHIVED, [user(2, 'q', { timestamp: ARCHIVED.at })]],
  'a later prompt': [ARCHIVED, later('r')],
  'a later picture': [ARCHIVED, later([{ type: 'image' }])],
  'a later shell command': [ARCHIVED, later('<bash-input>ls</bash-input>')],
  'a later command for the model': [
    ARCHIVED,
    later('<command-message>m</command-message><command-name>/m</command-name>'),
  ],
  'a later command of the CLI': [ARCHIVED, later('<command-name>/x</command-name>')],
  'later output': [ARCHIVED, later('<local-command-stdout>x</local-command-stdout>')],
  'a later interruption': [ARCHIVED, later('[Request interrupted by user]')],
  'a later tool result': [ARCHIVED, later([{ type: 'tool_result', content: 'x' }])],
  'a later hidden message': [ARCHIVED, later('r', { isMeta: true })],
  'a later message of a program': [ARCHIVED, later('r', { origin: { kind: 'task-notification' } })],
  'a later message of a human': [ARCHIVED, later('<div>', { origin: { kind: 'human' } })],
  'a later message of a subagent': [ARCHIVED, later('r', { isSidechain: true })],
  'a later reply': [ARCHIVED, [user(2, 'q'), assistant(3, 'a', LATER)]],
  'a later prompt that is far from both ends': [
    ARCHIVED,
    textOf([user(2, 'q')]) + filler(200_000) + textOf(later('r').slice(1)) + filler(200_000),
  ],
};

const AGENTS = `-p/${SESSION}/subagents`;
const side = (number: number, parent: number | null, more: Line = {}): Line =>
  user(number, 'x', { parent, isSidechain: true, agentId: 'a1', ...more });
const MAIN = { [file(1)]: [user(2, 'q')] };
const subagents: Record<string, ProjectFiles> = {
  'a subagent': { ...MAIN, [`${AGENTS}/agent-a1.jsonl`]: [side(3, null), assistant(4, 'y', { parent: 3 })] },
  'a subagent of no session': { [`${AGENTS}/agent-a1.jsonl`]: [side(3, null)] },
  'several, some deeper, some other files': {
    ...MAIN,
    [`${AGENTS}/agent-b.jsonl`]: [side(3, null)],
    [`${AGENTS}/agent-a1.jsonl`]: [side(3, null)],
    [`${AGENTS}/agent-empty.jsonl`]: '',
    [`${AGENTS}/other.jsonl`]: [side(3, null)],
    [`${AGENTS}/agent-c.json`]: '{}',
    [`${AGENTS}/deeper/down/agent-d.jsonl`]: [side(3, null)],
  },
  'notes about it': {
    ...MAIN,
    [`${AGENTS}/agent-a1.jsonl`]: [side(3, null)],
    [`${AGENTS}/agent-a1.meta.json`]: JSON.stringify({ toolUseId: 'toolu_1', parentAgentId: 'parent' }),
  },
  'notes that cannot be read': {
    ...MAIN,
    [`${AGENTS}/agent-a1.jsonl`]: [side(3, null)],
    [`${AGENTS}/agent-a1.meta.json`]: '{bad',
  },
  'attachments between, hidden messages': {
    ...MAIN,
    [`${AGENTS}/agent-a1.jsonl`]: [
      side(3, null, { isMeta: true }),
      createEntry('attachment', 4, { parent: 3 }),
      side(5, 4),
      side(6, 5, { isCompactSummary: true }),
      createEntry('system', 7, { parent: 6 }),
    ],
  },
  'a system entry between': {
    ...MAIN,
    [`${AGENTS}/agent-a1.jsonl`]: [side(3, null), createEntry('system', 4, { parent: 3 }), side(5, 4)],
  },
  'an older message written last': {
    ...MAIN,
    [`${AGENTS}/agent-a1.jsonl`]: [side(3, null), side(4, 3), side(5, 4), side(6, 3)],
  },
};

/** Cases about folders. */
export const FOLDER_CASES: readonly SessionCase[] = [
  ...pages.map((page) =>
    createCase(`page ${JSON.stringify(page)}`, SIX, [['listSessions', page]], SIX_TIMES),
  ),
  createCase('sessions of one moment', SIX, [['listSessions'], ['listSessions', { limit: 2, offset: 1 }]]),
  createCase('hidden sessions in a page', WITH_HIDDEN, [
    ['listSessions', { limit: 2 }],
    ['listSessions', { offset: 1 }],
  ]),
  createCase(
    'files that are no sessions',
    {
      '-p/abc.jsonl': [user(2, 'no id')],
      [`-p/${idOf(1)}.jsonl.bak`]: [user(2, 'a copy')],
      '-p/agent-abc.jsonl': [user(2, 'an agent')],
      [`-p/deeper/${idOf(4)}.jsonl`]: [user(2, 'too deep')],
      [`${idOf(5)}.jsonl`]: [user(2, 'not deep enough')],
      '-p/11111111-1111-1111-1111-111111111111.jsonl': [user(2, 'an old kind of id')],
      '-p/AAAAAAAA-0000-4000-8000-00000000000A.jsonl': [user(2, 'capitals')],
      '-afile': 'x',
    },
    [['listSessions']],
  ),
  createCase(
    'one id in two projects',
    { [file(1, '-a')]: [user(2, 'older')], [file(1, '-b')]: [user(2, 'newer')] },
    [['listSessions'], ['getSessionInfo', SESSION], ['getSessionMessages', SESSION]],
    { [file(1, '-b')]: 1_700_000_900 },
  ),
  createCase(
    'one id in two projects, the newer one empty',
    { [file(1, '-a')]: '', [file(1, '-b')]: [user(2, 'older')] },
    [['listSessions'], ['getSessionInfo', SESSION]],
    { [file(1, '-a')]: 1_700_000_900 },
  ),
  createCase(
    'a project by its directory',
    { [file(1, '-x-y')]: [user(2, 'q', { cwd: undefined })], [file(2, '-x')]: [user(2, 'q')] },
    [
      ['listSessions', { dir: '/x/y' }],
      ['listSessions', { dir: '/x.y' }],
      ['listSessions', { dir: '/nowhere' }],
      ['getSessionInfo', SESSION, { dir: '/x/y' }],
      ['getSessionInfo', SESSION, { dir: '/x' }],
      ['getSessionMessages', SESSION, { dir: '/x' }],
    ],
  ),
  createCase('what is no id', MAIN, [
    ['getSessionInfo', 'abc'],
    ['getSessionMessages', 'abc'],
    ['listSubagents', 'abc'],
    ['getSubagentMessages', 'abc', 'a1'],
    ['getSessionInfo', idOf(9)],
    ['getSessionMessages', idOf(9)],
  ]),
  ...Object.entries(entrypoints).map(([name, values]) =>
    createCase(
      `begun by ${name}`,
      { [file(1)]: values.map((entrypoint, index) => user(2 + index, 'q', { entrypoint })) },
      [['listSessions', { includeProgrammatic: false }]],
    ),
  ),
  createCase(
    'begun by a program, far from the start',
    {
      [file(1)]: textOf([user(2, 'q')]) + filler(200_000) + textOf([user(3, 'q', { entrypoint: 'sdk-ts' })]),
    },
    [['listSessions', { includeProgrammatic: false }]],
  ),
  ...Object.entries(marks).map(([name, [mark, lines]]) =>
    createCase(
      `the archive: ${name}`,
      {
        [file(1)]: lines,
        [`-p/${SESSION}/archived.json`]: typeof mark === 'string' ? mark : JSON.stringify(mark),
      },
      [['getSessionInfo', SESSION]],
    ),
  ),
  ...Object.entries(subagents).map(([name, files]) =>
    createCase(`subagents: ${name}`, files, [
      ['listSubagents', SESSION],
      ['getSubagentMessages', SESSION, 'a1'],
      ['getSubagentMessages', SESSION, 'd', { limit: 1 }],
      ['getSubagentMessages', SESSION, ''],
    ]),
  ),
];

function createCase(
  name: string,
  files: ProjectFiles,
  questions: readonly Question[],
  times: Readonly<Record<string, number>> = {},
): SessionCase {
  return { name, files, questions, times };
}
