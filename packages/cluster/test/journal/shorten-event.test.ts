// Which events are shortened: large results of tools, and nothing that a person or a model wrote.
import { expect, it } from 'vitest';
import { isToShorten } from '../../src/journal/shorten-event.js';
import type { Json } from '../../src/journal/records.js';

const LONG = 'word '.repeat(20_000);
const eventOf = (fields: Record<string, Json>): { type: string; message: Json } => ({
  type: 'message',
  message: { type: 'user', ...fields },
});
const said = (content: Json): Record<string, Json> => ({ message: { role: 'user', content } });
const text: Json = [{ type: 'text', text: LONG }];

it.each<[string, Record<string, Json>]>([
  ['a tool result', said([{ type: 'tool_result', tool_use_id: 't', content: LONG }])],
  [
    'one beside a text',
    said([
      { type: 'text', text: 'x' },
      { type: 'tool_result', content: LONG },
    ]),
  ],
  ['a structured one', { ...said(text), tool_use_result: { structuredContent: [] } }],
])('shortens %s', (_, fields) => {
  expect(isToShorten(eventOf(fields))).toBe(true);
});

it.each<[string, Record<string, Json>]>([
  ['the prompt that a model wrote for a subagent', { ...said(text), parent_tool_use_id: 't' }],
  ['a message of a person that is sent again', { ...said(LONG), isReplay: true }],
  ['a summary', { ...said(text), isSynthetic: true, tool_use_result: null }],
  ['a message without content', { summary: LONG }],
  ['a small tool result', said([{ type: 'tool_result', content: 'x' }])],
])('leaves %s as it is', (_, fields) => {
  expect(isToShorten(eventOf(fields))).toBe(false);
});
