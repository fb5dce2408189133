// A turn that was cut off with calls in every state, and its completion in another process, seen by everybody who can watch it.
import { withTelemetry } from '@inboard/inboard/otel.js';
import { createApprovals, createSdkMcpServer, openSession, tool } from '@inboard/inboard/index.js';
import { createFakeCli, text } from '@inboard/inboard/testing.js';
import type { TraceEvent } from '@inboard/inboard/trace.js';
import type { NumberedEvent } from '@inboard/inspector/stream/inspector-event.js';
import type { Question } from '@inboard/inspector/stream/question.js';
import { getSessionMessages } from '../../../src/record/history/sessions/session-messages.js';
import { InMemorySessionStore } from '../../../src/record/history/store/in-memory-session-store.js';
import { findProjectKey } from '../../../src/record/history/store/stored-entries.js';
import type { SessionEvent } from '../../../src/verbs/conversation/conversation-event.js';
import { nameThisProcess } from '../../../src/wire/process/process-name.js';
import type { CallFact } from '../../../src/wire/protocol/config/call-records.js';
import type { SessionMessage } from '../../../src/wire/protocol/config/past-sessions.js';
import type { PermissionResult } from '../../../src/wire/protocol/control/permission-question.js';
import type { CompletedCall, CompletionKind } from '../../../src/wire/protocol/messages/completed-call.js';
import type { SDKMessage } from '../../../src/wire/protocol/messages/messages.js';
import { LiveScene } from '../../../../inspector/test/support/live-scene.js';
import { createSpanLog, type SpanLog } from '../../../../otel/test/support.js';

const SESSION = '00000000-0000-4000-8000-0000000000c5';
const PROMPT = '00000000-0000-4000-8000-0000000000c6';
const REFUND = 'mcp__shop__refund';
const DENIAL = 'No refunds on Sundays.';
/** Of the same machine, before it was started anew. */
const GONE = JSON.stringify({ ...(JSON.parse(nameThisProcess()) as object), boot: 'before' });

/** A call that was cut off, and how it has to be shown. */
export interface CutOffCall {
  id: string;
  toolName: string;
  input: { order: string };
  facts: CallFact[];
  how: CompletionKind;
  by?: string;
  ranInput?: { order: string };
  /** What the model reads; undefined where it is told nothing. */
  told: string | undefined;
}

type Known = (call: Pick<CutOffCall, 'id' | 'toolName' | 'input'>) => CallFact[];

const asked: Known = ({ id, toolName, input }) => [
  { type: 'asked', callKey: `key ${id}`, toolUseId: id, toolName, input, question: {}, at: 1 },
];
const answered = (id: string, answer: PermissionResult): CallFact[] => [
  { type: 'answered', callKey: `key ${id}`, answer, by: 'anna', at: 2 },
];
const begun: Known = ({ id, toolName, input }) => [
  { type: 'begun', callKey: `key ${id}`, toolUseId: id, toolName, input, attempt: 1, owner: GONE, at: 3 },
];

function cutOff(
  name: string,
  known: Known,
  expected: Pick<CutOffCall, 'how' | 'told'> & Partial<CutOffCall>,
): CutOffCall {
  const call = { id: `toolu_${name}`, toolName: REFUND, input: { order: name }, ...expected };
  return { ...call, facts: known(call) };
}

/** One of each. */
export const CALLS: readonly CutOffCall[] = [
  cutOff(
    'recorded',
    (call) => [
      ...begun(call),
      {
        type: 'ended',
        callKey: `key ${call.id}`,
        result: { content: [{ type: 'text', text: 'paid before' }] },
        at: 4,
      },
    ],
    { how: 'recorded', told: 'paid before' },
  ),
  cutOff('allowed', (call) => [...asked(call), ...answered(call.id, { behavior: 'allow' })], {
    how: 'ran',
    by: 'anna',
    told: 'paid allowed',
  }),
  cutOff(
    'edited',
    (call) => [...asked(call), ...answered(call.id, { behavior: 'allow', updatedInput: { order: 'half' } })],
    { how: 'ran', by: 'anna', ranInput: { order: 'half' }, told: 'paid half' },
  ),
  cutOff('asked', asked, { how: 'ran', by: 'ben', told: 'paid asked' }),
  cutOff('denied', (call) => [...asked(call), ...answered(call.id, { behavior: 'deny', message: DENIAL })], {
    how: 'denied',
    by: 'anna',
    told: DENIAL,
  }),
  cutOff('early', () => [], { how: 'notRun', told: 'This call did not run' }),
  cutOff('begun', begun, { how: 'unknown', told: 'Its outcome is unknown' }),
  cutOff('left', () => [], { how: 'unknown', toolName: 'Bash', told: undefined }),
];

/** Everything that was to be seen. */
export interface CompletedRun {
  turnMessages: SDKMessage[];
  sessionMessages: SDKMessage[];
  events: SessionEvent[];
  outcome: CompletedCall[];
  trace: TraceEvent[];
  spans: SpanLog;
  inspected: NumberedEvent[];
  /** The question that waited while there was no CLI, as a page saw it. */
  question: Question;
  history: SessionMessage[];
  /** The inputs that the handler ran with. */
  ran: unknown[];
}

/** The lines of the model with the calls, as the CLI that was cut off had sent them. */
export const CALLING: readonly SDKMessage[] = CALLS.map(
  ({ id, toolName, input }, index) =>
    ({
      type: 'assistant',
      uuid: `00000000-0000-4000-8000-0000000000a${index}`,
      session_id: SESSION,
      parent_tool_use_id: null,
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'tool_use', id, name: toolName, input }],
        stop_reason: 'tool_use',
        usage: {},
      },
    }) as unknown as SDKMessage,
);

async function createStore(): Promise<InMemorySessionStore> {
  const store = new InMemorySessionStore();
  const key = { projectKey: await findProjectKey(process.cwd()), sessionId: SESSION };
  const common = {
    sessionId: SESSION,
    isSidechain: false,
    userType: 'external',
    cwd: process.cwd(),
    version: '2.1.325',
  };
  const entries: Record<string, unknown>[] = [
    {
      ...common,
      type: 'user',
      uuid: PROMPT,
      parentUuid: null,
      message: { role: 'user', content: 'Refund them.' },
    },
  ];
  for (const { type, uuid, message } of CALLING as unknown as Record<string, unknown>[])
    entries.push({ ...common, type, uuid, message, parentUuid: entries.at(-1)?.['uuid'] });
  const timed = entries.map((entry, index) => ({
    ...entry,
    timestamp: new Date(1e12 + index).toISOString(),
  }));
  await store.append(key, timed as never);
  const records = store.calls(key);
  await records.add({ type: 'covers', message: PROMPT, owner: GONE, at: 0 });
  for (const fact of CALLS.flatMap(({ facts }) => facts)) await records.add(fact);
  return store;
}

/** Runs it. */
export async function completeEverything(): Promise<CompletedRun> {
  const ran: unknown[] = [];
  const refund = tool({
    name: 'refund',
    description: 'Refunds',
    inputSchema: { order: 'string' },
    run: (input) => {
      ran.push(input);
      return `paid ${input.order}`;
    },
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [refund] });
  const sessionStore = await createStore();
  const approvals = createApprovals();
  const spans = createSpanLog();
  const trace: TraceEvent[] = [];
  await using fake = createFakeCli([text('All done.')], { allowEarlyEnd: true });
  await using scene = new LiveScene();
  const options = withTelemetry(
    {
      transport: fake.transport,
      sessionStore,
      resume: SESSION,
      mcpServers: { shop },
      canUseTool: approvals.canUseTool,
      trace: { write: (event: TraceEvent) => void trace.push(event) },
    },
    { tracer: spans.tracer, meter: spans.meter },
  );
  const session = openSession({ options, interrupted: 'continue' });
  scene.follow(session);
  const events: SessionEvent[] = [];
  const reading = (async () => {
    for await (const event of session.events()) events.push(event);
  })();
  const sessionMessages: SDKMessage[] = [];
  const listening = (async () => {
    for await (const message of session.messages()) sessionMessages.push(message);
  })();
  const question = await scene.question();
  for await (const { id } of approvals.watch()) {
    await approvals.answer(id, { behavior: 'allow' }, { by: 'ben' });
    break;
  }
  const turn = await session.continued;
  const turnMessages: SDKMessage[] = [];
  for await (const message of turn ?? []) turnMessages.push(message);
  const { completedCalls = [] } = (await turn?.outcome()) ?? {};
  await session.close();
  await Promise.all([reading, listening]);
  const history = await getSessionMessages(SESSION, { sessionStore });
  const inspected = await scene.events();
  return {
    turnMessages,
    sessionMessages,
    events,
    outcome: [...completedCalls],
    trace,
    spans,
    inspected,
    question,
    history,
    ran,
  };
}
