// The span of a call that was cut off with its CLI: it ends once, with what became of the call.
import { ROOT_CONTEXT, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { SpanRecorder } from '../src/span-recorder.js';
import { createRedactor } from '@inboard/core/record/trace/recorder/redact.js';
import { createSpanLog, type SpanLog } from './support.js';

const NAME = 'mcp__shop__refund';
const calling = {
  type: 'assistant',
  parent_tool_use_id: null,
  message: {
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'tool_use', id: 't1', name: NAME, input: { order: '7' } }],
  },
};
const init = { type: 'system', subtype: 'init', session_id: 's', model: 'claude' };

function message(completed: object, content: object[]): object {
  const call = {
    callKey: 'k',
    toolUseId: 't1',
    toolName: NAME,
    input: { order: '7' },
    delivered: true,
    ...completed,
  };
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, completed: call };
}

const paid = message({ how: 'ran', allowed: true, by: 'anna', ranInput: { order: '8' } }, [
  { type: 'tool_result', tool_use_id: 't1', content: 'paid 8' },
]);

function begin(): { log: SpanLog; recorder: SpanRecorder; hear: (frame: object) => void } {
  const log = createSpanLog();
  const recorder = new SpanRecorder({
    tracer: log.tracer,
    meter: log.meter,
    parent: ROOT_CONTEXT,
    captureContent: true,
    redactor: createRedactor({}),
    agentName: 'claude',
  });
  return { log, recorder, hear: (frame) => recorder.hear('in', JSON.stringify(frame)) };
}

const toolSpans = ({ spans }: SpanLog): ReadableSpan[] => spans.filter(({ name }) => name.includes(NAME));

describe('the span of a call whose CLI died', () => {
  it('is the one that ends with the result, where the call is completed', () => {
    const { log, recorder, hear } = begin();
    hear(init);
    hear(calling);
    recorder.endCli(new Error('killed'));
    expect(toolSpans(log)).toEqual([]);
    // The handler runs inside it, although there is no CLI.
    recorder.inToolCall('t1', NAME, () => {});
    recorder.complete([paid]);
    hear(init);
    recorder.end(undefined);
    expect(toolSpans(log).map(({ status, attributes }) => ({ status, attributes }))).toEqual([
      {
        status: { code: SpanStatusCode.UNSET },
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': NAME,
          'gen_ai.tool.type': 'extension',
          'gen_ai.tool.call.id': 't1',
          'gen_ai.tool.call.arguments': '{"order":"8"}',
          'gen_ai.tool.call.result': 'paid 8',
          'inboard.tool.completed': 'ran',
          'inboard.tool.completed.by': 'anna',
          'inboard.tool.completed.edited': true,
        },
      },
    ]);
    expect(log.measured.filter(({ name }) => name === 'gen_ai.execute_tool.duration')).toHaveLength(1);
  });

  it('ends when its CLI died, where the next one works and nobody completed it', () => {
    const { log, recorder, hear } = begin();
    hear(init);
    hear(calling);
    const before = Date.now();
    recorder.endCli(new Error('killed'));
    const after = Date.now();
    hear(init);
    const [span] = toolSpans(log);
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'killed' });
    const [seconds = 0, nanos = 0] = span?.endTime ?? [];
    const endedAt = Math.round(seconds * 1000 + nanos / 1e6);
    expect(endedAt).toBeGreaterThanOrEqual(before);
    expect(endedAt).toBeLessThanOrEqual(after + 1);
    recorder.end(undefined);
    expect(toolSpans(log)).toHaveLength(1);
  });

  it('ends with the session, where there is no next CLI', () => {
    const { log, recorder, hear } = begin();
    hear(init);
    hear(calling);
    recorder.endCli(new Error('killed'));
    recorder.end(undefined);
    expect(toolSpans(log).map(({ status }) => status.message)).toEqual(['killed']);
  });

  it('says so where the outcome could not be told', () => {
    const { log, recorder } = begin();
    recorder.complete([message({ how: 'unknown', delivered: false }, [])]);
    recorder.end(undefined);
    expect(toolSpans(log).map(({ attributes }) => attributes['error.type'])).toEqual(['outcome_unknown']);
  });
});
