// Spans of everything that starts CLIs with the same options: each session has its own, in the trace of its caller.
import { context, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { crash, createFakeCli, text, toolUse, type FakeCli } from '@inboard/inboard/testing.js';
import { tracedQuery, withTelemetry } from '@inboard/inboard/otel.js';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import { openSession } from '@inboard/core/verbs/conversation/open-session.js';
import { createSessionGroup } from '@inboard/core/verbs/fleet/session-group.js';
import { startup } from '@inboard/core/verbs/fleet/startup.js';
import { createWarmPool } from '@inboard/core/verbs/fleet/warm-pool.js';
import { run } from '@inboard/core/verbs/query/run.js';
import { useSpans } from './support.js';

const log = useSpans();

const fakeOf = (...scripts: Parameters<typeof createFakeCli>[0][]): FakeCli =>
  createFakeCli((session) => (scripts[session.index] ?? []) as never, { allowEarlyEnd: true });

/** Runs something as the handler of a request would, inside a span of its own. */
async function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const span: Span = log.tracer.startSpan(name);
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } finally {
    span.end();
  }
}

const drain = async (messages: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of messages);
};
const named = (name: string): ReadableSpan[] => log.spans.filter((span) => span.name === name);
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
const parentOf = (span: ReadableSpan): string | undefined =>
  log.spans.find((other) => idOf(other) === span.parentSpanContext?.spanId)?.name;
const traceOf = (name: string): string[] => {
  const { traceId } = log.find(name).spanContext();
  return log.spans.filter((span) => span.spanContext().traceId === traceId).map((span) => span.name);
};

describe('a pool with telemetry', () => {
  it('puts each query into the trace of its caller, beside the start of its CLI', async () => {
    const seen: (string | undefined)[] = [];
    const look = tool('look', 'Looks', {}, () => {
      seen.push(trace.getSpan(context.active())?.spanContext().spanId);
      return 'seen';
    });
    const house = createSdkMcpServer({ name: 'house', tools: [look] });
    const script = [toolUse('mcp__house__look', {}), text('Done.')];
    await using fake = createFakeCli(script, { allowEarlyEnd: true });
    const pool = await inSpan('boot', async () => {
      const options = withTelemetry({
        transport: fake.transport,
        mcpServers: { house },
        allowedTools: [look],
      });
      const made = createWarmPool({ options, size: 2 });
      await made.ready();
      return made;
    });
    await Promise.all(
      ['one', 'two', 'three'].map((name) => inSpan(name, () => drain(pool.query({ prompt: name })))),
    );
    expect(pool.stats()).toMatchObject({ warm: 2, cold: 1 });
    await pool.close();
    for (const name of ['one', 'two'])
      expect(traceOf(name).toSorted()).toEqual(
        ['chat', 'chat', 'execute_tool mcp__house__look', 'inboard.turn', 'invoke_agent claude', name].map(
          (each) => (each === 'chat' ? expect.stringMatching(/^chat /) : each),
        ),
      );
    // The third found none ready: it started its own.
    expect(traceOf('three')).toContain('inboard.start');
    const agents = named('invoke_agent claude');
    expect(agents).toHaveLength(3);
    expect(new Set(agents.map(parentOf))).toEqual(new Set(['one', 'two', 'three']));
    const links = agents.flatMap((span) => span.links.map((link) => link.context.spanId));
    const starts = named('inboard.start').filter((span) => parentOf(span) === 'boot');
    expect(new Set(links).size).toBe(2);
    expect(starts.map(idOf)).toEqual(expect.arrayContaining(links));
    // Each handler ran inside the span of its own call.
    expect(seen).toHaveLength(3);
    expect(new Set(seen)).toEqual(new Set(named('execute_tool mcp__house__look').map(idOf)));
    const [one, two] = fake.sessions.map(({ env }) => env['TRACEPARENT']?.split('-')[2]);
    expect(new Set([one, two])).toEqual(new Set(links));
  });

  it('makes no span of a query for a CLI that nobody used', async () => {
    await using fake = fakeOf();
    const pool = createWarmPool({ options: withTelemetry({ transport: fake.transport }) });
    await pool.ready();
    await pool.close();
    expect(log.tree()).toEqual(['inboard.start < -']);
    expect(log.find('inboard.start').status.code).toBe(SpanStatusCode.UNSET);
  });

  it('says in the span of a start why it failed', async () => {
    const transport = (): never => {
      throw new Error('No room');
    };
    const options = withTelemetry({ transport, onWarning: () => {} });
    await using pool = createWarmPool({ options });
    await expect(pool.ready()).rejects.toThrow('No room');
    expect(log.find('inboard.start').status).toMatchObject({ message: 'No room' });
  });

  it('refuses telemetry that comes when the CLI is started already', async () => {
    await using fake = fakeOf();
    const options = { transport: fake.transport, streamText: true };
    await using pool = createWarmPool({ options });
    await pool.ready();
    expect(() => pool.query({ prompt: 'Go.', options: withTelemetry(options) })).toThrow(
      /without "withTelemetry\(\)"/,
    );
  });
});

describe('options with telemetry', () => {
  it('serve any number of runs, and two wrappers at once', async () => {
    await using fake = createFakeCli([text('Hello.')]);
    const inner = withTelemetry({ transport: fake.transport }, { agentName: 'inner' });
    const options = withTelemetry(inner, { agentName: 'outer' });
    for (const name of ['one', 'two']) await inSpan(name, () => run({ prompt: 'Go.', options }));
    expect(['inner', 'outer'].flatMap((name) => named(`invoke_agent ${name}`).map(parentOf))).toEqual([
      'one',
      'two',
      'one',
      'two',
    ]);
  });

  it('have the query of a started CLI begin with its prompt', async () => {
    await using fake = createFakeCli([text('Hello.')]);
    const options = withTelemetry({ transport: fake.transport });
    const warm = await inSpan('boot', () => startup({ options }));
    await inSpan('request', () => drain(warm.query('Go.')));
    expect(parentOf(log.find('inboard.start'))).toBe('boot');
    expect(parentOf(log.find('invoke_agent claude'))).toBe('request');
  });

  it('that are wrong leave no span open', () => {
    const options = { maxTurns: 'many' as never };
    expect(() => tracedQuery({ prompt: 'Go.', options })).toThrow(/maxTurns/);
    expect(() => openSession({ options: withTelemetry(options) })).toThrow(/maxTurns/);
    expect(log.spans.map(({ name, status }) => [name, status.code])).toEqual(
      Array.from({ length: 2 }, () => ['invoke_agent claude', SpanStatusCode.ERROR]),
    );
  });
});

describe('a long session with telemetry', () => {
  it('has one span for all its CLIs, with the turns under it', async () => {
    await using fake = fakeOf([text('One.')], [text('Two.')]);
    await inSpan('request', async () => {
      await using session = openSession({ options: withTelemetry({ transport: fake.transport }) });
      expect(await session.send('1').text()).toBe('One.');
      expect(await session.suspend()).toBe(true);
      expect(await session.send('2').text()).toBe('Two.');
    });
    expect(
      log
        .tree()
        .filter((line) => !line.startsWith('chat'))
        .toSorted(),
    ).toEqual([
      'inboard.start < invoke_agent claude',
      'inboard.start < invoke_agent claude',
      'inboard.turn < invoke_agent claude',
      'inboard.turn < invoke_agent claude',
      'invoke_agent claude < request',
      'request < -',
    ]);
    expect(log.spans.every(({ status }) => status.code === SpanStatusCode.UNSET)).toBe(true);
  });

  it('ends the turn that its CLI left behind, and begins another for the next message', async () => {
    await using fake = fakeOf(
      [toolUse('Bash', { command: 'x' }, { result: 'ok', permission: 'skip' }), crash({ signal: 'SIGKILL' })],
      [text('Two.')],
    );
    const session = openSession({
      options: withTelemetry({ transport: fake.transport }),
      restart: { backoffMs: 0 },
    });
    await expect(session.send('1').text()).rejects.toThrow();
    const message = expect.stringContaining('SIGKILL');
    // Before the session goes on, and before it ends.
    expect(log.find('inboard.turn')).toMatchObject({
      status: { code: SpanStatusCode.ERROR, message },
      attributes: { 'inboard.turn.index': 1, 'error.type': 'PROCESS_KILLED' },
    });
    expect(await session.send('2').text()).toBe('Two.');
    await session.close();
    expect(named('inboard.turn').map(({ attributes, status }) => [attributes, status.code])).toEqual([
      [expect.objectContaining({ 'inboard.turn.index': 1 }), SpanStatusCode.ERROR],
      [expect.objectContaining({ 'inboard.turn.index': 2 }), SpanStatusCode.UNSET],
    ]);
    expect(log.find('invoke_agent claude').status.code).toBe(SpanStatusCode.UNSET);
    expect(
      log.measured
        .filter(({ name }) => name === 'gen_ai.invoke_agent.duration')
        .map(({ attributes }) => attributes['error.type']),
    ).toEqual(['PROCESS_KILLED', undefined]);
  });

  it('does not take a repeated handshake for a start', async () => {
    await using fake = fakeOf([text('One.')]);
    const session = openSession({ options: withTelemetry({ transport: fake.transport }) });
    await session.reinitialize();
    expect(await session.send('1').text()).toBe('One.');
    await session.close();
    expect(fake.requests.filter(({ subtype }) => subtype === 'initialize')).toHaveLength(2);
    expect(named('inboard.start')).toHaveLength(1);
  });
});

describe('a group with telemetry', () => {
  it('has a span for each of its sessions, in the trace of the code that opens it', async () => {
    await using fake = createFakeCli([text('Hello.')], { allowEarlyEnd: true });
    const options = withTelemetry({ transport: fake.transport }, { agentName: 'member' });
    const group = createSessionGroup({ maxRunning: 1, options });
    await Promise.all(
      ['one', 'two'].map((name) =>
        inSpan(name, async () => {
          await using session = group.open({ key: name });
          await session.send(name).text();
        }),
      ),
    );
    await using own = group.open({ options: withTelemetry({}, { agentName: 'own' }) });
    await own.send('three').text();
    await group.closeAll();
    for (const name of ['one', 'two'])
      expect(traceOf(name).filter((each) => !each.startsWith('chat'))).toEqual([
        'inboard.start',
        'inboard.turn',
        'invoke_agent member',
        name,
      ]);
    expect(parentOf(log.find('invoke_agent own'))).toBeUndefined();
    expect(named('invoke_agent member')).toHaveLength(2);
    expect(named('inboard.turn')).toHaveLength(3);
  });
});
