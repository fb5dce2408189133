// The shutdown race, one interleaving at a time: a control request of the CLI that is open while the result arrives, or
// comes after it. The fake CLI is played by hand, so that each line lies exactly where the interleaving wants it.
import { setImmediate as nextRound } from 'node:timers/promises';
import { createSdkMcpServer, query, run, tool, type QueryOptions, type SDKMessage } from 'inboard';
import { crash, createFakeCli, expectEnd, expectLine, raw, respond } from 'inboard/testing';

const REQUESTS = ['a tool call', 'a tool call that heeds no signal', 'a hook'] as const;
const ARRIVALS = [
  'before the result',
  'in one chunk before it',
  'in one chunk after it',
  'after it',
  'after the input',
] as const;
const FATES = ['is answered', 'fails', 'is withdrawn', 'is cut by an exit', 'is cut by a kill'] as const;
const CONSUMERS = ['reads on', 'leaves at the result', 'closes at the result', 'awaits run()'] as const;

export interface Interleaving {
  request: (typeof REQUESTS)[number];
  arrives: (typeof ARRIVALS)[number];
  fate: (typeof FATES)[number];
  consumer: (typeof CONSUMERS)[number];
}

/** Every combination: a hundred for each kind of request. */
export function* listInterleavings(): Generator<Interleaving> {
  for (const request of REQUESTS)
    for (const arrives of ARRIVALS)
      for (const fate of FATES) for (const consumer of CONSUMERS) yield { request, arrives, fate, consumer };
}

/** What became of the late request. */
export interface LateRequest {
  /** Whether it reached the program's own code. */
  wasHandled: boolean;
  /** How that code ended; undefined when it still ran after the program was done. */
  end: 'returned' | 'threw' | 'was told to stop' | undefined;
  /** What the SDK warned of, by code. */
  warnings: string[];
  /** How many answers went over the wire. */
  answers: number;
}

const line = (frame: object): string => `${JSON.stringify({ session_id: 's', uuid: 'u', ...frame })}\n`;
const state = (name: string): string =>
  line({ type: 'system', subtype: 'session_state_changed', state: name });
const RESULT = line({
  type: 'result',
  subtype: 'success',
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: 'The briefing.',
  stop_reason: 'end_turn',
  total_cost_usd: 0,
  usage: { input_tokens: 1, output_tokens: 1 },
  modelUsage: {},
  permission_denials: [],
});
const CALL = {
  subtype: 'mcp_message',
  server_name: 'guidelines',
  message: {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'search', arguments: { query: 'metformin' } },
  },
};
const HOOK = {
  subtype: 'hook_callback',
  callback_id: 'hook_0',
  tool_use_id: 't',
  input: { hook_event_name: 'Stop', session_id: 's', transcript_path: '', cwd: '', stop_hook_active: false },
};
const LATE = 'late-1';

/** Plays one interleaving. Rejects when the program does not get its result, or gets an error after it. */
export async function playInterleaving({
  request,
  arrives,
  fate,
  consumer,
}: Interleaving): Promise<LateRequest> {
  const late: LateRequest = { wasHandled: false, end: undefined, warnings: [], answers: 0 };
  let letAnswer = (): void => {};
  const mayAnswer = new Promise<void>((resolve) => (letAnswer = resolve));
  // The program's own code: it answers when the script lets it, and never before.
  const handle = async (signal: AbortSignal): Promise<string> => {
    late.wasHandled = true;
    const isTold = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await (request === 'a tool call that heeds no signal' ? mayAnswer : Promise.race([mayAnswer, isTold]));
    late.end = signal.aborted ? 'was told to stop' : fate === 'fails' ? 'threw' : 'returned';
    if (late.end === 'threw') throw new Error('The index is gone');
    return 'G-001';
  };
  const asked = line({
    type: 'control_request',
    request_id: LATE,
    request: request === 'a hook' ? HOOK : CALL,
  });
  const isAnswer = (frame: object): boolean => JSON.stringify(frame).includes(LATE);
  const finish = {
    'is answered': [letAnswer, expectLine(isAnswer)],
    fails: [letAnswer, expectLine(isAnswer)],
    'is withdrawn': [raw(line({ type: 'control_cancel_request', request_id: LATE }))],
    'is cut by an exit': [crash({ code: 0 })],
    'is cut by a kill': [crash({ signal: 'SIGKILL' })],
  }[fate];
  const idle = state('idle');
  const around = {
    'before the result': [raw(asked), raw(RESULT), raw(idle), ...finish],
    'in one chunk before it': [raw(asked + RESULT + idle), ...finish],
    'in one chunk after it': [raw(RESULT + asked + idle), ...finish],
    'after it': [raw(RESULT), raw(idle), raw(asked), ...finish],
    // Nothing can be answered any more: the CLI asks, and leaves.
    'after the input': [raw(RESULT + idle), expectEnd(), raw(asked), crash({ code: 0 })],
  }[arrives];
  const handshake = [
    expectLine('initialize'),
    respond({ commands: [], models: [], account: {} }),
    expectLine('user'),
  ];
  const fake = createFakeCli([...handshake, raw(state('running')), ...around, expectEnd()], {
    byHand: true,
    allowEarlyEnd: true,
  });
  const search = tool({
    name: 'search',
    description: 'Searches',
    inputSchema: { query: 'string' },
    run: (_input, { signal }) => handle(signal),
  });
  await consume(consumer, {
    transport: fake.transport,
    mcpServers: { guidelines: createSdkMcpServer({ name: 'guidelines', tools: [search] }) },
    hooks: { Stop: [{ hooks: [async (_input, _id, { signal }) => (await handle(signal), {})] }] },
    onWarning: ({ code }) => void late.warnings.push(code),
  });
  const isLeftRunning = late.wasHandled && late.end === undefined;
  letAnswer(); // what still runs gives its answer now, to nobody
  await nextRound();
  if (isLeftRunning) late.end = undefined;
  late.answers = fake.log.filter(({ from, line: text }) => from === 'host' && text.includes(LATE)).length;
  await fake.close({ verify: false });
  return late;
}

/** A string prompt, read in one of four ways. */
async function consume(consumer: Interleaving['consumer'], options: QueryOptions): Promise<void> {
  const prompt = 'Write the briefing.';
  if (consumer === 'awaits run()') {
    const { text } = await run({ prompt, options });
    if (text !== 'The briefing.') throw new Error(`run() gave "${text}"`);
    return;
  }
  const session = query({ prompt, options });
  let result: SDKMessage | undefined;
  for await (const message of session) {
    if (message.type !== 'result') continue;
    result = message;
    if (consumer === 'leaves at the result') break;
    if (consumer === 'closes at the result') await session.close();
  }
  if (result?.type !== 'result' || result.subtype !== 'success') throw new Error('There was no result');
}

/** What is wrong with how a late request ended, in words; undefined when nothing is. */
export function judge(interleaving: Interleaving, late: LateRequest): string | undefined {
  const { request, arrives, fate, consumer } = interleaving;
  if (late.answers > 1) return `it was answered ${late.answers} times`;
  if (late.wasHandled && late.end === undefined && request !== 'a tool call that heeds no signal')
    return 'its handler was left running, and not told to stop';
  const unexpected = late.warnings.filter((code) => !(code === 'HOOK_FAILED' && fate === 'fails'));
  if (unexpected.length > 0) return `there was a warning: ${unexpected.join(', ')}`;
  if (late.answers === 1 && late.end === 'was told to stop') return 'it was answered and cancelled';
  const isInTurn = arrives !== 'after it' && arrives !== 'after the input';
  const mustBeAnswered = isInTurn && (fate === 'is answered' || fate === 'fails');
  const staysToTheEnd = consumer === 'reads on' || consumer === 'awaits run()';
  if (mustBeAnswered && staysToTheEnd && late.answers === 0) return 'its answer was lost';
  return undefined;
}
