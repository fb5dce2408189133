import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { block, reply, text, thinking, toolUse } from '@inboard/inboard/testing.js';
import type { MessageReply } from '@inboard/inboard/testing.js';
import { encodeModelMessage, formatEvent, locatePoint } from '../../src/scripted-model/message-events.js';
import type { MessageEvent } from '../../src/scripted-model/message-events.js';

const encode = (scripted: MessageReply): ReturnType<typeof encodeModelMessage> => {
  let calls = 0;
  return encodeModelMessage(scripted, {
    id: 'msg_1',
    model: 'asked',
    createToolUseId: () => `toolu_${++calls}`,
  });
};

type Fields = Record<string, unknown>;

// What a client of the API does with a stream.
function assemble(events: readonly MessageEvent[]): Fields {
  let message: Fields = {};
  const content: Fields[] = [];
  const inputs: string[] = [];
  for (const { name, data } of events) {
    const index = data['index'] as number;
    const delta = data['delta'] as Fields;
    if (name === 'message_start') message = { ...(data['message'] as Fields) };
    if (name === 'content_block_start') content[index] = { ...(data['content_block'] as Fields) };
    if (name === 'message_delta') {
      Object.assign(message, delta, {
        usage: { ...(message['usage'] as Fields), ...(data['usage'] as Fields) },
      });
    }
    if (name !== 'content_block_delta') continue;
    const target = content[index] as Fields;
    if (delta['type'] === 'text_delta') target['text'] = `${String(target['text'])}${String(delta['text'])}`;
    if (delta['type'] === 'thinking_delta') {
      target['thinking'] = `${String(target['thinking'])}${String(delta['thinking'])}`;
    }
    if (delta['type'] === 'signature_delta') target['signature'] = delta['signature'];
    if (delta['type'] === 'input_json_delta') {
      inputs[index] = (inputs[index] ?? '') + String(delta['partial_json']);
    }
  }
  for (const [index, json] of inputs.entries()) {
    if (json !== undefined) (content[index] as Fields)['input'] = JSON.parse(json);
  }
  return { ...message, content };
}

const pieces = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 4 }));
const parts = fc.array(
  fc.oneof(
    pieces.map((content) => text(content)),
    fc.tuple(pieces, fc.string()).map(([content, signature]) => thinking(content, signature)),
    fc.tuple(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())).map(([name, input]) =>
      // Through JSON, as any input comes: -0 and __proto__ do not survive it.
      toolUse(name, JSON.parse(JSON.stringify(input)) as Fields),
    ),
    fc.constant(block({ type: 'redacted_thinking', data: 'abc' })),
    fc.constant(
      block({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }),
    ),
  ),
  { maxLength: 5 },
);

describe('encodeMessage', () => {
  it('streams what it would send whole, whatever the blocks and their partition', () => {
    fc.assert(
      fc.property(
        parts,
        fc.record({ input_tokens: fc.nat(), output_tokens: fc.nat() }),
        (scripted, usage) => {
          const { message, events } = encode(reply(...scripted, { usage }));
          expect(assemble(events)).toEqual(message);
        },
      ),
    );
  });

  it('opens with an empty message that has spent its input and hardly any output', () => {
    const { events } = encode(
      reply(text('hi'), { usage: { output_tokens: 70, cache_read_input_tokens: 9 } }),
    );
    expect(events[0]?.data['message']).toMatchObject({
      id: 'msg_1',
      model: 'asked',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 9, output_tokens: 1 },
    });
  });

  it('stops for the tool when there is one, and for what is given before all else', () => {
    expect(encode(text('x')).message['stop_reason']).toBe('end_turn');
    expect(encode(reply(text('x'), toolUse('t'))).message['stop_reason']).toBe('tool_use');
    expect(encode(reply(toolUse('t'), { stopReason: 'max_tokens' })).message['stop_reason']).toBe(
      'max_tokens',
    );
  });

  it('numbers tool calls without an id and keeps the ids that are given', () => {
    const { message } = encode(reply(toolUse('a'), toolUse('b', {}, { id: 'mine' }), toolUse('c')));
    expect((message['content'] as Fields[]).map((entry) => entry['id'])).toEqual([
      'toolu_1',
      'mine',
      'toolu_2',
    ]);
  });

  it('streams broken input as it is given and keeps the whole form intact', () => {
    const { message, events } = encode(toolUse('t', { a: 1 }, { inputJson: ['{"a"', ':'] }));
    expect(events.filter((event) => event.isDelta).map((event) => event.data['delta'])).toEqual([
      { type: 'input_json_delta', partial_json: '{"a"' },
      { type: 'input_json_delta', partial_json: ':' },
    ]);
    expect((message['content'] as Fields[])[0]?.['input']).toEqual({ a: 1 });
  });
});

describe('locatePoint', () => {
  const { events } = encode(reply(thinking('t'), text(['a', 'b'])));

  it('finds the place after the first delta of a block', () => {
    const place = locatePoint(events, { insideBlock: 1 }) ?? 0;
    expect(events[place - 1]?.data['delta']).toEqual({ type: 'text_delta', text: 'a' });
    expect(events[place]?.data['delta']).toEqual({ type: 'text_delta', text: 'b' });
  });

  it('takes the start of a block that has no deltas', () => {
    const whole = encode(block({ type: 'redacted_thinking', data: 'x' })).events;
    expect(whole[(locatePoint(whole, { insideBlock: 0 }) ?? 0) - 1]?.name).toBe('content_block_start');
  });

  it('knows no place at or beyond the end, nor between two events', () => {
    expect(locatePoint(events, { afterEvents: 0 })).toBe(0);
    expect(locatePoint(events, { afterEvents: events.length - 1 })).toBe(events.length - 1);
    expect(locatePoint(events, { afterEvents: events.length })).toBeUndefined();
    expect(locatePoint(events, { afterEvents: -1 })).toBeUndefined();
    expect(locatePoint(events, { afterEvents: 1.5 })).toBeUndefined();
    expect(locatePoint(events, { insideBlock: 2 })).toBeUndefined();
  });
});

describe('formatEvent', () => {
  it('keeps line ends inside the data escaped', () => {
    expect(formatEvent('ping', { text: 'a\n\nb' })).toBe('event: ping\ndata: {"text":"a\\n\\nb"}\n\n');
  });
});

it('a reply keeps the blocks of its parts in order, merges token counts, and takes the last of everything else', () => {
  const joined = reply(
    thinking('Hm.'),
    { usage: { input_tokens: 1, output_tokens: 2 }, stopReason: 'max_tokens' },
    text('Yes.'),
    { usage: { output_tokens: 3 }, stopReason: 'end_turn' },
  );
  expect(joined.blocks).toEqual([...thinking('Hm.').blocks, ...text('Yes.').blocks]);
  expect(joined).toMatchObject({ usage: { input_tokens: 1, output_tokens: 3 }, stopReason: 'end_turn' });
});
