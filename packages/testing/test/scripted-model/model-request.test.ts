import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequest } from '../../src/scripted-model/read-request.js';

const read = (body: unknown, headers: Record<string, string> = {}): ReturnType<typeof readRequest> =>
  readRequest({ method: 'POST', url: '/v1/messages?beta=true', headers, rawBody: JSON.stringify(body) });

describe('readRequest', () => {
  it('reads what tests ask for and keeps the bytes', () => {
    const body = {
      system: [
        { type: 'text', text: 'You are' },
        { type: 'text', text: 'a test.' },
      ],
      tools: [{ name: 'Bash' }, { type: 'web_search_20250305' }],
      messages: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'plain' },
            {
              type: 'tool_result',
              tool_use_id: 't2',
              is_error: true,
              content: [
                { type: 'text', text: 'a' },
                { type: 'image', source: {} },
                { type: 'text', text: 'b' },
              ],
            },
            { type: 'text', text: 'second' },
          ],
        },
        { role: 'system', content: [{ type: 'text', text: 'not the user' }] },
      ],
    };
    const request = read(body);
    expect(request).toMatchObject({
      path: '/v1/messages',
      url: '/v1/messages?beta=true',
      rawBody: JSON.stringify(body),
      body,
      systemText: 'You are\na test.',
      toolNames: ['Bash', 'web_search_20250305'],
      userText: 'first\nsecond',
    });
    expect(request.messages).toHaveLength(4);
    expect(request.toolResults.map(({ toolUseId, isError, text }) => [toolUseId, isError, text])).toEqual([
      ['t1', false, 'plain'],
      ['t2', true, 'a\nb'],
    ]);
  });

  it('shows only the results the model has not seen', () => {
    const results = [{ type: 'tool_result', tool_use_id: 'old', content: 'x' }];
    const request = read({
      messages: [
        { role: 'user', content: results },
        { role: 'assistant', content: 'seen' },
        { role: 'user', content: 'go on' },
      ],
    });
    expect(request.toolResults).toEqual([]);
  });

  it('finds the session wherever a CLI puts it', () => {
    expect(read({}).sessionId).toBeUndefined();
    expect(read({}, { 'x-claude-code-session-id': 'from-header' }).sessionId).toBe('from-header');
    expect(read({ metadata: { user_id: '{"session_id":"from-json"}' } }).sessionId).toBe('from-json');
    expect(read({ metadata: { user_id: 'user_0f_account__session_1c-2d' } }).sessionId).toBe('1c-2d');
    expect(read({ metadata: { user_id: 'somebody' } }).sessionId).toBeUndefined();
  });

  it('takes any body without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (rawBody) => {
        const request = readRequest({ method: 'POST', url: '/v1/messages', headers: {}, rawBody });
        expect(request.rawBody).toBe(rawBody);
        expect(typeof request.body).toBe('object');
      }),
    );
    const odd = fc.record({
      messages: fc.jsonValue(),
      system: fc.jsonValue(),
      tools: fc.jsonValue(),
      metadata: fc.jsonValue(),
    });
    fc.assert(
      fc.property(odd, (body) => {
        expect(Array.isArray(read(body).messages)).toBe(true);
      }),
    );
  });
});
