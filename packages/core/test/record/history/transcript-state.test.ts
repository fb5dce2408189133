// Whether the last turn of a conversation was finished: entries in the shape both CLIs write them, shortened.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { findProjectKey } from '../../../src/record/history/store/stored-entries.js';
import { getTranscriptState } from '../../../src/record/history/sessions/transcript-state.js';
import { copiedCallId } from '../../../src/record/history/transcript/copied-call.js';
import {
  CONTINUATION_START,
  TranscriptReader,
  transcriptState,
} from '../../../src/record/history/transcript/transcript-state.js';

const prompt = (uuid: string, text = 'Pay back.', more: object = {}) => ({
  type: 'user',
  uuid,
  message: { role: 'user', content: [{ type: 'text', text }] },
  ...more,
});
const reply = (content: object[], stop_reason: string | null = null, more: object = {}) => ({
  type: 'assistant',
  uuid: `a${Math.random()}`,
  message: { id: 'm1', content, stop_reason, ...more },
});
const says = (text: string, stop: string | null = 'end_turn', more = {}) =>
  reply([{ type: 'text', text }], stop, more);
const calls = (id: string, input: object = { order: 7 }) =>
  reply([{ type: 'tool_use', id, name: 'refund', input }], 'tool_use');
const returns = (id: string, text = 'paid', isError = false) => ({
  type: 'user',
  uuid: `r${id}`,
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError }] },
});
const UNKNOWN = '[Tool call interrupted: the session ended before this call’s result was recorded]';
const other = [{ type: 'queue-operation' }, { type: 'attachment', uuid: 'x' }, { type: 'last-prompt' }];
const open = (toolUseId: string) => ({ toolUseId, toolName: 'refund', input: { order: 7 } });
const cut = (uuid: string, openCalls: object[] = [], stopped = false) => ({
  state: 'interrupted',
  uuid,
  openCalls,
  stopped,
});

it.each([
  ['nothing', [], { state: 'empty' }],
  ['records that are no messages', other, { state: 'empty' }],
  ['a question nobody answered', [...other, prompt('u1'), ...other], cut('u1')],
  ['an answer', [prompt('u1'), says('Done.')], { state: 'answered', uuid: 'u1', text: 'Done.' }],
  [
    'an answer of an old CLI',
    [prompt('u1'), says('Done.', null)],
    { state: 'answered', uuid: 'u1', text: 'Done.' },
  ],
  [
    'an answer in two entries',
    [prompt('u1'), says('One.', null), says('Two.', 'end_turn')],
    { state: 'answered', uuid: 'u1', text: 'One.\nTwo.' },
  ],
  ['a call that runs', [prompt('u1'), calls('t1')], cut('u1', [open('t1')])],
  [
    'a call whose reply was written once more',
    [prompt('u1'), calls('t1'), returns('t1', UNKNOWN, true), calls(copiedCallId('t1'))],
    cut('u1', [open(copiedCallId('t1'))]),
  ],
  [
    'a structured output, after which the model is not asked again',
    [prompt('u1'), calls('t1'), { ...returns('t1', 'taken'), toolEndsTurn: true }, ...other],
    { state: 'answered', uuid: 'u1', text: '{"order":7}' },
  ],
  [
    'a structured output after a call that was cut off and made again',
    [
      prompt('u1'),
      calls('t1'),
      returns('t1', UNKNOWN, true),
      calls('t2'),
      returns('t2'),
      calls('t3', { n: 1 }),
      { ...returns('t3', 'taken'), toolEndsTurn: true },
    ],
    { state: 'answered', uuid: 'u1', text: '{"n":1}' },
  ],
  [
    'a structured output beside a call that runs',
    [prompt('u1'), calls('t1'), calls('t2', { n: 1 }), { ...returns('t2', 'taken'), toolEndsTurn: true }],
    cut('u1', [open('t1')]),
  ],
  [
    'a message after a structured output',
    [prompt('u1'), calls('t1'), { ...returns('t1', 'taken'), toolEndsTurn: true }, prompt('u2', 'More.')],
    cut('u2'),
  ],
  ['words before a call', [prompt('u1'), says('I will.', 'tool_use')], cut('u1')],
  ['a result that was not looked at', [prompt('u1'), calls('t1'), returns('t1')], cut('u1')],
  [
    'one of two calls open',
    [prompt('u1'), calls('t1'), calls('t2', { order: 8 }), returns('t2')],
    cut('u1', [open('t1')]),
  ],
  [
    'a later turn',
    [prompt('u1'), says('Done.'), prompt('u2', 'More.'), calls('t2')],
    cut('u2', [open('t2')]),
  ],
  [
    'a turn that was continued by the CLI, and cut again',
    [prompt('u1'), calls('t1'), returns('t1', UNKNOWN, true), prompt('c', 'Go on.', { isMeta: true })],
    cut('u1', [open('t1')]),
  ],
  [
    'a call that was made again since',
    [prompt('u1'), calls('t1'), returns('t1', UNKNOWN, true), calls('t2'), returns('t2')],
    cut('u1'),
  ],
  [
    'a turn that was continued by a message of ours',
    [
      prompt('u1'),
      calls('t1'),
      says('No response requested.', null, { model: '<synthetic>' }),
      prompt('c', `${CONTINUATION_START} Go on.`),
      calls('t2'),
    ],
    cut('u1', [open('t2')]),
  ],
  [
    'a turn that somebody stopped',
    [
      prompt('u1'),
      calls('t1'),
      returns('t1', 'rejected', true),
      prompt('s', '[Request interrupted by user for tool use]'),
    ],
    cut('u1', [], true),
  ],
  [
    'what a subagent says',
    [prompt('u1'), says('Sub.', 'end_turn'), { ...prompt('s1'), isSidechain: true }],
    { state: 'answered', uuid: 'u1', text: 'Sub.' },
  ],
])('reads %s', (_name, entries, expected) => {
  expect(transcriptState(entries)).toEqual(expected);
});

it('asks a store about a session, and takes one that is not there for empty', async () => {
  const sessionStore = new InMemorySessionStore();
  const sessionId = '11111111-1111-4111-8111-111111111111';
  const projectKey = await findProjectKey('/w');
  await sessionStore.append({ projectKey, sessionId }, [prompt('u1'), calls('t1')] as never);
  expect(await getTranscriptState(sessionId, { sessionStore, dir: '/w' })).toEqual(cut('u1', [open('t1')]));
  const unknown = sessionId.replaceAll('1', '2');
  expect(await getTranscriptState(unknown, { sessionStore, dir: '/w' })).toEqual({ state: 'empty' });
  await expect(getTranscriptState('../etc')).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
});

it('looks where the CLI with a given environment writes', async () => {
  const config = await mkdtemp(join(tmpdir(), 'inboard-config-'));
  onTestFinished(() => rm(config, { recursive: true }));
  const sessionId = '33333333-3333-4333-8333-333333333333';
  await mkdir(join(config, 'projects', '-w'), { recursive: true });
  const lines = [prompt('u1'), calls('t1')].map((entry) => `${JSON.stringify(entry)}\n`).join('');
  await writeFile(join(config, 'projects', '-w', `${sessionId}.jsonl`), lines);
  const env = { CLAUDE_CONFIG_DIR: config };
  expect(await getTranscriptState(sessionId, { env })).toEqual(cut('u1', [open('t1')]));
  expect(await getTranscriptState(sessionId)).toEqual({ state: 'empty' });
});

it('counts a call once whose reply was written once more, so that its key stays the same', () => {
  const reader = new TranscriptReader();
  const copy = copiedCallId('t1');
  const entries = [
    prompt('u1'),
    calls('t1'),
    calls('t2'),
    calls(copy),
    calls(copiedCallId('t2')),
    returns(copy),
  ];
  for (const entry of entries) reader.read(entry);
  expect(reader.turn?.calls.map(({ toolUseId, hasEnded }) => [toolUseId, hasEnded])).toEqual([
    [copy, true],
    [copiedCallId('t2'), false],
  ]);
});
