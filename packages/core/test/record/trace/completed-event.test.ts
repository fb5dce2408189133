// The event of a trace for a call that was completed without a CLI: recorded without secrets, cut where it is long, skipped by
// those who do not know it, and never waited for by a replay.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { query } from '@inboard/inboard/index.js';
import { createFakeCli, text } from '@inboard/inboard/testing.js';
import { openTape, readTrace, streamTrace, type TraceEvent } from '@inboard/inboard/trace.js';
import { traceTransport, type TraceOption } from '../../../src/record/trace/recorder/trace-option.js';
import { traceOf } from '../../../src/record/trace/read-trace.js';
import { buildTimeline } from '../../../src/record/trace/timeline/timeline.js';
import { createMemoryTransport } from '../../../src/wire/transport/memory-transport.js';

const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
const message = (result: string): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: result }] },
  parent_tool_use_id: null,
  session_id: 's',
  isSynthetic: true,
  completed: {
    callKey: 'k',
    toolUseId: 't1',
    toolName: 'mcp__shop__refund',
    input: {},
    how: 'ran',
    delivered: true,
  },
});

function play(option: TraceOption, result: string): Promise<void> {
  const { transport, peer } = createMemoryTransport();
  const traced = traceTransport({
    transport,
    option,
    env: { TOKEN: SECRET },
    hostEnv: {},
    claudeCodeVersion: '2.1.325',
    cwd: '/work',
    completed: [message(result)],
    onWarning: (error) => {
      throw error;
    },
  });
  return new Promise((resolve) => {
    traced.open({ line: () => {}, fault: () => {}, closed: () => resolve() });
    void traced.write('{"type":"user"}\n');
    peer.end({ exitCode: 0 });
  });
}

async function record(result: string): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  await play({ write: (event: TraceEvent) => void events.push(event) }, result);
  return events;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'completed-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the event of a completed call', () => {
  it('stands behind the header, before anything that passed, without secrets', async () => {
    const events = await record(`paid with ${SECRET}`);
    expect(events.map(({ type }) => type)).toEqual(['header', 'completed', 'frame', 'end']);
    expect(JSON.stringify(events)).not.toContain(SECRET);
    expect(events[1]).toMatchObject({ frame: { completed: { toolUseId: 't1', how: 'ran' } } });
    // It did not pass.
    expect(events.at(-1)).toMatchObject({ frames: 1 });
  });

  it('is told by its length where it is too long, in every table', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'one.jsonl');
      await play({ file, maxFrameBytes: 500 }, 'x'.repeat(1000));
      const trace = await readTrace(file);
      expect(trace.steps[0]).toMatchObject({ type: 'completed', truncated: { head: expect.any(String) } });
      expect(buildTimeline(trace).rows[0]).toMatchObject({
        event: 'completed',
        direction: 'none',
        summary: expect.stringMatching(/^\d+ bytes, too large to be recorded$/),
      });
    });
  });

  it('leaves the version of the format as it is: a reader that does not know it goes on behind it', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'one.jsonl');
      const lines = (await record('paid')).map((event) => JSON.stringify(event));
      // What a later version may add is to this reader what this event is to an earlier one.
      const unknown = '{"type":"of-a-later-version","t":1}';
      writeFileSync(file, `${[...lines.slice(0, 2), unknown, ...lines.slice(2)].join('\n')}\n`);
      const problems: string[] = [];
      const types: string[] = [];
      for await (const event of streamTrace(file, { onProblem: (problem) => problems.push(problem) }))
        types.push(event.type);
      expect(types).toEqual(['header', 'completed', 'frame', 'end']);
      expect(problems).toEqual(['Line 3 is not a trace event, and was left out']);
      expect((await readTrace(file)).header.version).toBe(1);
    });
  });

  it('is not expected from the CLI by a replay', async () => {
    const events: TraceEvent[] = [];
    await using fake = createFakeCli([text('Hello.')], { allowEarlyEnd: true });
    const trace = { write: (event: TraceEvent) => void events.push(event) };
    for await (const _ of query({ prompt: 'Hi.', options: { transport: fake.transport, trace } }));
    const [header, ...others] = events;
    const [, completed] = await record('paid');
    const tape = await openTape(traceOf([header, completed, ...others] as TraceEvent[]));
    const seen: string[] = [];
    for await (const each of query({ prompt: tape.prompt, options: { transport: tape.transport } }))
      seen.push(each.type);
    expect(tape.report()).toMatchObject({ ok: true, finished: true });
    expect(seen.filter((type) => type === 'user')).toEqual([]);
  });
});
