import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/record/trace/trace-event.js';
import { makeTrace } from './support/make-trace.js';
import { findFaults, TRACE_SCHEMA } from './support/trace-schema.js';

const trace = makeTrace({ calls: 2, failing: 1 });
const frame = (body: object): object => ({ type: 'frame', t: 1, dir: 'in', frame: body });
const request = (body: object): object => frame({ type: 'control_request', request_id: 'r', request: body });
const reply = (body: object): object =>
  frame({ type: 'control_response', response: { request_id: 'r', ...body } });
const { header } = trace;

describe('the schema of traces', () => {
  it('is closed in itself', () => {
    const text = JSON.stringify(TRACE_SCHEMA);
    const defined = Object.keys((TRACE_SCHEMA as { $defs: object }).$defs);
    for (const [, name = ''] of text.matchAll(/"#\/\$defs\/(\w+)"/g)) expect(defined).toContain(name);
  });

  it('takes what is written', () => {
    const events: TraceEvent[] = [
      trace.header,
      ...trace.steps,
      { type: 'frame', t: 1, dir: 'in', text: 'garbage' },
      { type: 'frame', t: 1, dir: 'out', truncated: { bytes: 9, head: '{' } },
      {
        type: 'completed',
        t: 1,
        frame: {
          type: 'user',
          message: { role: 'user', content: [] },
          completed: {
            callKey: 'k',
            toolUseId: 't',
            toolName: 'x',
            input: {},
            how: 'unknown',
            delivered: false,
          },
        },
      },
      { type: 'completed', t: 1, truncated: { bytes: 9, head: '{' } },
      { type: 'fault', t: 1, code: 'X', message: '' },
      { type: 'terminate', t: 1 },
      { type: 'gap', t: 1, reason: 'slow-disk' },
      ...(trace.end ? [trace.end] : []),
    ];
    for (const event of events) expect({ event, faults: findFaults(event) }).toEqual({ event, faults: [] });
  });

  it('takes kinds of messages and fields that are not known yet', () => {
    expect(findFaults(frame({ type: 'brand_new', anything: [1] }))).toEqual([]);
    expect(findFaults(request({ subtype: 'brand_new', more: true }))).toEqual([]);
    expect(
      findFaults(
        frame({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'brand_new' }] } }),
      ),
    ).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['an event of no kind', { t: 1 }],
    ['an event of an unknown kind', { type: 'other', t: 1 }],
    ['a header of another format', { ...header, format: 'other' }],
    ['a header of another version', { ...header, version: 2 }],
    ['a header with the environment in it', { ...header, env: { A: 'b' } }],
    ['a header without a time', { ...header, startedAt: undefined }],
    ['a frame without a time', { type: 'frame', dir: 'in', frame: { type: 'user' } }],
    ['a time before the start', { ...frame({ type: 'x' }), t: -1 }],
    ['a frame without a direction', { type: 'frame', t: 1, frame: { type: 'x' } }],
    ['a frame in a third direction', { ...frame({ type: 'x' }), dir: 'up' }],
    ['a frame without a frame', { type: 'frame', t: 1, dir: 'in' }],
    ['a frame that is also a text', { ...frame({ type: 'x' }), text: 'x' }],
    ['a frame without a type', frame({})],
    [
      'a completed call that is none',
      { type: 'completed', t: 1, frame: { type: 'user', message: { role: 'user', content: [] } } },
    ],
    ['a request without an id', frame({ type: 'control_request', request: { subtype: 'x' } })],
    ['a request without a subtype', request({})],
    ['a response without an id', frame({ type: 'control_response', response: { subtype: 'success' } })],
    ['a response of a third kind', reply({ subtype: 'maybe' })],
    ['an error without its text', reply({ subtype: 'error' })],
    ['a cancellation of nothing', frame({ type: 'control_cancel_request' })],
    ['a permission question without a tool', request({ subtype: 'can_use_tool', input: {} })],
    ['a hook without its id', request({ subtype: 'hook_callback', input: {} })],
    [
      'an MCP message without its server',
      request({ subtype: 'mcp_message', message: { jsonrpc: '2.0', method: 'x' } }),
    ],
    [
      'JSON-RPC of another version',
      request({ subtype: 'mcp_message', server_name: 's', message: { jsonrpc: '1.0', method: 'x' } }),
    ],
    [
      'JSON-RPC that says nothing',
      request({ subtype: 'mcp_message', server_name: 's', message: { jsonrpc: '2.0', id: 1 } }),
    ],
    [
      'a broken answer of a server',
      reply({ subtype: 'success', response: { mcp_response: { jsonrpc: '2.0' } } }),
    ],
    ['a user message without content', frame({ type: 'user', message: { role: 'user' } })],
    [
      'an assistant who speaks as the user',
      frame({ type: 'assistant', message: { role: 'user', content: [] } }),
    ],
    [
      'a call without its id',
      frame({
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'tool_use', name: 'x', input: {} }] },
      }),
    ],
    ['a result that does not say how it went', frame({ type: 'result', subtype: 'success' })],
    ['a mark with more in it', { type: 'input-end', t: 1, why: 'x' }],
    ['a gap without a reason', { type: 'gap', t: 1 }],
    ['an end without the count', { ...trace.end, frames: undefined }],
  ])('refuses %s', (_, value) => {
    // Absent, not undefined: as it would stand in a file.
    expect(findFaults(JSON.parse(JSON.stringify(value)))).not.toEqual([]);
  });
});
