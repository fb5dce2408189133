// The model of `inboard play`: which calls it makes for a question, and what it says about their results.
import { describe, expect, it } from 'vitest';
import { answerAsShop } from '../../src/play/shop-model.js';
import type { MessageReply, RequestMessage } from '@inboard/inboard/testing.js';

const user = (text: string): RequestMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const said = (text: string): RequestMessage => ({ role: 'assistant', content: text });

/** A call and its result, as they are in the messages of a request. */
function called(name: string, input: object, result: object | string): RequestMessage[] {
  const id = `toolu_${name}`;
  const content = typeof result === 'string' ? result : JSON.stringify(result);
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: `mcp__shop__${name}`, input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content, is_error: typeof result === 'string' }],
    },
  ];
}

function textOfReply({ blocks }: MessageReply): string {
  return blocks.map((block) => (block.type === 'text' ? [block.text].flat().join('') : '')).join('');
}

function callsOf({ blocks }: MessageReply): unknown[] {
  return blocks.flatMap((block) => (block.type === 'tool_use' ? [[block.name.slice(11), block.input]] : []));
}

const grace = { order: 1042, customer: 'Grace', items: '10 apples', where: 'on its way', total: 40 };

describe('answerAsShop', () => {
  it.each<[string, unknown[]]>([
    ['what do you have', [['search_articles', {}]]],
    [
      'how many apples and pears?',
      [
        ['check_stock', { article: 'apples' }],
        ['check_stock', { article: 'pears' }],
      ],
    ],
    ['where is 1042', [['order_status', { order: 1042 }]]],
    ['all orders', [['list_orders', {}]]],
    ['buy 3 apples', [['place_order', { article: 'apples', count: 3 }]]],
    ['refund 1042 10', [['refund_order', { order: 1042, amount: 10 }]]],
    ['refund 1042', [['order_status', { order: 1042 }]]],
    ['export', [['export_orders', {}]]],
    ['crash', [['export_orders', { crash: true }]]],
    ['refund', []],
    ['buy', []],
    ['hello', []],
    ['resume', []],
    ['thanks', []],
    ['tell me a joke', []],
  ])('calls for %j', (question, calls) => {
    const answer = answerAsShop({ messages: [user(question)] });
    expect(callsOf(answer)).toEqual(calls);
    expect(textOfReply(answer) === '').toBe(calls.length > 0);
  });

  it('refunds what is left of an order that it has looked up', () => {
    const looked = (refunded: number) => [
      user('refund order 1042'),
      ...called('order_status', { order: 1042 }, { ...grace, refunded }),
    ];
    expect(callsOf(answerAsShop({ messages: looked(15) }))).toEqual([
      ['refund_order', { order: 1042, amount: 25 }],
    ]);
    expect(textOfReply(answerAsShop({ messages: looked(40) }))).toContain('has been paid back already');
  });

  it('says when a person changed the amount, and when they said no', () => {
    const refund = (result: object | string) =>
      textOfReply(
        answerAsShop({
          messages: [
            user('refund order 1042'),
            ...called('order_status', { order: 1042 }, { ...grace, refunded: 0 }),
            ...called('refund_order', { order: 1042, amount: 40 }, result),
          ],
        }),
      );
    expect(refund({ ...grace, refunded: 40, paid: 40 })).toBe(
      'Paid back 40.00 EUR for order 1042; 40.00 EUR of 40.00 EUR in all.',
    );
    expect(refund({ ...grace, refunded: 12.5, paid: 12.5 })).toBe(
      'Paid back 12.50 EUR for order 1042; 12.50 EUR of 40.00 EUR in all. You changed the amount: I had asked for 40.00 EUR.',
    );
    expect(refund('The user said no.')).toBe('Nothing was paid back. The answer was: The user said no.');
  });

  it('remembers what was asked, also after a crash, and not what the CLI adds', () => {
    const before = [
      user('how many apples?'),
      said('7'),
      user('<system-reminder>Be nice.</system-reminder>'),
      user('and pears?'),
      said('12'),
    ];
    expect(textOfReply(answerAsShop({ messages: [...before, user('what did I ask?')] }))).toBe(
      'Before this, you asked: “how many apples?”, “and pears?”.',
    );
    const cutOff = called('export_orders', { crash: true }, { lines: 4, wentOnAtLine: 3, csv: '' });
    const goOn = user('Continue from where you left off.');
    const resumed = textOfReply(answerAsShop({ messages: [...before, user('crash'), ...cutOff, goOn] }));
    expect(resumed).toMatch(/went on at order 3 of 4.*“how many apples\?”, “and pears\?”\.$/);
  });

  it('says what a tool said when it fails', () => {
    const messages = [user('where is 9999'), ...called('order_status', { order: 9999 }, 'There is none.')];
    expect(textOfReply(answerAsShop({ messages }))).toBe('That did not work. The tool says: There is none.');
  });
});
