// A long recording, as text: turns of calls with the pieces that the CLI streams, made line by line.

const HEADER = {
  type: 'header',
  format: 'inboard-trace',
  version: 1,
  startedAt: '2026-11-16T09:00:00.000Z',
  inboard: '0.1.0',
  claudeCodeVersion: '2.1.325',
  pid: 4711,
  hostPid: 4700,
  cwd: '/home/you/project',
  runtime: 'node 20.20.2',
  platform: 'linux arm64',
};

/** The text of a trace of so many events, in parts of about a thousand lines. */
export function* makeLongTrace(events: number): Generator<string, void, undefined> {
  let lines: string[] = [JSON.stringify(HEADER)];
  const all = { left: events - 1 };
  let t = 0;
  let call = 0;
  const add = (dir: 'in' | 'out', frame: Record<string, unknown>): void => {
    t += 3;
    all.left -= 1;
    lines.push(JSON.stringify({ type: 'frame', t, dir, frame }));
  };
  while (all.left > 40) {
    call += 1;
    if (call % 10 === 1) {
      add(
        'out',
        userOf([{ type: 'text', text: `Turn ${call}: look at the next ten orders and count them.` }]),
      );
      add('in', { type: 'system', subtype: 'init', session_id: 'long', model: 'claude-sonnet-4-5-20250929' });
    }
    addCall(add, call);
    if (call % 10 === 0) {
      const result = `Turn ${call / 10} is done: all ten orders were counted.`;
      const usage = { input_tokens: 1200, output_tokens: 180 };
      add('in', {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result,
        num_turns: 11,
        duration_ms: 900,
        total_cost_usd: call / 1000,
        usage,
      });
    }
    if (lines.length < 1000) continue;
    yield `${lines.join('\n')}\n`;
    lines = [];
  }
  while (all.left > 1) add('in', { type: 'keep_alive' });
  lines.push(
    JSON.stringify({ type: 'end', t: t + 5, exitCode: 0, signal: null, stderrTail: '', frames: events - 2 }),
  );
  yield `${lines.join('\n')}\n`;
}

type Add = (dir: 'in' | 'out', frame: Record<string, unknown>) => void;

const WORDS = 'I will look at this order now and then count what is left of it in the store.'.split(' ');

/** A text that streams, a tool call with its permission, and its result: about 26 events. */
function addCall(add: Add, call: number): void {
  const id = `toolu_${call}`;
  const message = `msg_${call}`;
  const input = { order: `order ${call}`, warehouse: 'Lund', articles: ['blue lamp', 'green lamp'] };
  const stream = (event: Record<string, unknown>): void =>
    add('in', {
      type: 'stream_event',
      event,
      session_id: 'long',
      parent_tool_use_id: null,
      uuid: `u${call}`,
    });
  const say = (block: Record<string, unknown>): void =>
    add('in', {
      type: 'assistant',
      message: {
        id: message,
        role: 'assistant',
        content: [block],
        usage: { input_tokens: 100, output_tokens: 9 },
      },
      parent_tool_use_id: null,
      session_id: 'long',
    });
  stream({ type: 'message_start', message: { id: message, usage: { input_tokens: 100, output_tokens: 1 } } });
  stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
  for (const word of WORDS)
    stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `${word} ` } });
  say({ type: 'text', text: `${WORDS.join(' ')} (${call})` });
  stream({ type: 'content_block_stop', index: 0 });
  say({ type: 'tool_use', id, name: 'mcp__shop__count', input });
  const params = { name: 'count', arguments: input, _meta: { 'claudecode/toolUseId': id } };
  const rpc = { jsonrpc: '2.0', id: call, method: 'tools/call', params };
  add('in', {
    type: 'control_request',
    request_id: `r${call}`,
    request: { subtype: 'mcp_message', server_name: 'shop', message: rpc },
  });
  const isError = call % 50 === 0;
  const text = isError ? 'The store does not answer.' : `${call} pieces are left. `.repeat(20);
  const result = { content: [{ type: 'text', text }], ...(isError && { isError }) };
  add('out', {
    type: 'control_response',
    response: {
      subtype: 'success',
      request_id: `r${call}`,
      response: { mcp_response: { jsonrpc: '2.0', id: call, result } },
    },
  });
  add(
    'in',
    userOf([{ type: 'tool_result', tool_use_id: id, content: text, ...(isError && { is_error: true }) }]),
  );
}

function userOf(content: unknown[]): Record<string, unknown> {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: 'long' };
}
