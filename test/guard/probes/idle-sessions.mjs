// What an idle session holds: one turn with a call of a tool was played, and the next prompt is awaited. The other side is
// in this process, with as little as it takes; sessions are counted between the fiftieth and the hundredth. Argument: "objects"
// or "bytes". Needs --expose-gc.
import { connect, post } from './inspect.mjs';
import { report } from './session.mjs';
import { makeShapes, offerTools } from './tools.mjs';

const [WARM_UP, COUNTED] = [50, 50];

const inboard = await import('inboard');

/** Plays one turn with one call, then waits for ever. */
function createIdleTransport() {
  let receiver;
  let close;
  const closed = new Promise((resolve) => (close = resolve));
  const send = (frame) => queueMicrotask(() => receiver.line(JSON.stringify(frame)));
  return {
    claudeCodeVersion: '2.1.325',
    pid: undefined,
    open: (given) => (receiver = given),
    write(line) {
      for (const frame of answer(JSON.parse(line))) send(frame);
      return true;
    },
    drained: async () => {},
    endInput: () => {},
    terminate() {
      receiver.closed({ exitCode: 0, signal: null, stderrTail: '' });
      close();
      return closed;
    },
  };
}

const SESSION = '57d460cf-0000-4000-8000-000000000001';
const CALL = {
  subtype: 'mcp_message',
  server_name: 'guard',
  message: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'lookup', arguments: { id: 'item-1' } },
  },
};
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: 'done',
  session_id: SESSION,
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  modelUsage: {},
  permission_denials: [],
  uuid: '57a7e000-0000-4000-8000-000000000002',
};

/** What the CLI says to a line of the host. */
function answer(frame) {
  if (frame.type === 'user') return [{ type: 'control_request', request_id: 'call', request: CALL }];
  if (frame.type === 'control_response') return [RESULT];
  if (frame.type !== 'control_request') return [];
  const { request_id } = frame;
  const response = {
    commands: [],
    agents: [],
    models: [],
    output_style: 'default',
    available_output_styles: [],
  };
  return [{ type: 'control_response', response: { subtype: 'success', request_id, response } }];
}

async function* promptOnce() {
  yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null };
  await new Promise(() => {});
}

async function openIdleSession(shapes) {
  const options = { transport: createIdleTransport(), mcpServers: offerTools(inboard, shapes) };
  const query = inboard.query({ prompt: promptOnce(), options });
  for (;;) {
    const { value, done } = await query.next();
    if (done) throw new Error('The session ended before its result');
    if (value.type === 'result') break;
  }
  // Who reads on holds the session; nothing more comes.
  void query.next();
  return query;
}

function settle() {
  return new Promise(setImmediate);
}

async function readBytes() {
  for (let round = 0; round < 3; round += 1) {
    await settle();
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** Everything that inherits from `Object.prototype`, as functions, lists and promises do, after a collection. */
async function countObjects() {
  await settle();
  const { result: prototype } = post('Runtime.evaluate', { expression: 'Object.prototype' });
  const { objects } = post('Runtime.queryObjects', { prototypeObjectId: prototype.objectId });
  const [, count] = /^Array\((\d+)\)$/.exec(objects.description);
  post('Runtime.releaseObject', { objectId: objects.objectId });
  return Number(count);
}

const shapes = await makeShapes('words');
const sessions = [];
const open = async (count) => {
  for (let index = 0; index < count; index += 1) sessions.push(await openIdleSession(shapes));
};
await open(WARM_UP);
// Not both in one process: who counts objects holds some.
const [what] = process.argv.slice(2);
const measure = what === 'bytes' ? readBytes : countObjects;
connect();
const before = await measure();
await open(COUNTED);
report({ [what]: ((await measure()) - before) / COUNTED });
await Promise.all(sessions.map((session) => session.close()));
process.exit(0);
