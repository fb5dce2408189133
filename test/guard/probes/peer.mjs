#!/usr/bin/env node
// A small CLI for the probes: shakes hands, then plays what GUARD_PLAY says, answers nothing that is not asked, and
// leaves when its input ends. It asks in rounds, and each round is one write: what the host does per question must not
// depend on how the system cuts a stream into pieces.
//   { "calls": n, "window": w }   n calls of the tool "lookup", w at a time (1 unless told)
//   { "questions": n }            n questions for permission, one after another
//   { "deltas": n }               n partial messages, twenty at a time with a question for permission behind them
//   { "lines": n, "bytes": b }    n calls of the tool "echo" with an argument of b bytes, one after another
// A message that is such an object as text is played instead.
import { createInterface } from 'node:readline';

if (process.argv.includes('--version')) {
  console.log('2.1.325 (Claude Code)');
  process.exit(0);
}

const PLAY = JSON.parse(process.env.GUARD_PLAY ?? '{}');
const ID_FLAG = '--session-id=';
const SESSION =
  process.argv.find((given) => given.startsWith(ID_FLAG))?.slice(ID_FLAG.length) ??
  '57d460cf-0000-4000-8000-000000000001';
const USAGE = {
  input_tokens: 1,
  output_tokens: 1,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const encode = (frame) => `${JSON.stringify(frame)}\n`;
const send = (...frames) => process.stdout.write(frames.map(encode).join(''));
const uuid = (number) => `57a7e000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const LOOKUP = { name: 'lookup', arguments: { id: 'item-4711', limit: 20, fields: ['name', 'price'] } };
const QUESTION = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'git log --oneline -20', description: 'Show the latest commits' },
};

function call(number, params) {
  const _meta = { 'claudecode/toolUseId': `toolu_${number}`, progressToken: number };
  const message = { jsonrpc: '2.0', id: number, method: 'tools/call', params: { ...params, _meta } };
  return { subtype: 'mcp_message', server_name: 'guard', message };
}

let asked = 0;
let unanswered = 0;
let goOn;

/** Asks all of these with one write, after the other frames; resolves when all are answered. */
function ask(requests, others = []) {
  unanswered = requests.length;
  const frames = requests.map((request) => ({
    type: 'control_request',
    request_id: uuid((asked += 1)),
    request,
  }));
  return new Promise((resolve) => {
    goOn = resolve;
    send(...others, ...frames);
  });
}

async function askRounds(count, window, makeRequest) {
  for (let done = 0; done < count; done += window)
    await ask(
      Array.from({ length: Math.min(window, count - done) }, (_, index) => makeRequest(done + index)),
    );
}

function makeDeltas(count) {
  const delta = { type: 'text_delta', text: 'Lorem ipsum dolor sit.' };
  const event = { type: 'content_block_delta', index: 0, delta };
  const frame = { type: 'stream_event', event, session_id: SESSION, parent_tool_use_id: null };
  return Array.from({ length: count }, (_, index) => ({ ...frame, uuid: uuid(index) }));
}

async function playAll(play) {
  send({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    session_id: SESSION,
    tools: ['Bash', 'mcp__guard__lookup', 'mcp__guard__echo'],
    mcp_servers: [{ name: 'guard', status: 'connected', source: 'sdk' }],
    model: 'fake-model',
    permissionMode: 'default',
    slash_commands: [],
    apiKeySource: 'none',
    claude_code_version: '2.1.325',
    output_style: 'default',
    agents: [],
    skills: [],
    plugins: [],
    uuid: uuid(1),
  });
  await askRounds(play.calls ?? 0, play.window ?? 1, (number) => call(number, LOOKUP));
  await askRounds(play.questions ?? 0, 1, (number) => ({ ...QUESTION, tool_use_id: `toolu_${number}` }));
  const text = 'a'.repeat(play.bytes ?? 0);
  await askRounds(play.lines ?? 0, 1, (number) => call(number, { name: 'echo', arguments: { text } }));
  for (let sent = 0; sent < (play.deltas ?? 0); sent += 20)
    await ask([{ ...QUESTION, tool_use_id: `toolu_${sent}` }], makeDeltas(20));
  send(
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      duration_ms: 1,
      duration_api_ms: 1,
      num_turns: 1,
      result: 'done',
      stop_reason: 'end_turn',
      session_id: SESSION,
      total_cost_usd: 0,
      usage: USAGE,
      modelUsage: {},
      permission_denials: [],
      uuid: uuid(2),
    },
    {
      type: 'system',
      subtype: 'session_state_changed',
      state: 'idle',
      sdk_host_only: true,
      uuid: uuid(3),
      session_id: SESSION,
    },
  );
}

function receive(frame) {
  if (frame.type === 'user') void playAll(readPlay(frame));
  else if (frame.type === 'control_request')
    send({
      type: 'control_response',
      response: { subtype: 'success', request_id: frame.request_id, response: describeSelf(frame.request) },
    });
  else if (frame.type === 'control_response') {
    if (frame.response.subtype !== 'success') throw new Error(`Refused: ${JSON.stringify(frame)}`);
    unanswered -= 1;
    if (unanswered === 0) goOn();
  }
}

function readPlay({ message: { content } }) {
  const text = typeof content === 'string' ? content : content[0].text;
  return text.startsWith('{') ? JSON.parse(text) : PLAY;
}

function describeSelf({ subtype }) {
  if (subtype !== 'initialize') return {};
  return {
    commands: [],
    agents: [],
    output_style: 'default',
    available_output_styles: ['default'],
    models: [{ value: 'default', displayName: 'Default', description: 'The default' }],
    account: { apiKeySource: 'none' },
    pid: process.pid,
  };
}

createInterface({ input: process.stdin })
  .on('line', (line) => receive(JSON.parse(line)))
  .on('close', () => process.exit(0));
