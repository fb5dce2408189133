import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WireError } from '../../../src/errors.js';
import { readTrace, streamTrace, traceOf } from '../../../src/record/trace/read-trace.js';
import { INBOARD_VERSION, type TraceEvent } from '../../../src/record/trace/trace-event.js';
import { renderWith } from '@inboard/inspector/html/render-html.js';
import { renderTimelineMermaid } from '../../../src/record/trace/render/render-mermaid.js';
import { renderTimelineText } from '../../../src/record/trace/render/render-text.js';
import { buildTimeline } from '../../../src/record/trace/timeline/timeline.js';
import { traceTransport, type TraceOption } from '../../../src/record/trace/recorder/trace-option.js';
import { createMemoryTransport, type MemoryPeer } from '../../../src/wire/transport/memory-transport.js';
import type { Transport } from '../../../src/wire/transport/transport.js';
import { buildSource, type BuiltSource } from '../../../../../test/support/build-source.js';
import { TransportLog } from '../../../../../test/support/transport-log.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trace-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Recording {
  transport: Transport;
  peer: MemoryPeer;
  log: TransportLog;
  warnings: Error[];
}

async function record(
  option: TraceOption | undefined,
  hostEnv: Record<string, string> = {},
): Promise<Recording> {
  const { transport, peer } = createMemoryTransport();
  const warnings: Error[] = [];
  const recorded = traceTransport({
    transport,
    option,
    env: { MY_API_KEY: 'the-value-of-my-key' },
    hostEnv,
    claudeCodeVersion: '2.1.325',
    cwd: '/home/somebody',
    onWarning: (error) => warnings.push(error),
  });
  const log = TransportLog.open(recorded);
  await Promise.resolve();
  return { transport: recorded, peer, log, warnings };
}

async function finish({ peer, log }: Recording): Promise<void> {
  peer.end({ exitCode: 0, stderrTail: 'it said password=hunter2' });
  await log.end;
}

describe('a recorded transport', () => {
  it('writes header, frames with time and direction, marks, faults and the end', async () => {
    const file = join(folder, 'deep', 'run.jsonl');
    const recording = await record(file);
    const { transport, peer, log } = recording;
    transport.write('{"type":"user","text":"hi"}');
    peer.send('{"type":"assistant","text":"hello"}');
    peer.send('this is not JSON, and token=abcdef is a secret');
    peer.send('[1]');
    peer.breakInput();
    transport.write('{"lost":true}');
    await Promise.resolve();
    transport.endInput();
    transport.endInput();
    await finish(recording);
    expect(log.lines).toHaveLength(3);

    const trace = await readTrace(file);
    expect(trace.problems).toEqual([]);
    expect(trace.header).toMatchObject({
      format: 'inboard-trace',
      version: 1,
      claudeCodeVersion: '2.1.325',
      pid: null,
      hostPid: process.pid,
      cwd: '/home/somebody',
    });
    expect(trace.steps.map((step) => ({ ...step, t: undefined }))).toEqual([
      { type: 'frame', dir: 'out', frame: { type: 'user', text: 'hi' } },
      { type: 'frame', dir: 'in', frame: { type: 'assistant', text: 'hello' } },
      { type: 'frame', dir: 'in', text: 'this is not JSON, and token=[redacted] is a secret' },
      { type: 'frame', dir: 'in', text: '[1]' },
      { type: 'frame', dir: 'out', frame: { lost: true } },
      { type: 'fault', code: 'INPUT_BROKEN', message: expect.any(String) as string },
      { type: 'input-end' },
    ]);
    const times = trace.steps.map(({ t }) => t);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(trace.end).toMatchObject({
      exitCode: 0,
      signal: null,
      stderrTail: 'it said password=[redacted]',
      frames: 5,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('names the version of the package', () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
    ) as {
      version: string;
    };
    expect(INBOARD_VERSION).toBe(manifest.version);
  });

  it('hides secrets before anything is written, those of the environment included', async () => {
    const file = join(folder, 'run.jsonl');
    const recording = await record({ file, redact: { fields: ['iban'] } });
    recording.transport.write(
      JSON.stringify({
        apiKey: 'aaaa',
        prompt: 'sk-ant-planted-123456',
        iban: 'DE00',
        note: 'see the-value-of-my-key',
      }),
    );
    await finish(recording);
    const text = readFileSync(file, 'utf8');
    for (const secret of ['aaaa', 'planted', 'DE00', 'the-value-of-my-key', 'hunter2'])
      expect(text).not.toContain(secret);
    expect((await readTrace(file)).steps[0]).toMatchObject({
      frame: { apiKey: '[redacted]', prompt: '[redacted]', iban: '[redacted]', note: 'see [redacted]' },
    });
  });

  it('records a frame nested however deep, and those around it', async () => {
    const file = join(folder, 'deep.jsonl');
    const recording = await record({ file });
    const deep = `${'{"a":['.repeat(10_000)}"sk-ant-api03-abcDEF123456"${']}'.repeat(10_000)}`;
    recording.peer.send('{"type":"before"}');
    recording.peer.send(`{"type":"user","content":${deep}}`);
    recording.peer.send(`{"type":"user","content":${deep.replace(/sk-[^"]*/, 'nothing')}}`);
    recording.peer.send('{"type":"after"}');
    await finish(recording);
    expect(recording.warnings).toEqual([]);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('abcDEF123456');
    expect(text).toContain(deep.replace(/sk-[^"]*/, '[redacted]'));
    const trace = await readTrace(file);
    expect(trace.steps.filter(({ type }) => type === 'frame')).toHaveLength(4);
    const timeline = buildTimeline(trace);
    expect(timeline.rows.filter(({ event }) => event === 'user')).toHaveLength(2);
    expect(renderWith({ script: '', style: '' }, timeline)).toContain('after');
    expect(renderTimelineText(timeline)).toContain('after');
    expect(renderTimelineMermaid(timeline)).toContain('after');
  });

  it('says which frame could not be encoded, and records the others', async () => {
    const file = join(folder, 'failed.jsonl');
    const isBroken = Object.assign(/x/, {
      test: (name: string): boolean => {
        if (name === 'broken') throw new Error('No, says password=hunter2');
        return false;
      },
    });
    const recording = await record({ file, redact: { fields: [isBroken] } });
    for (const name of ['before', 'broken', 'after'])
      recording.peer.send(JSON.stringify({ type: 'x', [name]: 1 }));
    await finish(recording);
    const { steps } = await readTrace(file);
    const frames = steps.filter((step) => step.type === 'frame');
    expect(frames.map(({ frame }) => frame && Object.keys(frame)[1])).toEqual(['before', undefined, 'after']);
    expect(frames[1]?.truncated).toEqual({
      bytes: 23,
      head: '',
      reason: 'it could not be encoded: No, says password=[redacted]',
    });
  });

  it('records everything as it was when redaction is off', async () => {
    const file = join(folder, 'run.jsonl');
    const recording = await record({ file, redact: false });
    recording.transport.write('{"password":"hunter2"}');
    await finish(recording);
    expect((await readTrace(file)).steps[0]).toMatchObject({ frame: { password: 'hunter2' } });
  });

  it('cuts frames over the limit, without their secrets', async () => {
    const file = join(folder, 'run.jsonl');
    const recording = await record({ file, maxFrameBytes: 100 });
    const line = JSON.stringify({ env: { A: 'plain' }, long: 'ä'.repeat(100) });
    recording.transport.write(line);
    recording.transport.write('{"short":1}');
    await finish(recording);
    const [cut, short] = (await readTrace(file)).steps;
    expect(cut).toMatchObject({ truncated: { bytes: Buffer.byteLength(line) } });
    expect(JSON.stringify(cut)).not.toContain('plain');
    expect(short).toMatchObject({ frame: { short: 1 } });
  });

  it('stops at the limit of the file, says so, and still tells the end', async () => {
    const file = join(folder, 'run.jsonl');
    const recording = await record({ file, maxBytes: 1000 });
    for (let count = 0; count < 100; count += 1) recording.transport.write(`{"count":${count}}`);
    await finish(recording);
    const trace = await readTrace(file);
    expect(trace.steps.at(-1)).toMatchObject({ type: 'gap', reason: 'max-bytes' });
    expect(trace.steps.length).toBeLessThan(30);
    expect(trace.end).toMatchObject({ frames: 100 });
    expect(statSync(file).size).toBeLessThan(1500);
  });

  it('counts the limit of the file in bytes, whatever the language', async () => {
    const file = join(folder, 'run.jsonl');
    const recording = await record({ file, maxBytes: 4000 });
    for (let count = 0; count < 100; count += 1) recording.transport.write(`{"text":"${'日'.repeat(40)}"}`);
    await finish(recording);
    expect((await readTrace(file)).steps.at(-1)).toMatchObject({ type: 'gap', reason: 'max-bytes' });
    expect(statSync(file).size).toBeGreaterThan(3500);
    expect(statSync(file).size).toBeLessThan(4500);
  });

  it('replaces an older file and its mode', async () => {
    const file = join(folder, 'run.jsonl');
    writeFileSync(file, 'x'.repeat(10_000));
    chmodSync(file, 0o644);
    await finish(await record(file));
    expect((await readTrace(file)).problems).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('gives sessions at the same time files of their own, and folders a file for each', async () => {
    const file = join(folder, 'run.jsonl');
    const both = [await record(file), await record(file)];
    for (const each of both) await finish(each);
    await finish(await record(file));
    expect(readdirSync(folder).sort()).toEqual(['run-2.jsonl', 'run.jsonl']);
    const many = join(folder, 'many');
    mkdirSync(many);
    for (let count = 0; count < 3; count += 1) await finish(await record(many));
    expect(readdirSync(many)).toHaveLength(3);
  });

  it('is asked for by a variable, one file for each session', async () => {
    const file = join(folder, 'env.jsonl');
    await finish(await record(undefined, { INBOARD_TRACE: file }));
    await finish(await record(undefined, { INBOARD_TRACE: file }));
    await finish(await record(undefined, { INBOARD_TRACE: `${join(folder, 'new')}/` }));
    await finish(await record(undefined, { INBOARD_TRACE: '' }));
    expect(readdirSync(folder).sort()).toEqual(['env-2.jsonl', 'env.jsonl', 'new']);
    expect(readdirSync(join(folder, 'new'))).toHaveLength(1);
  });

  it('goes on without its trace when the file cannot be written, and warns once', async () => {
    writeFileSync(join(folder, 'file'), '');
    const recording = await record(join(folder, 'file', 'below.jsonl'));
    recording.transport.write('{"a":1}');
    recording.peer.send('{"b":2}');
    await finish(recording);
    expect(recording.log.lines).toEqual(['{"b":2}']);
    expect(recording.peer.received).toEqual(['{"a":1}']);
    expect(recording.warnings).toMatchObject([{ code: 'TRACE_NOT_WRITTEN' }]);
  });

  it('stops with one warning when the disk is full', async () => {
    const recording = await record({ file: '/dev/full', flushMs: 0 });
    for (let count = 0; count < 10; count += 1) recording.transport.write('{"a":1}');
    await finish(recording);
    expect(recording.warnings).toHaveLength(1);
    expect(recording.warnings[0]).toMatchObject({
      code: 'TRACE_NOT_WRITTEN',
      message: expect.stringContaining('ENOSPC') as string,
    });
    expect(recording.peer.received).toHaveLength(10);
  });

  it.each(['nobody', 'somebody'])('goes on at once when the file is a pipe that %s reads', async (who) => {
    const file = join(folder, 'run.fifo');
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', file]);
    const reader = who === 'somebody' ? openSync(file, 'r+') : undefined;
    const recording = await record({ file, flushMs: 0 });
    recording.transport.write('{"a":1}');
    await finish(recording);
    if (reader !== undefined) closeSync(reader);
    expect(recording.peer.received).toEqual(['{"a":1}']);
    expect(recording.warnings).toMatchObject([
      { code: 'TRACE_NOT_WRITTEN', message: expect.stringContaining('run.fifo is a pipe') as string },
    ]);
  });

  it('never opened leaves no file', async () => {
    const { transport } = createMemoryTransport();
    const recorded = traceTransport({
      transport,
      option: join(folder, 'run.jsonl'),
      env: {},
      hostEnv: {},
      claudeCodeVersion: undefined,
      cwd: undefined,
      onWarning: () => {},
    });
    recorded.write('{}');
    await recorded.terminate();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a sink', () => {
  it('gets each event at once, after redaction', async () => {
    const events: TraceEvent[] = [];
    let isClosed = false;
    const recording = await record({ write: (event) => events.push(event), close: () => (isClosed = true) });
    recording.transport.write('{"token":"abcdef"}');
    expect(events).toMatchObject([
      { type: 'header' },
      { type: 'frame', dir: 'out', frame: { token: '[redacted]' } },
    ]);
    await finish(recording);
    expect(events.at(-1)?.type).toBe('end');
    expect(isClosed).toBe(true);
  });

  it('that throws ends the recording and nothing else', async () => {
    const recording = await record({
      write: () => {
        throw new Error('broken');
      },
    });
    recording.transport.write('{}');
    await finish(recording);
    expect(recording.warnings).toHaveLength(1);
    expect(recording.warnings[0]?.message).toContain('broken');
  });

  it.each<[string, (transport: Transport) => unknown]>([
    ['the input', (transport) => transport.endInput()],
    ['the session', (transport) => transport.terminate({ graceMs: 0, killMs: 0 })],
  ])('may end %s with each event, from inside', async (_, end) => {
    const types: string[] = [];
    let depth = 0;
    let deepest = 0;
    const exits = process.listenerCount('exit');
    const recording = await record({
      write: ({ type }) => {
        types.push(type);
        depth += 1;
        deepest = Math.max(deepest, depth);
        // The header comes before there is anything to end; beyond a few levels it is a circle.
        if (type !== 'header' && depth < 50) void end(recording.transport);
        depth -= 1;
      },
      close: () => types.push('closed'),
    });
    recording.transport.write('{}');
    await finish(recording);
    expect(deepest).toBeLessThan(5);
    expect(types.filter((type) => type === 'input-end' || type === 'terminate')).toHaveLength(1);
    expect(types.filter((type) => type === 'closed' || type === 'end')).toEqual(['end', 'closed']);
    expect(types.at(-1)).toBe('closed');
    expect(process.listenerCount('exit')).toBe(exits);
  });

  it('that failed gets none of the events that waited', async () => {
    const types: string[] = [];
    const { transport } = createMemoryTransport();
    const recorded = traceTransport({
      transport,
      option: {
        write: ({ type }) => {
          types.push(type);
          throw new Error('broken');
        },
        close: () => types.push('closed'),
      },
      env: {},
      hostEnv: {},
      claudeCodeVersion: undefined,
      cwd: undefined,
      onWarning: () => {},
    });
    // Before it is opened: both wait for the header.
    recorded.write('{}');
    recorded.write('{}');
    TransportLog.open(recorded);
    await recorded.terminate({ graceMs: 0, killMs: 0 });
    expect(types).toEqual(['header', 'closed']);
  });
});

describe('reading', () => {
  const HEADER = '{"type":"header","format":"inboard-trace","version":1}';

  it('tolerates a torn end and lines that are no events', async () => {
    const file = join(folder, 'torn.jsonl');
    writeFileSync(file, `${HEADER}\n{"type":"frame","t":1,"dir":"in","frame":{}}\nnonsense\n{"type":"fra`);
    const trace = await readTrace(file);
    expect(trace.steps).toHaveLength(1);
    expect(trace.end).toBeUndefined();
    expect(trace.problems).toEqual([
      'Line 3 is not a trace event, and was left out',
      'Line 4 is incomplete: the host ended while writing it',
    ]);
  });

  it('makes the same of events in memory, and refuses those without a header', async () => {
    const file = join(folder, 'whole.jsonl');
    writeFileSync(file, `${HEADER}\n{"type":"frame","t":1,"dir":"in","frame":{}}\n{"type":"end","t":2}\n`);
    const events: TraceEvent[] = [];
    for await (const event of streamTrace(file)) events.push(event);
    expect(traceOf(events)).toEqual({ ...(await readTrace(file)), problems: [] });
    expect(() => traceOf(events.slice(1))).toThrow(
      expect.objectContaining({
        code: 'TRACE_UNREADABLE',
        message: expect.stringContaining('not include a header'),
      }),
    );
  });

  it('streams, and lets itself be left', async () => {
    const file = join(folder, 'long.jsonl');
    writeFileSync(file, `${HEADER}\n${'{"type":"frame","t":1,"dir":"in","frame":{}}\n'.repeat(50_000)}`);
    let count = 0;
    for await (const event of streamTrace(file)) {
      expect(event.type).toBe(count === 0 ? 'header' : 'frame');
      count += 1;
      if (count === 10) break;
    }
    expect(count).toBe(10);
  });

  it.each([
    ['', 'empty'],
    ['hello\n', 'not a trace'],
    ['{"type":"assistant"}\n', 'not a trace'],
    ['{"type":"header","format":"inboard-trace","version":99}\n', 'Update inboard'],
  ])('refuses %j', async (text, reason) => {
    const file = join(folder, 'bad.jsonl');
    writeFileSync(file, text);
    await expect(readTrace(file)).rejects.toMatchObject({
      code: 'TRACE_UNREADABLE',
      file,
      message: expect.stringContaining(reason) as string,
    });
  });

  it('says which file is missing', async () => {
    await expect(readTrace(join(folder, 'none'))).rejects.toMatchObject({ code: 'TRACE_UNREADABLE' });
  });
});

describe('the end of the host', () => {
  let built: BuiltSource;
  beforeAll(() => {
    built = buildSource('core/src/record/trace/recorder/trace-option.ts');
  }, 60_000);
  afterAll(() => built.remove());

  // A host that records a memory transport, says that it has written its frames, and does what `ending` says.
  async function runHost(file: string, flushMs: number, ending: string): Promise<number | string> {
    const program = `
      import { traceTransport } from ${JSON.stringify(built.file)};
      const transport = { pid: 1, open() {}, write: () => true, drained: async () => {}, endInput() {}, terminate: async () => {} };
      const option = { file: ${JSON.stringify(file)}, flushMs: ${flushMs} };
      const recorded = traceTransport({ transport, option, env: {}, hostEnv: {}, onWarning: console.error });
      recorded.open({});
      for (let count = 0; count < 1000; count += 1) recorded.write(JSON.stringify({ count }));
      ${ending}`;
    const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    host.stdout.once('data', () => host.kill('SIGKILL'));
    const [code, signal] = (await once(host, 'exit')) as [number | null, string | null];
    return code ?? signal ?? 'none';
  }

  it('by itself loses nothing', async () => {
    const file = join(folder, 'run.jsonl');
    expect(await runHost(file, 60_000, 'process.exit(3);')).toBe(3);
    expect((await readTrace(file)).steps).toHaveLength(1000);
    expect(await runHost(file, 60_000, '')).toBe(0);
    expect((await readTrace(file)).steps).toHaveLength(1000);
  });

  it('by SIGKILL leaves a readable file with everything that was due', async () => {
    const file = join(folder, 'run.jsonl');
    // The host says so itself when its frames have come to the file, of which it knows nothing else.
    const ending = `
      const { readFileSync } = await import('node:fs');
      setInterval(() => {
        if (readFileSync(${JSON.stringify(file)}, 'utf8').split('\\n').length > 1001) process.stdout.write('now');
      }, 5);`;
    expect(await runHost(file, 10, ending)).toBe('SIGKILL');
    const trace = await readTrace(file);
    expect(trace.steps).toHaveLength(1000);
    expect(trace.end).toBeUndefined();
    // And one that is killed as soon as there is something leaves whole lines, be they few.
    const early = join(folder, 'early.jsonl');
    const first = `
      const { statSync } = await import('node:fs');
      setInterval(() => {
        if (statSync(${JSON.stringify(early)}, { throwIfNoEntry: false })?.size > 0) process.stdout.write('now');
      }, 1);`;
    expect(await runHost(early, 60_000, first)).toBe('SIGKILL');
    expect((await readTrace(early)).header.format).toBe('inboard-trace');
  });
});

describe('a fault of the wire', () => {
  it('is passed on as it came', async () => {
    const { transport, peer } = createMemoryTransport();
    const events: TraceEvent[] = [];
    const recorded = traceTransport({
      transport,
      option: { write: (event) => events.push(event) },
      env: {},
      hostEnv: {},
      claudeCodeVersion: undefined,
      cwd: undefined,
      onWarning: () => {},
    });
    const log = TransportLog.open(recorded);
    await Promise.resolve();
    peer.end({ signal: 'SIGKILL', error: new WireError('OUTPUT_BROKEN', 'it broke') });
    expect(await log.end).toMatchObject({ signal: 'SIGKILL', error: { code: 'OUTPUT_BROKEN' } });
    expect(events.at(-1)).toMatchObject({ type: 'end', signal: 'SIGKILL', error: { code: 'OUTPUT_BROKEN' } });
  });
});
