import { describe, expect, it } from 'vitest';
import { RequestClassifier, answerSideRequest } from '../../src/scripted-model/classify-request.js';
import { text } from '@inboard/inboard/testing.js';
import { readRequest } from '../../src/scripted-model/read-request.js';
import type { ReceivedRequest, RequestKind } from '../../src/scripted-model/model-request.js';
import { createBody } from './ask-model.js';

const receive = (
  more: Record<string, unknown>,
  {
    session,
    url = '/v1/messages',
    method = 'POST',
  }: { session?: string; url?: string; method?: string } = {},
): ReceivedRequest =>
  readRequest({
    method,
    url,
    headers: session === undefined ? {} : { 'x-claude-code-session-id': session },
    rawBody: JSON.stringify(createBody('hi', more)),
  });

const own = { tools: [{ name: 'Bash', input_schema: { type: 'object' } }] };
const format = { type: 'json_schema', schema: { type: 'object', properties: {}, required: [] } };

describe('RequestClassifier', () => {
  const cases: [string, ReceivedRequest, RequestKind][] = [
    ['a request with tools', receive(own), 'conversation'],
    ['a request of an unknown client without tools', receive({}), 'conversation'],
    ['the first request of a session without tools', receive({}, { session: 's' }), 'conversation'],
    ['the trial of a new model', receive({ max_tokens: 1 }), 'side'],
    ['a title or a prompt hook', receive({ ...own, output_config: { format } }), 'side'],
    ['the same under its older name', receive({ output_format: format }), 'side'],
    ['an effort without a format', receive({ ...own, output_config: { effort: 'low' } }), 'conversation'],
    ['a count', receive({}, { url: '/v1/messages/count_tokens?beta=true' }), 'count_tokens'],
    ['a HEAD', receive({}, { url: '/', method: 'HEAD' }), 'probe'],
    ['a GET', receive({}, { url: '/v1/models', method: 'GET' }), 'probe'],
    ['another path', receive({}, { url: '/v1/complete' }), 'unknown'],
    ['another method', receive({}, { method: 'DELETE' }), 'unknown'],
    ['a body without messages', receive({ messages: 'none' }), 'unknown'],
  ];
  it.each(cases)('knows %s', (_name, request, kind) => {
    expect(new RequestClassifier().classify(request)).toBe(kind);
  });

  it('takes a request without tools for a side request once its session has offered some', () => {
    const classifier = new RequestClassifier();
    classifier.classify(receive(own, { session: 'with' }));
    expect(classifier.classify(receive({ tools: [] }, { session: 'with' }))).toBe('side');
    expect(classifier.classify(receive({ tools: [] }, { session: 'without' }))).toBe('conversation');
    const search = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] };
    expect(classifier.classify(receive(search, { session: 'with' }))).toBe('side');
    expect(
      classifier.classify(receive({ tools: [{ type: 'custom', name: 'x' }] }, { session: 'with' })),
    ).toBe('conversation');
  });

  it('leaves a subagent without tools in the conversation when it says what it is', () => {
    const classifier = new RequestClassifier();
    classifier.classify(receive(own, { session: 's' }));
    const system = [{ type: 'text', text: 'x-header: v=1; cc_is_subagent=true;' }];
    expect(classifier.classify(receive({ system }, { session: 's' }))).toBe('conversation');
  });
});

describe('answerSideRequest', () => {
  it('fills the format that is asked for', () => {
    const schema = {
      type: 'object',
      properties: {
        ok: { type: 'boolean' },
        title: { type: 'string' },
        size: { type: 'integer' },
        list: { type: 'array', items: { type: 'string' } },
        kind: { enum: ['a', 'b'] },
        nested: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        optional: { type: 'string' },
      },
      required: ['ok', 'title', 'size', 'list', 'kind', 'nested'],
    };
    const answer = answerSideRequest(receive({ output_config: { format: { type: 'json_schema', schema } } }));
    expect(answer.blocks).toHaveLength(1);
    expect(JSON.parse((answer.blocks[0] as { text: string }).text)).toEqual({
      ok: true,
      title: 'ok',
      size: 0,
      list: [],
      kind: 'a',
      nested: { x: 0 },
    });
  });

  it('stops for want of tokens when only one may be given', () => {
    expect(answerSideRequest(receive({ max_tokens: 1 })).stopReason).toBe('max_tokens');
    expect(answerSideRequest(receive({}))).toEqual(text('none'));
  });
});
