// Questions of the fake CLI: tool calls or permissions, a number of them in flight, each answered exactly once.
import { hasLine, takeLine, writeAll } from './blocking-lines.mjs';

const MARK = '#ID#';

const CALL = {
  subtype: 'mcp_message',
  server_name: 'bench',
  message: {
    method: 'tools/call',
    params: {
      name: 'lookup',
      arguments: { id: 'item-4711', limit: 20, fields: ['name', 'price', 'stock'] },
      _meta: { 'claudecode/toolUseId': `toolu_01${MARK}`, progressToken: MARK },
    },
    jsonrpc: '2.0',
    id: MARK,
  },
};

const PERMISSION = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'git log --oneline -20 | head -5', description: 'Show the latest commits' },
  permission_suggestions: [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'git log:*' }],
      behavior: 'allow',
      destination: 'localSettings',
    },
  ],
  tool_use_id: `toolu_01${MARK}`,
};

const ID_BEFORE = '"request_id":"bench-';

/**
 * Asks `warm + measured` questions, up to `inFlight` at once, and gives the median round trip in microseconds. With
 * `inWaves` a wave is answered in whole before the next one is asked.
 */
export function askQuestions({ kind, warm, measured, inFlight = 1, inWaves = false }) {
  const question = createQuestion(kind === 'permission' ? PERMISSION : CALL);
  const total = warm + measured;
  const askedAt = new Float64Array(total);
  const roundTrips = new Float64Array(measured);
  const isAnswered = new Uint8Array(total);
  let asked = 0;
  let answered = 0;
  const askMore = () => {
    const now = performance.now();
    const room = inWaves && answered < asked ? 0 : inFlight - (asked - answered);
    let text = '';
    for (let left = Math.min(room, total - asked); left > 0; left -= 1) {
      askedAt[asked] = now;
      text += question(asked);
      asked += 1;
    }
    if (text !== '') writeAll(Buffer.from(text, 'latin1'));
  };
  askMore();
  while (answered < total) {
    const line = takeLine();
    if (line === undefined) throw new Error(`The host ended its input after ${answered} answers.`);
    const id = readId(line);
    // Whatever else a host may say is no answer.
    if (id === undefined) continue;
    if (!line.includes('"subtype":"success"') || isAnswered[id] === 1 || id >= asked)
      throw new Error(`A wrong answer, or the second one: ${line.slice(0, 300)}`);
    if (answered === 0) checkAnswer(kind, line);
    isAnswered[id] = 1;
    answered += 1;
    if (id >= warm) roundTrips[id - warm] = performance.now() - askedAt[id];
    // What was received together is answered together.
    if (!hasLine()) askMore();
  }
  return { roundTripUs: roundTrips.sort()[Math.floor(measured / 2)] * 1000 };
}

/** Writes a question with its number in it; the text around the number is made once. */
function createQuestion(request) {
  const text = JSON.stringify({ type: 'control_request', request_id: `bench-${MARK}`, request });
  const parts = `${text}\n`.replaceAll(`"${MARK}"`, MARK).split(MARK);
  return (id) => parts.join(String(id));
}

function readId(line) {
  const at = line.indexOf(ID_BEFORE);
  return at === -1
    ? undefined
    : Number.parseInt(line.slice(at + ID_BEFORE.length, at + ID_BEFORE.length + 8));
}

/** The first answer is read in full. */
function checkAnswer(kind, line) {
  const { response } = JSON.parse(line).response;
  const isRight =
    kind === 'permission'
      ? response.behavior === 'allow'
      : response.mcp_response.result.content[0].text.startsWith('found item-4711');
  if (!isRight) throw new Error(`Not the expected answer: ${line.slice(0, 300)}`);
}
