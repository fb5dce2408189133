#!/usr/bin/env node
// A CLI of its own process that costs a few milliseconds a turn: keeps a transcript, reports it in beats as the real one does,
// resumes it, goes on with a turn that was cut off, and exits with 9 when its host sends what the real one would drop or refuse.
// Its "model" does what the message says: `chaos {"k":…,"n":…,"calls":1,"ask":false,"ms":20}`; with `"together":true` it makes all
// calls in one message, is asked about each, and never makes one again. With `"once":true` it never makes a
// call again either, whatever became of it, and answers with the results that it read.
'use strict';
const { randomUUID } = require('node:crypto');
const path = require('node:path');
const { createInterface } = require('node:readline');
const { createTogether } = require('./fake-together.cjs');
const { openTranscript, textOf } = require('./fake-transcript.cjs');

const args = process.argv.slice(2);
if (args.includes('--version') || args.includes('-v')) {
  process.stdout.write('2.1.325 (Claude Code)\n');
  process.exit(0);
}

const flag = (name) => {
  const joined = args.find((word) => word.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const at = args.indexOf(name);
  return at === -1 ? undefined : args[at + 1];
};
const resumed = flag('--resume');
const sessionId = resumed ?? flag('--session-id') ?? randomUUID();
const isMirrored = args.some((word) => word.startsWith('--session-mirror'));

let asked = 0;
let turn;
const waiting = [];
const questions = new Map();
const transcript = openTranscript({
  projects: path.join(process.env.CLAUDE_CONFIG_DIR ?? path.join(process.env.HOME, '.claude'), 'projects'),
  sessionId,
  isResumed: resumed !== undefined,
  onBeat: (filePath, entries) => isMirrored && send({ type: 'transcript_mirror', filePath, entries }),
});
if (transcript === undefined) refuse(`No conversation found with session ID: ${resumed}`, 1);
const { keep, report } = transcript;
const together = createTogether({ transcript, say, ask, sendOwn });

function refuse(problem, code) {
  process.stderr.write(`${problem}\n`);
  process.exit(code);
}

function send(frame) {
  process.stdout.write(`${JSON.stringify(frame)}\n`);
}

function sendOwn(frame) {
  send({ ...frame, uuid: frame.uuid ?? randomUUID(), session_id: sessionId });
}

function ask(request) {
  asked += 1;
  const request_id = `ask-${process.pid}-${asked}`;
  send({ type: 'control_request', request_id, request });
  return new Promise((resolve) => questions.set(request_id, resolve));
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
function say(content, stopReason, id = `msg_${randomUUID()}`) {
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'fake-model',
    content,
  };
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const { uuid } = keep({ type: 'assistant', message: { ...message, stop_reason: stopReason, usage } });
  sendOwn({
    type: 'assistant',
    message: { ...message, stop_reason: null, usage },
    parent_tool_use_id: null,
    uuid,
  });
}

async function callTool(plan, index) {
  const name = plan.ask && index === 0 ? 'pay' : 'work';
  const input = { k: plan.k, n: plan.n, call: index };
  let agreed = input;
  const id = `toolu_${randomUUID()}`;
  say([{ type: 'tool_use', id, name: `mcp__shop__${name}`, input }], 'tool_use');
  let content;
  let isError = false;
  if (name === 'pay') {
    sendOwn({
      type: 'system',
      subtype: 'session_state_changed',
      state: 'requires_action',
      sdk_host_only: true,
    });
    const answer = await ask({
      subtype: 'can_use_tool',
      tool_name: `mcp__shop__${name}`,
      display_name: 'Pay',
      input,
      permission_suggestions: [],
      tool_use_id: id,
    });
    if (answer?.behavior !== 'allow') {
      isError = true;
      content = answer?.message ?? 'denied';
    } else agreed = answer.updatedInput ?? input;
    sendOwn({ type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true });
  }
  if (content === undefined) {
    const params = { name, arguments: agreed, _meta: { 'claudecode/toolUseId': id, progressToken: asked } };
    const answer = await ask({
      subtype: 'mcp_message',
      server_name: 'shop',
      message: { jsonrpc: '2.0', id: asked, method: 'tools/call', params },
    });
    const { result, error } = answer?.mcp_response ?? {};
    isError = error !== undefined || result?.isError === true;
    content = result?.content ?? error?.message ?? 'no answer';
  }
  const block = { tool_use_id: id, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) };
  const { uuid } = keep({ type: 'user', message: { role: 'user', content: [block] } });
  sendOwn({ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null, uuid });
}

async function playTurn({ uuid, text, done, isCalled = false, made = 0 }) {
  const mine = { uuid };
  turn = mine;
  const plan = JSON.parse(text.slice(text.indexOf('{')));
  const startedAt = Date.now();
  sendOwn({ type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true });
  sendOwn({ type: 'command_lifecycle', command_uuid: uuid, state: 'started' });
  sendOwn({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    tools: ['mcp__shop__work', 'mcp__shop__pay'],
    mcp_servers: [{ name: 'shop', status: 'connected' }],
    model: 'fake-model',
    permissionMode: 'default',
    slash_commands: [],
    apiKeySource: 'none',
    claude_code_version: '2.1.325',
    output_style: 'default',
  });
  if (plan.together) {
    const createId = (kind) => `${kind}_${randomUUID()}`;
    await together.play(plan, { isCalled, createId });
  }
  const first = plan.once ? made : done;
  for (let index = first; !plan.together && index < (plan.calls ?? 1); index += 1) {
    await sleep(plan.ms ?? 20);
    if (turn !== mine) return;
    await callTool(plan, index);
  }
  await sleep(plan.ms ?? 20);
  if (turn !== mine) return;
  const answer = plan.once ? JSON.stringify(transcript.lastTurn().read) : `done ${plan.k} ${plan.n}`;
  say([{ type: 'text', text: answer }], 'end_turn');
  endTurn({
    uuid,
    startedAt,
    result: { subtype: 'success', is_error: false, result: answer, stop_reason: 'end_turn' },
  });
}

function endTurn({ uuid, startedAt, result }) {
  report();
  const usage = {
    input_tokens: 20,
    output_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  sendOwn({
    type: 'result',
    ...result,
    duration_ms: Date.now() - startedAt,
    duration_api_ms: 1,
    num_turns: 2,
    total_cost_usd: 0.0001,
    usage,
    modelUsage: {},
    permission_denials: [],
    user_message_uuids: [uuid],
  });
  sendOwn({ type: 'command_lifecycle', command_uuid: uuid, state: 'completed' });
  sendOwn({ type: 'system', subtype: 'session_state_changed', state: 'idle', sdk_host_only: true });
  turn = undefined;
  const next = waiting.shift();
  if (next) void playTurn(next);
}

function interrupt() {
  if (turn === undefined) return;
  const { uuid } = turn;
  keep({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
  });
  endTurn({
    uuid,
    startedAt: Date.now(),
    result: {
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: 'aborted_streaming',
      stop_reason: null,
    },
  });
}

function takeMessage({ uuid, message }) {
  if (transcript.has(uuid)) refuse(`The message ${uuid} was sent again: the CLI drops it`, 9);
  keep({ type: 'user', uuid, message });
  const next = { uuid, text: textOf({ message }), done: 0 };
  if (turn) waiting.push(next);
  else void playTurn(next);
}

function continueTurn() {
  const last =
    resumed === undefined || process.env.CLAUDE_CODE_RESUME_INTERRUPTED_TURN !== '1'
      ? undefined
      : transcript.lastTurn();
  if (last === undefined || last.isOver) return undefined;
  return () => {
    if (last.isTogether) together.tellUnknown();
    keep({
      type: 'user',
      isMeta: true,
      message: { role: 'user', content: 'Continue from where you left off.' },
    });
    void playTurn(last);
  };
}

function takeRequest({ request_id, request }) {
  const answer = (response) =>
    send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  if (request.subtype !== 'initialize') {
    if (request.subtype === 'interrupt') interrupt();
    answer({});
    return;
  }
  const goOn = continueTurn();
  answer({
    commands: [],
    agents: [],
    models: [],
    account: { apiKeySource: 'none' },
    output_style: 'default',
    available_output_styles: ['default'],
    pid: process.pid,
    session_state: goOn ? 'running' : 'idle',
  });
  goOn?.();
}

createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => {
    if (line === '') return;
    const frame = JSON.parse(line);
    if (frame.type === 'user') takeMessage(frame);
    else if (frame.type === 'control_request') takeRequest(frame);
    else if (frame.type === 'control_response') {
      const { request_id, response } = frame.response;
      questions.get(request_id)?.(response);
      questions.delete(request_id);
    }
  })
  .on('close', () => {
    together.end();
    report();
    process.stdout.write('', () => process.exit(0));
  });
process.stdout.on('error', () => process.exit(0));
