// Turns what passes on the wire into the lines of a trace. Passing costs a push to a list; redaction,
// encoding and writing happen a moment later, and at once when the session or the host ends.
import { isRecord } from '../../../util/guards.js';
import { TraceError } from '../../../errors.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import type { TransportEnd } from '../../../wire/transport/transport.js';
import { flushAtExit } from './flush-at-exit.js';
import type { Redactor } from './redact.js';
import { TRACE_FORMAT, TRACE_VERSION, INBOARD_VERSION } from '../trace-event.js';
import type { TraceDirection, TraceEvent, TraceFrame, TraceHeader } from '../trace-event.js';

/** Takes the events of one session. What it throws ends the recording, not the session. */
export interface TraceSink {
  write(event: TraceEvent): void;
  /** Called once, after the last event. */
  close?(): void;
}

/** A sink that takes lines as they are, without their being decoded. */
export interface LineSink {
  /** `line` is the JSON of one event, without its line feed. */
  writeLine(line: string): void;
  /** Called after each batch; the moment to hand it to the system. */
  flush(isLast: boolean): void;
  /** Whether it has fallen too far behind to take more. */
  isBehind(): boolean;
  close(): void;
}

export interface RecorderOptions {
  sink: TraceSink | LineSink;
  redactor: Redactor;
  /** Longer frames are recorded by their length and beginning. */
  maxFrameBytes: number;
  /** No frames are recorded beyond it; the end still is. */
  maxBytes: number;
  /** How long a frame may wait before it is written; 0 writes each at once. */
  flushMs: number;
  /** Told at most once; nothing is recorded after that. */
  onFailed: (error: Error) => void;
}

/** What the header says of this session. */
export type HeaderFacts = Pick<TraceHeader, 'claudeCodeVersion' | 'pid' | 'cwd'>;

type Passed = { t: number; dir: TraceDirection; line: string } | { event: TraceEvent };

const HEAD_CHARACTERS = 2048;

/** Records one session: `begin`, then what passes, then `end`. Nothing here throws. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #startedAt = performance.now();
  #passed: Passed[] = [];
  #timer: NodeJS.Timeout | undefined;
  #forgetExit: () => void = () => {};
  #frames = 0;
  #bytes = 0;
  #isInGap = false;
  #hasBegun = false;
  #isOver = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  begin(facts: HeaderFacts): void {
    this.#hasBegun = true;
    this.#forgetExit = flushAtExit(() => this.#flush(true));
    const header: TraceHeader = {
      type: 'header',
      format: TRACE_FORMAT,
      version: TRACE_VERSION,
      startedAt: new Date().toISOString(),
      inboard: INBOARD_VERSION,
      claudeCodeVersion: facts.claudeCodeVersion,
      pid: facts.pid,
      hostPid: process.pid,
      cwd: facts.cwd === null ? null : this.#options.redactor.redactText(facts.cwd),
      runtime: `node ${process.versions.node}`,
      platform: `${process.platform} ${process.arch}`,
    };
    // What was written before the other side was opened comes behind it all the same.
    this.#passed.unshift({ event: header });
    // A host killed in its first moments leaves at least this.
    this.#flush(false);
  }

  line(dir: TraceDirection, line: string): void {
    if (this.#isOver) return;
    this.#frames += 1;
    this.#passed.push({ t: this.#now(), dir, line });
    this.#schedule();
  }

  fault(code: string, message: string): void {
    this.event({ type: 'fault', t: this.#now(), code, message: this.#options.redactor.redactText(message) });
  }

  mark(type: 'input-end' | 'terminate'): void {
    this.event({ type, t: this.#now() });
  }

  event(event: TraceEvent): void {
    if (this.#isOver) return;
    this.#passed.push({ event });
    this.#schedule();
  }

  /** Writes the last line; when this returns, all of the trace is where it belongs. */
  end(end: TransportEnd): void {
    const { redactor } = this.#options;
    this.event({
      type: 'end',
      t: this.#now(),
      exitCode: end.exitCode,
      signal: end.signal,
      stderrTail: redactor.redactText(end.stderrTail),
      ...(end.error
        ? { error: { code: end.error.code, message: redactor.redactText(end.error.message) } }
        : {}),
      frames: this.#frames,
    });
    this.#flush(true);
    this.#stop();
  }

  /** Records nothing more; what the sink may do itself when it fails. */
  fail(cause: unknown): void {
    if (this.#isOver) return;
    this.#stop();
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#options.onFailed(
      new TraceError('TRACE_NOT_WRITTEN', `The session goes on, but its trace ends here: ${reason}`, {
        cause,
      }),
    );
  }

  #now(): number {
    return Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
  }

  #schedule(): void {
    if (!this.#hasBegun) return;
    if (this.#options.flushMs === 0) this.#flush(false);
    else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#flush(false), this.#options.flushMs);
      // A host that has nothing else to do may leave; what is left is written then.
      this.#timer.unref();
    }
  }

  #flush(isLast: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const passed = this.#passed;
    this.#passed = [];
    try {
      for (const each of passed) this.#record(each);
      if (isLineSink(this.#options.sink)) this.#options.sink.flush(isLast);
    } catch (error) {
      this.fail(error);
    }
  }

  #record(passed: Passed): void {
    if ('event' in passed) {
      const { event } = passed;
      // Marks and faults of a gap would read as if nothing were missing between them.
      if (!this.#isInGap || event.type === 'end') this.#write(event, JSON.stringify(event));
      return;
    }
    if (this.#isInGap) return;
    const reason = this.#findReasonToSkip(passed.line);
    if (reason !== undefined) {
      this.#isInGap = true;
      const gap: TraceEvent = { type: 'gap', t: passed.t, reason };
      this.#write(gap, JSON.stringify(gap));
      return;
    }
    this.#recordFrame(passed);
  }

  #findReasonToSkip(line: string): 'max-bytes' | 'slow-disk' | undefined {
    if (this.#bytes + Math.min(line.length, this.#options.maxFrameBytes) > this.#options.maxBytes)
      return 'max-bytes';
    return isLineSink(this.#options.sink) && this.#options.sink.isBehind() ? 'slow-disk' : undefined;
  }

  #recordFrame({ t, dir, line }: { t: number; dir: TraceDirection; line: string }): void {
    const { redactor, maxFrameBytes, sink } = this.#options;
    const value = parse(line);
    const isFrame = isRecord(value);
    const frame = isFrame && !redactor.isClean(line) ? redactor.redactValue(value) : value;
    // The line is JSON already: encoding it again would be the dearest part of it all.
    const text = frame !== value ? JSON.stringify(frame) : isFrame ? line.trim() : redactor.redactText(line);
    // At most three bytes make a UTF-16 unit: most lines need not be counted.
    const isLong = line.length * 3 > maxFrameBytes && Buffer.byteLength(line) > maxFrameBytes;
    if (isLong || !isFrame) {
      const event: TraceFrame = {
        type: 'frame',
        t,
        dir,
        ...(isLong
          ? { truncated: { bytes: Buffer.byteLength(line), head: text.slice(0, HEAD_CHARACTERS) } }
          : { text }),
      };
      this.#write(event, JSON.stringify(event));
      return;
    }
    this.#write(
      isLineSink(sink) ? undefined : { type: 'frame', t, dir, frame: frame as WireObject },
      `{"type":"frame","t":${t},"dir":"${dir}","frame":${text}}`,
    );
  }

  #write(event: TraceEvent | undefined, line: string): void {
    const { sink } = this.#options;
    this.#bytes += line.length + 1;
    if (isLineSink(sink)) sink.writeLine(line);
    else if (event) sink.write(event);
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#passed = [];
    this.#forgetExit();
    try {
      this.#options.sink.close?.();
    } catch {
      // It is over anyway.
    }
  }
}

function isLineSink(sink: TraceSink | LineSink): sink is LineSink {
  return 'writeLine' in sink;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
