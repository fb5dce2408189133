// A trace file as a source: read by number without reading it whole, followed while it grows.
import { statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTraceFile } from '../../src/sources/trace-file.js';
import type { RecordedSource } from '../../src/sources/recorded-source.js';
import { decodeNumbered } from '../../src/stream/event-codec.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { endLine, frameLine, headerLine, TraceFolder } from '../support/trace-lines.js';
import { RememberingListener } from '../support/remembering-listener.js';

let folder: TraceFolder;
let source: RecordedSource | undefined;

beforeEach(() => {
  folder = new TraceFolder();
});
afterEach(async () => {
  await source?.close();
  source = undefined;
  folder.remove();
});

/** All events of a session, batch by batch. */
async function readAll(from: RecordedSource, session: string, limit: number): Promise<NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const { lines, next } = await from.read(session, after, limit);
    events.push(...lines.map((line) => decodeNumbered(line) as NumberedEvent));
    after = next;
  }
  return events;
}

describe('a trace file', () => {
  it.each([1, 2, 3, 7, 1000])(
    'gives each line under its number plus one, in batches of %i',
    async (limit) => {
      const lines = [
        headerLine(),
        ...Array.from({ length: 9 }, (_, index) => frameLine(index)),
        endLine(9, 9),
      ];
      source = await openTraceFile(folder.write('run.jsonl', lines));
      const events = await readAll(source, 'run.jsonl', limit);
      expect(events.map(({ n }) => n)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
      expect(events[0]).toEqual({
        n: 1,
        s: 'run.jsonl',
        event: { type: 'opened', t: 0, kind: 'trace', startedAt: '2026-11-16T09:00:00.000Z' },
      });
      expect(events.slice(1).map(({ event }) => event)).toEqual(
        lines.map((line) => JSON.parse(line) as unknown),
      );
      expect(await source.readWhole('run.jsonl', 4)).toBe(lines[2]);
      expect(await source.readWhole('run.jsonl', 13)).toBeUndefined();
      expect(await source.read('other', 0, 10)).toEqual({ lines: [], next: undefined });
    },
  );

  it('does not let a line say which event of which session it is', async () => {
    const forged = { ...(JSON.parse(frameLine(0)) as object), n: 1, s: 'other', isCut: true, bytes: 7 };
    source = await openTraceFile(folder.write('run.jsonl', [headerLine(), JSON.stringify(forged)]));
    const events = await readAll(source, 'run.jsonl', 10);
    expect(events[2]).toEqual({ n: 3, s: 'run.jsonl', event: JSON.parse(frameLine(0)) as unknown });
  });

  it('answers from anywhere in 30,000 events without reading the file for it', async () => {
    const frames = Array.from({ length: 30_000 }, (_, index) => frameLine(index));
    const file = folder.write('long.jsonl', [headerLine(), ...frames]);
    source = await openTraceFile(file);
    const opened = source.bytesRead;
    // The header was read, a piece of the file at a time; what is read in the background has hardly begun.
    expect(opened).toBeLessThan(256 * 1024);
    const first = await source.read('long.jsonl', 0, 200);
    expect(first).toMatchObject({ next: 200 });
    expect(first.lines).toHaveLength(200);
    await source.settled();
    const { size } = statSync(file);
    expect(source.bytesRead).toBeGreaterThan(size);
    // Any part can be found again by the marks that were left, whichever comes next.
    const before = source.bytesRead;
    for (const after of [29_000, 15_000, 3, 17_777]) {
      const { lines } = await source.read('long.jsonl', after, 100);
      expect(decodeNumbered(lines[0] as string)?.n).toBe(after + 1);
    }
    expect(source.bytesRead - before).toBeLessThan(4 * 256 * 1024);
    expect(source.sessions()[0]).toMatchObject({ events: 30_002 });
  });

  it('says what it left out, and where', async () => {
    const lines = [headerLine(), frameLine(5), 'not JSON', '', '{"type":"other"}', frameLine(6)];
    source = await openTraceFile(folder.write('run.jsonl', lines));
    const events = await readAll(source, 'run.jsonl', 100);
    expect(events.map(({ n, event }) => [n, event.type])).toEqual([
      [1, 'opened'],
      [2, 'header'],
      [3, 'frame'],
      [4, 'warning'],
      [6, 'warning'],
      [7, 'frame'],
    ]);
    expect(events[3]?.event).toMatchObject({ t: 5, code: 'TRACE_LINE_LEFT_OUT', message: /^Line 3 is not/ });
  });

  it('cuts long texts, and gives them whole when asked', async () => {
    const text = 'x'.repeat(20_000);
    source = await openTraceFile(folder.write('run.jsonl', [headerLine(), frameLine(1, text)]));
    const [, , event] = await readAll(source, 'run.jsonl', 100);
    expect(event).toMatchObject({ n: 3, isCut: true });
    expect(JSON.stringify(event).length).toBeLessThan(9_000);
    expect(await source.readWhole('run.jsonl', 3)).toBe(frameLine(1, text));
  });

  it('takes a last line without a line feed when it is whole, and waits for it when it is not', async () => {
    const last = frameLine(2);
    source = await openTraceFile(folder.write('run.jsonl', [headerLine(), frameLine(1)], last.slice(0, 40)));
    expect((await readAll(source, 'run.jsonl', 100)).map(({ n }) => n)).toEqual([1, 2, 3]);
    await source.settled();
    expect(source.sessions()[0]).toMatchObject({ state: 'cut', stateText: 'cut off within a line' });
    folder.append('run.jsonl', last.slice(40));
    expect((await readAll(source, 'run.jsonl', 100)).map(({ n }) => n)).toEqual([1, 2, 3, 4]);
    folder.append('run.jsonl', `\n${frameLine(3)}\n`);
    expect((await readAll(source, 'run.jsonl', 100)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
  });

  it('refuses what is no trace, and says why', async () => {
    await expect(openTraceFile(folder.write('a.jsonl', ['{"type":"user"}']))).rejects.toMatchObject({
      code: 'TRACE_UNREADABLE',
      message: expect.stringContaining('is not a trace') as string,
    });
    await expect(openTraceFile(folder.write('b.jsonl', []))).rejects.toThrow(/is empty/);
    await expect(openTraceFile(`${folder.path}/none.jsonl`)).rejects.toThrow(/cannot be read: ENOENT/);
    await expect(openTraceFile(folder.path)).rejects.toThrow(/cannot be read: it is not a file/);
  });
});

describe('a trace file that is still written', () => {
  it('tells new lines once each, whole ones only, and in order', async () => {
    folder.write('run.jsonl', [headerLine({ isRunning: true }), frameLine(1)]);
    source = await openTraceFile('run.jsonl', { cwd: folder.path });
    const listener = new RememberingListener();
    source.watch(listener);
    await source.settled();
    expect(listener.numbers).toEqual([]);
    expect(source.sessions()[0]).not.toMatchObject({ state: 'cut' });

    const next = frameLine(2);
    folder.append('run.jsonl', next.slice(0, 30));
    await source.refresh();
    await source.settled();
    expect(listener.numbers).toEqual([]);
    folder.append('run.jsonl', `${next.slice(30)}\n${frameLine(3)}\n${frameLine(4)}`);
    await source.refresh();
    await source.settled();
    expect(listener.numbers).toEqual([4, 5, 6]);
    folder.append('run.jsonl', `\n${endLine(5, 4)}\n`);
    await source.refresh();
    await source.settled();
    await source.refresh();
    await source.settled();
    expect(listener.numbers).toEqual([4, 5, 6, 7]);
    expect(listener.summaries.at(-1)).toMatchObject({ id: 'run.jsonl', file: 'run.jsonl', events: 7 });
  });

  it('looks by itself while somebody listens', async () => {
    const file = folder.write('run.jsonl', [headerLine({ isRunning: true })]);
    source = await openTraceFile(file, { pollMs: 5 });
    await source.settled();
    const listener = new RememberingListener();
    source.watch(listener);
    folder.append('run.jsonl', `${frameLine(1)}\n`);
    await listener.waitFor(() => listener.numbers.length > 0);
    expect(listener.numbers).toEqual([3]);
  });

  it('is another session when another recording has taken its place, however long that is', async () => {
    const file = folder.write('run.jsonl', [headerLine(), frameLine(1)]);
    source = await openTraceFile(file);
    const listener = new RememberingListener();
    source.watch(listener);
    await source.settled();
    const other = [
      headerLine({ startedAt: '2026-11-16T10:00:00.000Z' }),
      ...Array.from({ length: 9 }, () => frameLine(1)),
    ];
    writeFileSync(file, `${other.join('\n')}\n`);
    await source.refresh();
    await source.settled();
    expect(source.sessions().map(({ id }) => id)).toEqual(['run.jsonl (2)']);
    expect(listener.changes).toBe(1);
    expect((await readAll(source, 'run.jsonl (2)', 100)).length).toBe(11);
    expect(await source.read('run.jsonl', 0, 100)).toEqual({ lines: [], next: undefined });
  });
});

describe('tools of a recording', () => {
  it('are called as they are now, where there are any', async () => {
    const file = folder.write('run.jsonl', [headerLine()]);
    const call = {
      action: 'call-tool',
      session: 'run.jsonl',
      server: 'shop',
      tool: 'count',
      input: { a: 1 },
    } as const;
    source = await openTraceFile(file);
    expect(source.noToolsBecause).toMatch(/--tools/);
    expect(await source.act(call)).toMatchObject({ ok: false, error: { code: 'NO_TOOLS' } });
    expect(await source.act({ action: 'interrupt', session: 'run.jsonl' })).toMatchObject({
      ok: false,
      error: { code: 'RECORDING' },
    });
    await source.close();

    const calls: unknown[] = [];
    source = await openTraceFile(file, {
      tools: {
        call: async (given) => {
          calls.push(given);
          if (given.tool === 'none') throw new Error('There is no tool "none".');
          if (given.tool === 'login') return { content: [], structuredContent: { password: 'swordfish' } };
          return { content: [] };
        },
      },
    });
    expect(source.noToolsBecause).toBeUndefined();
    expect(await source.act(call)).toEqual({
      ok: true,
      result: { content: [], durationMs: expect.any(Number) as number },
    });
    expect(calls).toEqual([{ server: 'shop', tool: 'count', input: { a: 1 } }]);
    expect(await source.act({ ...call, tool: 'login' })).toMatchObject({
      result: { structuredContent: { password: '[redacted]' } },
    });
    expect(await source.act({ ...call, tool: 'none' })).toEqual({
      ok: false,
      error: { code: 'TOOL_NOT_CALLED', message: 'There is no tool "none".' },
    });
  });
});
