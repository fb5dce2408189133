// Spans out of the lines of a session, including sessions that end in the middle of things.
import { context, SpanStatusCode } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { SpanRecorder } from '../src/span-recorder.js';
import { createRedactor } from '@inboard/core/record/trace/recorder/redact.js';
import { InboardError } from '@inboard/core/errors.js';
import { useSpans } from './support.js';

const log = useSpans();

type Lines = readonly ['in' | 'out', object | string][];

function record(lines: Lines, captureContent = false): SpanRecorder {
  const recorder = new SpanRecorder({
    tracer: log.tracer,
    meter: log.meter,
    parent: context.active(),
    captureContent,
    redactor: createRedactor({ values: ['a-known-value'] }),
    agentName: 'claude',
  });
  hear(recorder, lines);
  return recorder;
}

function hear(recorder: SpanRecorder, lines: Lines): void {
  for (const [direction, frame] of lines)
    recorder.hear(direction, typeof frame === 'string' ? frame : JSON.stringify(frame));
}

const init = { type: 'system', subtype: 'init', session_id: 's1', model: 'm1' };
const user = { type: 'user', message: { content: 'Hi' } };
const usage = {
  input_tokens: 5,
  output_tokens: 7,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 2,
};
const assistant = (id: string, content: object[], more: object = {}): object => ({
  type: 'assistant',
  message: { id, model: 'm1', content, usage },
  parent_tool_use_id: null,
  ...more,
});
const use = (id: string, name = 'Bash'): object => ({ type: 'tool_use', id, name, input: { a: 1 } });
const done = (id: string, isError = false, more: object = {}): object => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content: `out ${id}`, is_error: isError }] },
  ...more,
});
const ask = (id: string, tool: string): object => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: tool },
});
const answer = (id: string, behavior: string): object => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response: { behavior } },
});
const result = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done',
  num_turns: 2,
  total_cost_usd: 0.5,
  usage,
};

describe('a session', () => {
  it('becomes spans of query, turns, answers, calls and waits', () => {
    const recorder = record([
      ['out', user],
      ['in', init],
      ['in', assistant('a1', [{ type: 'text', text: 'ok' }])],
      ['in', assistant('a1', [use('t1')])],
      ['in', ask('p1', 't1')],
      ['out', answer('p1', 'allow')],
      ['in', done('t1')],
      ['in', assistant('a2', [{ type: 'text', text: 'ok' }])],
      ['in', result],
    ]);
    recorder.end(undefined);
    expect(log.spans.map(({ name }) => name)).toEqual([
      'inboard.permission Bash',
      'execute_tool Bash',
      'chat m1',
      'chat m1',
      'inboard.turn',
      'invoke_agent claude',
    ]);
    expect(log.find('invoke_agent claude').attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.agent.name': 'claude',
      'gen_ai.conversation.id': 's1',
      'gen_ai.request.model': 'm1',
      'inboard.cost_usd': 0.5,
    });
    expect(log.find('chat m1').attributes).toMatchObject({
      'gen_ai.response.id': 'a1',
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 3,
      'gen_ai.usage.cache_creation.input_tokens': 2,
    });
    expect(log.find('inboard.turn').attributes).toMatchObject({ 'inboard.turn.api_requests': 2 });
    // What an answer's lines say of its output is not final, and a result with two answers does not tell them apart.
    expect(log.find('chat m1').attributes).not.toHaveProperty('gen_ai.usage.output_tokens');
    expect(log.find('execute_tool Bash').attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'Bash',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 't1',
    });
    expect(log.find('inboard.permission Bash').attributes).toMatchObject({
      'inboard.permission.decision': 'allow',
    });
    expect(log.tree()).toEqual(
      expect.arrayContaining([
        'inboard.permission Bash < execute_tool Bash',
        'execute_tool Bash < inboard.turn',
        'chat m1 < inboard.turn',
        'inboard.turn < invoke_agent claude',
        'invoke_agent claude < -',
      ]),
    );
  });

  it('takes the tokens of an answer from its events, or from the result of its turn', () => {
    const event = (fields: object): object => ({
      type: 'stream_event',
      event: fields,
      parent_tool_use_id: null,
    });
    const placeholder = { input_tokens: 5, output_tokens: 1 };
    record([
      ['out', user],
      ['in', init],
      ['in', event({ type: 'message_start', message: { id: 'a1', model: 'm1', usage: placeholder } })],
      ['in', assistant('a1', [use('t1')], {})],
      ['in', event({ type: 'message_delta', usage: { output_tokens: 40 } })],
      ['in', event({ type: 'message_stop' })],
      ['in', done('t1')],
      ['in', event({ type: 'message_start', message: { id: 'a2', model: 'm1', usage: placeholder } })],
      ['in', event({ type: 'message_delta', usage: { output_tokens: 60 } })],
      ['in', event({ type: 'message_stop' })],
      ['in', result],
      ['out', user],
      ['in', assistant('a3', [{ type: 'text', text: 'ok' }])],
      ['in', { ...result, total_cost_usd: 0.75, usage: { input_tokens: 6, output_tokens: 80 } }],
    ]).end(undefined);
    const tokens = (name: string): unknown[] =>
      log.spans
        .filter((span) => span.name === name)
        .map((span) => span.attributes['gen_ai.usage.output_tokens']);
    expect(tokens('chat m1')).toEqual([40, 60, 80]);
    const turns = log.spans.filter(({ name }) => name === 'inboard.turn');
    expect(turns.map(({ attributes }) => attributes['inboard.turn.cost_usd'])).toEqual([0.5, 0.25]);
    expect(log.find('invoke_agent claude').attributes['inboard.cost_usd']).toBe(0.75);
    const outputs = log.measured.filter(({ attributes }) => attributes['gen_ai.token.type'] === 'output');
    expect(outputs.map(({ name, unit, value }) => [name, unit, value])).toEqual(
      [40, 60, 80].map((count) => ['gen_ai.client.token.usage', '{token}', count]),
    );
    expect(log.measured.filter(({ unit }) => unit === 's').map(({ name }) => name)).toEqual([
      'gen_ai.client.operation.duration',
      'gen_ai.execute_tool.duration',
      'gen_ai.client.operation.duration',
      'gen_ai.invoke_agent.duration',
      'gen_ai.client.operation.duration',
      'gen_ai.invoke_agent.duration',
    ]);
    expect(log.measured[0]).toMatchObject({
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.response.model': 'm1',
      },
    });
  });

  it('has a span for each start of the CLI', () => {
    const hello = (id: string): object => ({
      type: 'control_request',
      request_id: id,
      request: { subtype: 'initialize' },
    });
    const reply = (id: string, subtype: string): object => ({
      type: 'control_response',
      response: { subtype, request_id: id, error: 'Not today' },
    });
    const recorder = record([
      ['out', hello('h1')],
      ['in', reply('h1', 'success')],
      // The same CLI is asked again.
      ['out', hello('h2')],
      ['in', reply('h2', 'success')],
    ]);
    recorder.endCli(undefined);
    hear(recorder, [
      ['out', hello('h3')],
      ['in', reply('h3', 'error')],
    ]);
    recorder.endCli(new InboardError('PROCESS_EXITED', 'gone'));
    hear(recorder, [['out', hello('h4')]]);
    recorder.end(undefined);
    expect(log.spans.map(({ name, status }) => [name, status.message])).toEqual([
      ['inboard.start', undefined],
      ['inboard.start', 'Not today'],
      ['inboard.start', 'The session ended first'],
      ['invoke_agent claude', undefined],
    ]);
  });

  it("says in every failed span what failed, without anybody's content", () => {
    record([
      ['out', user],
      ['in', assistant('a1', [use('t1')])],
      ['in', done('t1', true)],
      ['in', { ...result, is_error: true, result: 'API Error: 529', api_error_status: 529 }],
    ]).end(undefined);
    expect(log.spans.map(({ name, status }) => [name, status.message])).toEqual([
      ['execute_tool Bash', 'The tool Bash returned an error'],
      ['chat m1', undefined],
      ['chat', 'API Error: 529'],
      ['inboard.turn', 'API Error: 529'],
      ['invoke_agent claude', 'API Error: 529'],
    ]);
    expect(log.find('inboard.turn').attributes['error.type']).toBe('api_error');
    expect(log.measured.find(({ name }) => name === 'gen_ai.execute_tool.duration')?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'Bash',
      'error.type': 'tool_error',
    });
  });

  it('puts the calls of a subagent under the call that started it', () => {
    const within = { parent_tool_use_id: 't1' };
    record([
      ['out', user],
      ['in', assistant('a1', [use('t1', 'Agent')])],
      ['in', assistant('b1', [use('t2', 'mcp__x__y')], within)],
      ['in', done('t2', true, within)],
      ['in', done('t1')],
      ['in', result],
    ]).end(undefined);
    expect(log.tree()).toContain('execute_tool mcp__x__y < execute_tool Agent');
    expect(log.find('execute_tool mcp__x__y')).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'tool_error', 'inboard.parent_tool_call.id': 't1' },
    });
  });

  it('keeps contents to itself unless told otherwise', () => {
    const lines: ['in' | 'out', object][] = [
      ['out', user],
      ['in', assistant('a1', [use('t1')])],
      ['in', done('t1')],
      ['in', result],
    ];
    record(lines).end(undefined);
    expect(JSON.stringify(log.spans.map(({ attributes }) => attributes))).not.toMatch(/Hi|out t1|Done|"a"/);
    record(lines, true).end(undefined);
    expect(log.spans.map(({ attributes }) => attributes)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ 'inboard.prompt': 'Hi', 'inboard.answer': 'Done' }),
        expect.objectContaining({
          'gen_ai.tool.call.arguments': '{"a":1}',
          'gen_ai.tool.call.result': 'out t1',
        }),
      ]),
    );
  });

  it('that ends in the middle leaves no span open', () => {
    const recorder = record([
      ['out', user],
      ['in', assistant('a1', [use('t1')])],
      ['in', ask('p1', 't1')],
      ['in', 'garbage'],
    ]);
    recorder.end(new InboardError('PROCESS_EXITED', 'gone'));
    recorder.end(undefined);
    recorder.hear('out', JSON.stringify(user));
    expect(log.spans.map(({ name, status }) => [name, status.code])).toEqual([
      ['inboard.permission Bash', SpanStatusCode.ERROR],
      ['execute_tool Bash', SpanStatusCode.ERROR],
      ['chat m1', SpanStatusCode.ERROR],
      ['inboard.turn', SpanStatusCode.ERROR],
      ['invoke_agent claude', SpanStatusCode.ERROR],
    ]);
    expect(log.find('invoke_agent claude').attributes).toMatchObject({ 'error.type': 'PROCESS_EXITED' });
  });

  it('ends what a CLI left open when that CLI ends, and goes on with the next', () => {
    const recorder = record([
      ['out', user],
      ['in', assistant('a1', [use('t1')])],
      ['in', ask('p1', 't1')],
    ]);
    recorder.endCli(new InboardError('PROCESS_KILLED', 'gone'));
    const failed = ['inboard.permission Bash', 'chat m1', 'inboard.turn'];
    expect(
      log.spans.map(({ name, status, attributes }) => [name, status.message, attributes['error.type']]),
    ).toEqual(failed.map((name) => [name, 'gone', 'PROCESS_KILLED']));
    hear(recorder, [
      ['out', user],
      ['in', assistant('a2', [{ type: 'text', text: 'ok' }])],
      ['in', { ...result, total_cost_usd: 0.75 }],
    ]);
    recorder.end(undefined);
    expect(log.spans.slice(failed.length).map(({ name, status }) => [name, status.code])).toEqual([
      // It could have been completed until the next turn.
      ['execute_tool Bash', SpanStatusCode.ERROR],
      ['chat m1', SpanStatusCode.UNSET],
      ['inboard.turn', SpanStatusCode.UNSET],
      ['invoke_agent claude', SpanStatusCode.UNSET],
    ]);
  });

  it('that is left in the middle on request has not failed', () => {
    const recorder = record([['out', user]]);
    recorder.endCli(undefined);
    recorder.end(undefined);
    expect(log.spans.map(({ name, status }) => [name, status.message])).toEqual([
      ['chat', 'The CLI ended first'],
      ['inboard.turn', 'The CLI ended first'],
      ['invoke_agent claude', undefined],
    ]);
  });

  it('counts turns, those the CLI begins by itself too, and marks a failed one', () => {
    record([
      ['out', user],
      ['out', user],
      ['in', init],
      ['in', result],
      ['in', init],
      ['in', { ...result, is_error: true, subtype: 'error_max_turns' }],
      ['in', { type: 'control_cancel_request', request_id: 'nobody' }],
    ]).end(undefined);
    const turns = log.spans.filter(({ name }) => name === 'inboard.turn');
    expect(
      turns.map(({ attributes }) => [attributes['inboard.turn.index'], attributes['error.type']]),
    ).toEqual([
      [1, undefined],
      [2, 'error_max_turns'],
    ]);
  });

  it('withdraws a permission that the CLI no longer wants', () => {
    record([
      ['out', user],
      ['in', ask('p1', 't1')],
      ['in', { type: 'control_cancel_request', request_id: 'p1' }],
      ['out', answer('p1', 'allow')],
    ]).end(undefined);
    expect(log.find('inboard.permission Bash').attributes).toMatchObject({
      'inboard.permission.decision': 'withdrawn',
    });
  });

  it('writes no secret into a span, neither of errors nor of content', () => {
    const secrets = 'sk-ant-api03-abcDEF123456 and a-known-value';
    const failed = new InboardError('PROCESS_EXITED', `It said: ${secrets}`);
    const command = {
      type: 'tool_use',
      id: 't1',
      name: 'Bash',
      input: { args: ['--token', 'a-known-value'] },
    };
    record(
      [
        ['out', { type: 'control_request', request_id: 'h', request: { subtype: 'initialize' } }],
        ['in', { type: 'control_response', response: { subtype: 'error', request_id: 'h', error: secrets } }],
        ['out', { type: 'user', message: { content: secrets } }],
        ['in', assistant('a1', [command])],
        [
          'in',
          {
            type: 'user',
            message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: secrets }] },
          },
        ],
        [
          'in',
          {
            ...result,
            is_error: true,
            subtype: 'error_during_execution',
            errors: [secrets],
            result: secrets,
          },
        ],
      ],
      true,
    ).end(failed);
    const written = JSON.stringify(
      log.spans.map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
    );
    expect(written).not.toMatch(/abcDEF123456|a-known-value/);
    expect(written).toContain('It said: [redacted] and [redacted]');
    expect(written).toContain('[\\"--token\\",\\"[redacted]\\"]');
    expect(log.find('invoke_agent claude').attributes['error.type']).toBe('PROCESS_EXITED');
  });
});
