// The limit: a host without an SDK, which answers the fake CLI's lines with the least work there is in Node. It checks no
// arguments and no options, looks for no CLI, cancels nothing, has no slow reader in mind and leaves its child alone when it
// dies; an SDK must do all of that, so none can reach it on every row.
//   readline   node:readline, JSON.parse, JSON.stringify and one write for each answer
//   raw        one decoding for each received chunk, and one write for all answers to it
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const TOOLS = ['lookup', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const INITIALIZE_RESULT = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'bench', version: '1.0.0' },
};
const MANIFESTS = { bench: { initializeResult: INITIALIZE_RESULT, toolsListResult: { tools: TOOLS } } };
const SERVER_RESULTS = { initialize: INITIALIZE_RESULT, 'tools/list': { tools: TOOLS } };

/** Runs one prompt to its end; the same shape as `createSdkSession` gives. */
export async function runBareSession(given) {
  const { cli, args = [], env, cwd, mode } = given;
  const isScript = cli.endsWith('.mjs');
  const command = isScript ? process.execPath : cli;
  const stdio = ['pipe', 'pipe', 'inherit'];
  const child = spawn(command, isScript ? [cli, ...args] : args, { stdio, env, cwd });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The CLI ended with code ${code}.`)),
    );
  });
  // Told by the exit code.
  child.stdin.on('error', () => {});
  child.stdin.write(firstLines(given));
  const read = mode === 'raw' ? readChunks : readLines;
  await Promise.all([read(child, given), ended]);
}

function firstLines({ prompt = 'go' }) {
  const request = { subtype: 'initialize', sdkMcpServers: ['bench'], sdkMcpServerManifests: MANIFESTS };
  const user = {
    type: 'user',
    session_id: '',
    message: { role: 'user', content: prompt },
    parent_tool_use_id: null,
  };
  return `${JSON.stringify({ type: 'control_request', request_id: 'init-1', request })}\n${JSON.stringify(user)}\n`;
}

async function readLines(child, given) {
  const handle = createHandler({ ...given, child, write: (text) => child.stdin.write(text) });
  const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
  if (given.isSlow) for await (const line of lines) await handle(JSON.parse(line));
  else lines.on('line', (line) => handle(JSON.parse(line)));
}

async function readChunks(child, given) {
  let answers = '';
  const write = (text) => {
    // Answers that come later than the chunk they belong to leave alone.
    if (answers === undefined) child.stdin.write(text);
    else answers += text;
  };
  const handle = createHandler({ ...given, child, write });
  const split = createSplitter();
  if (given.isSlow) {
    answers = undefined;
    for await (const chunk of child.stdout) for (const line of split(chunk)) await handle(JSON.parse(line));
    return;
  }
  child.stdout.on('data', (chunk) => {
    answers = '';
    for (const line of split(chunk)) handle(JSON.parse(line));
    if (answers !== '' && child.stdin.writable) child.stdin.write(answers);
    answers = undefined;
  });
}

/** Cuts chunks into whole lines. */
function createSplitter() {
  let parts = [];
  return (chunk) => {
    const last = chunk.lastIndexOf(10);
    if (last === -1) {
      parts.push(chunk);
      return [];
    }
    const whole = parts.length === 0 ? chunk : Buffer.concat([...parts, chunk.subarray(0, last)]);
    const text = whole.utf8Slice(0, parts.length === 0 ? last : whole.length);
    parts = last + 1 < chunk.length ? [chunk.subarray(last + 1)] : [];
    return text.split('\n');
  };
}

function createHandler({ child, write, answerTool, answerPermission, onMessage }) {
  const reply = (request_id, response) => {
    const body = { subtype: 'success', request_id, response };
    write(`${JSON.stringify({ type: 'control_response', response: body })}\n`);
  };
  const answer = ({ request_id, request }) => {
    if (request.subtype === 'can_use_tool') {
      const decision = answerPermission(request.tool_name, request.input);
      reply(request_id, { ...decision, toolUseID: request.tool_use_id });
    } else if (request.subtype === 'mcp_message') {
      const { id, method, params } = request.message;
      const settle = (result) => reply(request_id, { mcp_response: { jsonrpc: '2.0', id, result } });
      if (method !== 'tools/call') return settle(SERVER_RESULTS[method] ?? {});
      const result = answerTool(params.name, params.arguments);
      if (typeof result.then === 'function') void result.then(settle);
      else settle(result);
    } else reply(request_id, {});
    return undefined;
  };
  return (message) => {
    if (message.type === 'control_request') return answer(message);
    if (message.type === 'control_response' || message.sdk_host_only) return undefined;
    if (message.type === 'result') child.stdin.end();
    return onMessage(message);
  };
}
