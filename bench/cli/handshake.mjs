// The beginning and the end of the fake CLI's only turn, as the real CLI speaks them.
import { send, takeLine } from './blocking-lines.mjs';

const ID_FLAG = '--session-id=';
const SESSION_ID =
  process.argv.find((given) => given.startsWith(ID_FLAG))?.slice(ID_FLAG.length) ??
  '57d460cf-0000-4000-8000-000000000001';
// The real CLI answers the handshake with about this much.
const COMMANDS = Array.from({ length: 40 }, (_, index) => ({
  name: `command-${index}`,
  description: 'What the command does, in a sentence or two. '.repeat(4),
  argumentHint: '',
}));

let asked = 0;
let hasManifest = false;

/** Serves the handshake, waits for the prompt, lists the tools unless the handshake did, and begins the turn. */
export function beginTurn() {
  let isInitialized = false;
  let isPrompted = false;
  while (!isInitialized || !isPrompted) {
    const message = takeMessage();
    if (message.type === 'user') isPrompted = true;
    if (message.request?.subtype === 'initialize') {
      isInitialized = true;
      hasManifest = message.request.sdkMcpServerManifests?.bench !== undefined;
    }
  }
  sendState('running');
  send({
    type: 'system',
    subtype: 'init',
    cwd: process.cwd(),
    tools: ['Bash', 'Read', 'mcp__bench__lookup', 'mcp__bench__echo'],
    mcp_servers: [{ name: 'bench', status: 'connected' }],
    model: 'fake-model',
    permissionMode: 'default',
    slash_commands: [],
    apiKeySource: 'none',
    claude_code_version: '2.1.325',
    output_style: 'default',
    ...identify(9),
  });
}

/** Asks a host for its tools that did not list them in the handshake. */
export function listTools() {
  if (hasManifest) return;
  const clientInfo = { name: 'bench', version: '1.0.0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  askServer({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  askServer({ jsonrpc: '2.0', method: 'notifications/initialized' });
  askServer({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
}

/** Ends the turn, and waits until the host ends the input. */
export function endTurn() {
  send({
    type: 'result',
    subtype: 'success',
    is_error: false,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    result: 'done',
    stop_reason: 'end_turn',
    total_cost_usd: 0,
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    modelUsage: {},
    permission_denials: [],
    ...identify(3),
  });
  sendState('idle');
  for (let line = takeLine(); line !== undefined; line = takeLine()) answerHost(JSON.parse(line));
}

/** The next message of the host's, answered if it is a question. A host that ends its input before ends this process. */
function takeMessage() {
  const line = takeLine();
  if (line === undefined) process.exit(0);
  const message = JSON.parse(line);
  answerHost(message);
  return message;
}

function answerHost({ type, request_id, request }) {
  if (type !== 'control_request') return;
  const response = request.subtype === 'initialize' ? describeCli() : {};
  send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
}

function describeCli() {
  return {
    commands: COMMANDS,
    agents: [],
    models: [{ value: 'default', displayName: 'Default', description: 'The default model' }],
    account: { apiKeySource: 'none' },
    output_style: 'default',
    available_output_styles: ['default'],
    pid: process.pid,
  };
}

function askServer(message) {
  asked += 1;
  const request_id = `shake-${asked}`;
  send({
    type: 'control_request',
    request_id,
    request: { subtype: 'mcp_message', server_name: 'bench', message },
  });
  while (takeMessage().response?.request_id !== request_id);
}

function sendState(state) {
  const isForHost = { sdk_host_only: true };
  send({ type: 'system', subtype: 'session_state_changed', state, ...isForHost, ...identify(2) });
}

function identify(number) {
  return { session_id: SESSION_ID, uuid: `57a7e000-0000-4000-8000-00000000000${number}` };
}
