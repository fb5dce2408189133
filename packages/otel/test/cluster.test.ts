// One trace from the message that is sent to the tool that runs for it, over two processes that share nothing but the
// journal; and the numbers of workers and of the journal.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import type { ConversationRecord, JournalStats, TurnRecord } from '@inboard/cluster/journal/records.js';
import type { WorkerEvent } from '@inboard/cluster/work/host/worker-event.js';
import { clusterTelemetry } from '@inboard/inboard/otel.js';
import { createFakeCli, text, toolUse } from '@inboard/inboard/testing.js';
import { parseTraceParent } from '../src/cluster/trace-parent.js';
import { openSession } from '@inboard/core/verbs/conversation/open-session.js';
import { createSpanLog, useSpans, type SpanLog } from './support.js';

useSpans();

const CONVERSATION: ConversationRecord = {
  key: 'ann/1',
  sessionId: '5a3e6a51-9a1b-4c5c-9e83-5a2f0a3b1a11',
  agent: 'support',
  data: null,
  tenant: 'acme',
  state: 'running',
  turns: 1,
  queued: 0,
  questions: 0,
  totalCostUsd: 0,
  lastEventId: 0,
  createdAt: 0,
  updatedAt: 0,
};

const turnOf = (id: string, traceText: string | undefined): TurnRecord => ({
  key: CONVERSATION.key,
  id,
  place: 1,
  uuid: '0b9d8d04-7d3f-4c6a-bb1c-0d8d7c0c6f10',
  content: 'Pay order 7 back.',
  state: 'running',
  attempt: 1,
  epoch: 12,
  tries: 1,
  turnCostUsd: 0,
  trace: traceText,
  sentAt: 0,
});

const telemetryOf = (log: SpanLog) => clusterTelemetry({ tracer: log.tracer, meter: log.meter });
const eventOf = (event: object): WorkerEvent =>
  ({ at: 0, worker: 'w1', key: CONVERSATION.key, ...event }) as WorkerEvent;
const ended = (turn: string, outcome: object = {}): WorkerEvent =>
  eventOf({
    type: 'turn-ended',
    turn,
    outcome: { ok: true, kind: 'success', text: 'Paid.', turnCostUsd: 0.25, ...outcome },
  });

describe('a message', () => {
  it('carries the span of its sender, and nothing where there is none', async () => {
    const log = createSpanLog();
    const request = log.tracer.startSpan('POST /chats');
    const sent = await context.with(trace.setSpan(context.active(), request), () =>
      telemetryOf(log).send({ key: 'ann/1', id: 't1' }, async (traced) => traced),
    );
    request.end();
    const span = log.find('send conversations');
    expect(sent).toBe(`00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`);
    expect(log.tree()).toEqual(['POST /chats < -', 'send conversations < POST /chats']);
    expect(span).toMatchObject({
      kind: SpanKind.PRODUCER,
      attributes: {
        'messaging.system': 'inboard',
        'messaging.operation.type': 'send',
        'messaging.destination.name': 'conversations',
        'messaging.message.id': 't1',
        'messaging.message.conversation_id': 'ann/1',
      },
    });
    const none = { getTracer: undefined, startSpan: () => trace.wrapSpanContext({} as never) };
    const silent = clusterTelemetry({ tracer: none as never, meter: log.meter });
    expect(await silent.send({ key: 'ann/1', id: 't1' }, async (traced) => traced)).toBeUndefined();
  });

  it('is sent once, also with a tracer and a meter that fail', async () => {
    const broken = (): never => {
      throw new Error('no exporter');
    };
    const meter = createSpanLog().meter;
    meter.createCounter = () => ({ add: broken });
    const telemetry = clusterTelemetry({ tracer: { startSpan: broken } as never, meter });
    let runs = 0;
    const run = async () => (runs += 1);
    expect(await telemetry.send({ key: 'k', id: 't' }, run)).toBe(1);
    expect(await telemetry.turn(turnOf('t', undefined), CONVERSATION, run)).toBe(2);
    telemetry.event(ended('t'));
  });

  it('that could not be kept fails its span, and counts as none', async () => {
    const log = createSpanLog();
    const error = Object.assign(new Error('away'), { code: 'JOURNAL_UNAVAILABLE' });
    await expect(telemetryOf(log).send({ key: 'k', id: 't' }, () => Promise.reject(error))).rejects.toBe(
      error,
    );
    expect(log.find('send conversations').status.code).toBe(SpanStatusCode.ERROR);
    expect(log.measured.map(({ name }) => name)).toEqual(['messaging.client.operation.duration']);
    expect(log.measured[0]?.attributes['error.type']).toBe('JOURNAL_UNAVAILABLE');
  });
});

describe('a turn in another process', () => {
  it('goes on with the trace of its message, down to the tool, and so does the next one in the same CLI', async () => {
    const web = createSpanLog();
    const worker = createSpanLog();
    const telemetry = telemetryOf(worker);
    const carried: (string | undefined)[] = [];
    for (const id of ['t1', 't2'])
      await telemetryOf(web).send({ key: 'ann/1', id }, async (traced) => void carried.push(traced));
    const refund = tool('refund', 'Pays back', {}, () => 'paid');
    const shop = createSdkMcpServer({ name: 'shop', tools: [refund] });
    await using fake = createFakeCli(
      [toolUse('mcp__shop__refund', {}), text('Paid.'), toolUse('mcp__shop__refund', {}), text('Again.')],
      { allowEarlyEnd: true },
    );
    const open = () =>
      openSession({
        options: telemetry.options({
          transport: fake.transport,
          mcpServers: { shop },
          allowedTools: [refund],
        }),
      });
    let session: ReturnType<typeof open> | undefined;
    for (const [index, id] of ['t1', 't2'].entries())
      await telemetry.turn(turnOf(id, carried[index]), CONVERSATION, async () => {
        telemetry.event(eventOf({ type: 'turn-started', turn: id, attempt: 1, how: 'new', queuedMs: 40 }));
        session ??= open();
        await session.send('Pay order 7 back.').text();
        telemetry.event(ended(id));
      });
    await session?.close();
    const senders = web.spans.map((span) => span.spanContext());
    const inTrace = (traceId: string | undefined) =>
      worker.spans
        .filter((span) => span.spanContext().traceId === traceId)
        .map(({ name }) => name)
        .toSorted();
    expect(inTrace(senders[0]?.traceId)).toEqual([
      'chat fake-model',
      'chat fake-model',
      'execute_tool mcp__shop__refund',
      'inboard.start',
      'inboard.turn',
      'invoke_agent claude',
      'process conversations',
    ]);
    expect(inTrace(senders[1]?.traceId)).toEqual([
      'chat fake-model',
      'chat fake-model',
      'execute_tool mcp__shop__refund',
      'inboard.turn',
      'process conversations',
    ]);
    const works = worker.spans.filter(({ name }) => name === 'process conversations');
    expect(works.map((span) => span.parentSpanContext?.spanId)).toEqual(senders.map(({ spanId }) => spanId));
    expect(works[0]).toMatchObject({
      kind: SpanKind.CONSUMER,
      attributes: {
        'messaging.message.id': 't1',
        'gen_ai.conversation.id': CONVERSATION.sessionId,
        'inboard.tenant': 'acme',
        'inboard.turn.attempt': 1,
        'inboard.turn.how': 'new',
        'inboard.turn.kind': 'success',
        'inboard.worker': 'w1',
      },
    });
    const [first, second] = worker.spans.filter(({ name }) => name === 'inboard.turn');
    const { spanId } = worker.find('invoke_agent claude').spanContext();
    expect([first?.links.length, second?.links[0]?.context.spanId]).toEqual([0, spanId]);
  });

  it('says why it failed, without secrets, and how it was left', async () => {
    const log = createSpanLog();
    const telemetry = telemetryOf(log);
    await telemetry.turn(turnOf('t1', 'nonsense'), CONVERSATION, async () => {
      telemetry.event(
        ended('t1', { ok: false, kind: 'error', text: '', error: { code: 'CLI_GONE', message: 'gone' } }),
      );
      // Of another turn, and of another conversation: not this span's.
      telemetry.event(ended('t9', { kind: 'other' }));
      telemetry.event({ ...ended('t1', { kind: 'other' }), key: 'bob/1' } as WorkerEvent);
    });
    await telemetry.turn(turnOf('t2', undefined), CONVERSATION, async () =>
      telemetry.event(eventOf({ type: 'turn-parked', turn: 't2', questions: 1 })),
    );
    await telemetry.turn(turnOf('t3', undefined), CONVERSATION, async () =>
      telemetry.event(eventOf({ type: 'lost', epoch: 12, why: 'taken' })),
    );
    const [failed, parked, lost] = log.spans;
    expect(failed?.parentSpanContext).toBeUndefined();
    expect(failed).toMatchObject({
      status: { code: SpanStatusCode.ERROR, message: 'gone' },
      attributes: { 'error.type': 'CLI_GONE', 'inboard.turn.kind': 'error' },
    });
    expect(parked?.attributes['inboard.turn.left']).toBe('parked');
    expect(lost?.attributes['inboard.turn.left']).toBe('lost');
  });
});

describe('parseTraceParent', () => {
  const good = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  it('reads what a header holds', () => {
    expect(parseTraceParent(good)).toEqual({
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      traceFlags: 1,
      isRemote: true,
    });
    expect(parseTraceParent(good.replace(/01$/, '00'))?.traceFlags).toBe(0);
    expect(parseTraceParent(`cc${good.slice(2)}-more`)?.spanId).toBe('b'.repeat(16));
  });
  it.each([
    undefined,
    '',
    'ff' + good.slice(2),
    good.toUpperCase(),
    good.replaceAll('a', '0'),
    good.replaceAll('b', '0'),
    `${good}\n`,
    'x'.repeat(100_000),
  ])('finds none in %j', (given) => {
    expect(parseTraceParent(given)).toBeUndefined();
  });
});

describe('the numbers', () => {
  it('of a worker come from its events', () => {
    const log = createSpanLog();
    const telemetry = telemetryOf(log);
    const events: object[] = [
      { type: 'started' },
      { type: 'leased', epoch: 1 },
      { type: 'leased', epoch: 2, takenOverAfterMs: 400 },
      { type: 'lost', epoch: 2, why: 'unreachable' },
      { type: 'turn-started', turn: 't', attempt: 2, how: 'continued', queuedMs: 1500 },
      { type: 'call-repeated', turn: 't', toolName: 'refund', callKey: 'c', answer: 'recorded' },
      { type: 'call-completed', turn: 't', toolName: 'refund', callKey: 'c', how: 'ran', delivered: true },
      { type: 'turn-parked', turn: 't', questions: 2 },
      { type: 'turn-handed-over', turn: 't' },
      { type: 'turn-waiting', turn: 't', reason: 'The budget is reserved' },
      { type: 'paused', ms: 1000, reason: '429', tenant: 'acme' },
      { type: 'trouble', where: 'journal', error: new Error('away') },
    ];
    for (const event of events) telemetry.event(eventOf(event));
    telemetry.event(ended('t'));
    telemetry.event(ended('t', { turnCostUsd: 0, kind: 'interrupted' }));
    expect(
      log.measured.map(({ name, value, attributes }) => [name, value, ...Object.values(attributes)]),
    ).toEqual([
      ['inboard.cluster.leases', 1, 'free'],
      ['inboard.cluster.leases', 1, 'taken-over'],
      ['inboard.cluster.takeover.delay', 0.4],
      ['inboard.cluster.leases.lost', 1, 'unreachable'],
      ['inboard.cluster.queue.wait', 1.5, 'continued'],
      ['inboard.cluster.calls.repeated', 1, 'recorded', 'refund'],
      ['inboard.cluster.calls.completed', 1, 'ran', 'refund'],
      ['inboard.cluster.turns.left', 1, 'parked'],
      ['inboard.cluster.turns.left', 1, 'handed-over'],
      ['inboard.cluster.turns.left', 1, 'waiting'],
      ['inboard.cluster.pauses', 1, 'tenant'],
      ['inboard.cluster.troubles', 1, 'journal'],
      ['inboard.cluster.turns', 1, 'success'],
      ['inboard.cluster.cost', 0.25],
      ['inboard.cluster.turns', 1, 'interrupted'],
    ]);
  });

  it('of all are asked of the journal when somebody collects them, until it is closed; a database that is away is no number', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const log = createSpanLog();
    const numbers: JournalStats = {
      conversations: { idle: 5, queued: 1, running: 2, parked: 3, closed: 4 },
      turns: { queued: 1, running: 2, parked: 3, ended: 90 },
      oldestQueuedMs: 2500,
      leases: 2,
      takeovers: 7,
      questions: 3,
      totalCostUsd: 12.5,
    };
    let isAway = false;
    const telemetry = clusterTelemetry({
      tracer: log.tracer,
      meter: log.meter,
      stats: async () => {
        if (isAway) throw new Error('away');
        return numbers;
      },
    });
    await log.collect();
    const read = log.measured.map(({ name, value, attributes }) => [
      name,
      value,
      ...Object.values(attributes),
    ]);
    expect(read).toContainEqual(['inboard.cluster.conversations', 3, 'parked']);
    expect(read).toContainEqual(['inboard.cluster.turns.current', 90, 'ended']);
    expect(read).toContainEqual(['inboard.cluster.queue.oldest', 2.5]);
    expect(read).toContainEqual(['inboard.cluster.takeovers', 7]);
    expect(read).toContainEqual(['inboard.cluster.spent', 12.5]);
    log.measured.length = 0;
    isAway = true;
    vi.advanceTimersByTime(5000);
    await log.collect();
    expect(log.measured).toMatchObject([{ name: 'inboard.cluster.stats.ok', value: 0 }]);
    log.measured.length = 0;
    isAway = false;
    telemetry.close();
    await log.collect();
    expect(log.measured).toEqual([]);
  });
});
