// Past messages for a page, and the one thing that must hold: they are what the stream showed.
import { describe, expect, it } from 'vitest';
import { toUiMessages, type UiPart } from '@inboard/inboard/ui.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { SessionMessage } from '@inboard/core/wire/protocol/config/past-sessions.js';

let count = 0;
function message(type: 'user' | 'assistant', body: unknown, more: object = {}): SessionMessage {
  count += 1;
  return {
    type,
    uuid: `id-${count}`,
    session_id: 's',
    message: body,
    parent_tool_use_id: null,
    parent_agent_id: null,
    ...more,
  };
}
const user = (content: unknown, more?: object): SessionMessage => message('user', { content }, more);
const model = (id: string, ...content: object[]): SessionMessage => message('assistant', { id, content });
const text = (words: string): UiPart => ({ type: 'text', text: words, state: 'done' });

describe('past messages for a page', () => {
  it('are one for each prompt, and one for all that answers it', () => {
    count = 0;
    const made = toUiMessages([
      user('Which?'),
      model('m1', { type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Let me see.' }),
      model('m1', { type: 'tool_use', id: 'a', name: 'Read', input: { f: 1 } }),
      model('m1', { type: 'tool_use', id: 'b', name: 'Bash', input: {} }),
      user([{ type: 'tool_result', tool_use_id: 'a', content: 'found' }]),
      user([{ type: 'tool_result', tool_use_id: 'b', content: 'no', is_error: true }]),
      model('m2', { type: 'text', text: 'This.' }),
      user([
        { type: 'text', text: 'And that?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        { type: 'document', title: 'a.txt', source: { type: 'text', media_type: 'text/plain', data: 'hö' } },
      ]),
      model('m3', { type: 'text', text: 'Both.' }),
    ]);
    expect(made).toEqual([
      { id: 'id-1', role: 'user', parts: [text('Which?')] },
      {
        id: 'answer-id-1',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'Hm.', state: 'done' },
          text('Let me see.'),
          {
            type: 'dynamic-tool',
            toolCallId: 'a',
            toolName: 'Read',
            state: 'output-available',
            input: { f: 1 },
            output: 'found',
          },
          {
            type: 'dynamic-tool',
            toolCallId: 'b',
            toolName: 'Bash',
            state: 'output-error',
            input: {},
            errorText: 'no',
          },
          { type: 'step-start' },
          text('This.'),
        ],
      },
      {
        id: 'id-8',
        role: 'user',
        parts: [
          text('And that?'),
          { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,aGk=' },
          {
            type: 'file',
            mediaType: 'text/plain',
            url: 'data:text/plain;charset=utf-8,h%C3%B6',
            filename: 'a.txt',
          },
        ],
      },
      { id: 'answer-id-8', role: 'assistant', parts: [{ type: 'step-start' }, text('Both.')] },
    ]);
  });

  it('leave out what no person wrote and no model said, and subagents', () => {
    const made = toUiMessages([
      user('The summary', { isCompactSummary: true, is_meta: true }),
      user('Hi.'),
      message('assistant', { id: 'x', model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }] }),
      user('/cost', { isCompletedLocalCommand: true }),
      message('user', { content: 'sub' }, { parent_tool_use_id: 't' }),
      message(
        'assistant',
        { id: 'y', content: [{ type: 'text', text: 'sub' }] },
        { parent_tool_use_id: 't' },
      ),
      user([{ type: 'text', text: '[Request interrupted by user]' }]),
      user('The last turn was cut off before it was finished.\nContinue.'),
      model('z', { type: 'text', text: 'Hello.' }),
    ]);
    expect(made.map(({ role, parts }) => [role, parts])).toEqual([
      ['user', [text('Hi.')]],
      ['assistant', [{ type: 'step-start' }, text('Hello.')]],
    ]);
  });

  it('leave out the answer that is running, which the stream gives from its start', () => {
    const messages = [user('Hi.'), model('m', { type: 'text', text: 'Hel' })];
    expect(toUiMessages(messages, { running: true }).map(({ role }) => role)).toEqual(['user']);
    expect(toUiMessages(messages).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('show a call that was cut off at the end as running, and close one that another prompt followed', () => {
    const called = model('m', { type: 'tool_use', id: 'a', name: 'Read', input: {} });
    const [answer] = toUiMessages([called]);
    expect(answer?.parts[1]).toMatchObject({ state: 'input-available' });
    const [before] = toUiMessages([called, user('Well?')]);
    expect(before?.parts[1]).toMatchObject({ state: 'output-error' });
  });

  it('do not show a call as failed because its host was gone, until the model has gone on', () => {
    const called = model('m', { type: 'tool_use', id: 'a', name: 'Read', input: {} });
    const content = 'Tool permission stream closed before response received';
    const gone = user([{ type: 'tool_result', tool_use_id: 'a', is_error: true, content }]);
    const failed = user([{ type: 'tool_result', tool_use_id: 'a', is_error: true, content: 'No such file' }]);
    const stateOf = (...messages: SessionMessage[]): unknown =>
      (toUiMessages([user('Hi.'), ...messages])[1]?.parts[1] as { state?: string }).state;
    expect(stateOf(called, gone)).toBe('input-available');
    expect(stateOf(called, failed)).toBe('output-error');
    expect(stateOf(called, gone, model('n', { type: 'text', text: 'A pity.' }))).toBe('output-error');
  });

  it('are refused for what is no list', () => {
    expect(() => toUiMessages('x' as never)).toThrow(InvalidOptionsError);
  });
});
