// Where a turn stands, from its transcript.
import { expect, it } from 'vitest';
import { findTurn } from '../../src/attempt/turn-start.js';

const prompt = (uuid: string, text = uuid) => ({
  type: 'user',
  uuid,
  message: { role: 'user', content: text },
});
const answer = (text: string) => ({
  type: 'assistant',
  uuid: `answer ${text}`,
  message: { role: 'assistant', id: text, stop_reason: 'end_turn', content: [{ type: 'text', text }] },
});
const call = {
  type: 'assistant',
  uuid: 'call',
  message: {
    role: 'assistant',
    id: 'm',
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', id: 't', name: 'pay', input: {} }],
  },
};
const stop = prompt('stop', '[Request interrupted by user]');
const noise = { type: 'attachment', uuid: 'noise' };

it.each([
  ['in an empty transcript', [], { found: 'new' }],
  ['after other turns', [prompt('a'), answer('one')], { found: 'resumed' }],
  ['that was answered', [prompt('b'), noise, answer('two')], { found: 'answered', text: 'two' }],
  ['that was cut off', [prompt('a'), answer('one'), prompt('b'), call], { found: 'continued' }],
  ['whose message alone was saved', [prompt('b')], { found: 'continued' }],
  ['that was stopped', [prompt('b'), call, stop], { found: 'stopped' }],
  [
    'that was answered before others',
    [prompt('b'), noise, answer('two'), noise, prompt('c'), answer('three')],
    { found: 'answered', text: 'two' },
  ],
  ['that was stopped before others', [prompt('b'), call, stop, prompt('c'), call], { found: 'stopped' }],
  ['that others passed', [prompt('b'), call, prompt('c'), answer('three')], { found: 'passed' }],
])('finds a turn %s', (_title, entries, expected) => {
  expect(findTurn(entries, 'b')).toEqual(expected);
});
