// Traces made by hand, as long as one likes: each call of a tool is asked for, run and answered.
import type { WireObject } from '../../../../src/wire/protocol/codec.js';
import type { Trace, TraceStep } from '../../../../src/record/trace/trace-event.js';

export interface TracePlan {
  calls: number;
  /** The call, from 1, whose tool fails. */
  failing?: number;
  /** What the model says in the end, and the tool answers. */
  text?: string;
}

/** A trace of one turn. */
export function makeTrace({ calls, failing, text = '7' }: TracePlan): Trace {
  const steps: TraceStep[] = [];
  let t = 0;
  const add = (dir: 'in' | 'out', frame: WireObject, after = 1): void => {
    t += after;
    steps.push({ type: 'frame', t, dir, frame });
  };
  const ask = (dir: 'in' | 'out', id: string, request: WireObject, after = 1): void =>
    add(dir, { type: 'control_request', request_id: id, request }, after);
  const answer = (dir: 'in' | 'out', id: string, response: unknown, after = 1): void =>
    add(dir, { type: 'control_response', response: { subtype: 'success', request_id: id, response } }, after);
  const say = (content: unknown[], after = 1): void =>
    add(
      'in',
      { type: 'assistant', message: { role: 'assistant', content }, parent_tool_use_id: null },
      after,
    );

  ask('out', 'init', { subtype: 'initialize', sdkMcpServers: ['shop'] });
  answer('in', 'init', { commands: [], models: [] }, 50);
  add('out', { type: 'user', message: { role: 'user', content: 'How many?' }, parent_tool_use_id: null });
  add('in', { type: 'system', subtype: 'init', session_id: 's', model: 'scripted', tools: [] }, 5);
  for (let call = 1; call <= calls; call += 1) {
    const id = `toolu_${call}`;
    const input = { article: `apples-${call} ` };
    say([{ type: 'tool_use', id, name: 'mcp__shop__count', input }], 100);
    ask('in', `p${call}`, { subtype: 'can_use_tool', tool_name: 'mcp__shop__count', input, tool_use_id: id });
    answer('out', `p${call}`, { behavior: 'allow' }, 30);
    const params = { name: 'count', arguments: input, _meta: { 'claudecode/toolUseId': id } };
    ask('in', `m${call}`, {
      subtype: 'mcp_message',
      server_name: 'shop',
      message: { jsonrpc: '2.0', id: call, method: 'tools/call', params },
    });
    const isError = call === failing;
    const result = { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
    answer('out', `m${call}`, { mcp_response: { jsonrpc: '2.0', id: call, result } }, 20);
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      content: text,
      ...(isError ? { is_error: true } : {}),
    };
    add('in', { type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null }, 2);
  }
  say([{ type: 'text', text }], 40);
  add('in', { type: 'result', subtype: 'success', is_error: false, result: text, total_cost_usd: 0.01 }, 3);
  steps.push({ type: 'input-end', t });
  return {
    header: {
      type: 'header',
      format: 'inboard-trace',
      version: 1,
      startedAt: '2026-01-02T03:04:05.000Z',
      inboard: '0.1.0',
      claudeCodeVersion: '2.1.325',
      pid: 1,
      hostPid: 2,
      cwd: '/project',
      runtime: 'node 20',
      platform: 'linux x64',
    },
    steps,
    end: { type: 'end', t: t + 10, exitCode: 0, signal: null, stderrTail: '', frames: steps.length - 1 },
    problems: [],
  };
}
