// Records what passes on the wire. A passing line is only pushed to a list. It is redacted, encoded and written after
// `flushMs`, or at once when the session or the host ends.
import { TraceError } from '../../../errors.js';
import { callListener, warnOfCallback } from '../../../util/call-listener.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { messageOf } from '../../../util/message-of.js';
import type { TransportEnd } from '../../../wire/transport/transport.js';
import type { TraceDirection, TraceEvent } from '../trace-event.js';
import {
  createHeader,
  encodeTraceEvent,
  encodeTraceFrame,
  type EncodedEvent,
  type HeaderFacts,
  type PassedLine,
} from './encode-event.js';
import { flushAtExit } from './flush-at-exit.js';
import type { Redactor } from './redact.js';
import { isLineSink, type LineSink, type TraceSink } from './trace-sink.js';

/** Where the events go, what is hidden in them, and how much is recorded. */
export interface RecorderOptions {
  sink: TraceSink | LineSink;
  redactor: Redactor;
  /** The longest frame in bytes. Of a longer frame, only the length and the beginning are recorded. */
  maxFrameBytes: number;
  /** The size in bytes after which no frames are recorded. The end is still recorded. */
  maxBytes: number;
  /** How many milliseconds a frame may wait before it is written. With 0, each frame is written at once. */
  flushMs: number;
  /** Called at most once, when the recording fails. Nothing is recorded after that. */
  onFailed: (error: Error) => void;
}

type Passed = PassedLine | { event: TraceEvent };

/** Records one session. Call `begin`, then a method for everything that passes, then `end`. No method throws. */
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
    if (this.#isOver) return;
    this.#hasBegun = true;
    this.#forgetExit = flushAtExit(() => this.#flush(true));
    // The header comes first, even if lines were written before the transport was open.
    this.#passed.unshift({ event: createHeader(facts, this.#options.redactor) });
    // The header is written at once, so that a host that is killed early leaves at least that.
    this.#flush(false);
  }

  line(dir: TraceDirection, line: string): void {
    if (this.#isOver) return;
    this.#frames += 1;
    this.#passed.push({ t: this.#now(), dir, line });
    this.#schedule();
  }

  /** Records a call that the host completed without a CLI. `message` has its result. */
  completed(message: object): void {
    if (this.#isOver) return;
    this.#passed.push({
      t: this.#now(),
      dir: 'in',
      line: stringifyDeep(message) as string,
      isCompleted: true,
    });
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

  /** Writes the last line. When this returns, the sink has got the whole trace, and a file is completely written. */
  end(end: TransportEnd): void {
    const { redactor } = this.#options;
    this.event({
      type: 'end',
      t: this.#now(),
      exitCode: end.exitCode,
      signal: end.signal,
      stderrTail: redactor.redactText(end.stderrTail),
      ...(end.error && { error: { code: end.error.code, message: redactor.redactText(end.error.message) } }),
      frames: this.#frames,
    });
    this.#flush(true);
    this.#stop();
  }

  /** Ends the recording after a failure, and reports it. The file sink calls this if a write fails after it was begun. */
  readonly fail = (cause: unknown): void => {
    if (this.#isOver) return;
    this.#stop();
    const message = `The session continues, but its trace ends here: ${messageOf(cause)}`;
    const error = new TraceError('TRACE_NOT_WRITTEN', message, { cause });
    callListener(
      () => this.#options.onFailed(error),
      (fault) => warnOfCallback('traceTransport onWarning', fault),
    );
  };

  #now(): number {
    return Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
  }

  #schedule(): void {
    if (!this.#hasBegun) return;
    if (this.#options.flushMs === 0) this.#flush(false);
    else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#flush(false), this.#options.flushMs);
      // A host with nothing else to do may exit. The rest is written at its exit.
      this.#timer.unref();
    }
  }

  #flush(isLast: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const passed = this.#passed;
    this.#passed = [];
    try {
      for (const each of passed) {
        // The sink may fail in `write`, or end the session there. Then it is closed and gets nothing more.
        if (this.#isOver) return;
        this.#record(each);
      }
      if (isLineSink(this.#options.sink)) this.#options.sink.flush(isLast);
    } catch (error) {
      this.fail(error);
    }
  }

  #record(passed: Passed): void {
    if ('event' in passed) {
      const { event } = passed;
      // Marks and faults inside a gap are left out. They would look as if nothing were missing between them.
      if (!this.#isInGap || event.type === 'end') this.#write(encodeTraceEvent(event));
      return;
    }
    if (this.#isInGap) return;
    const reason = this.#findReasonToSkip(passed.line);
    if (reason !== undefined) {
      this.#isInGap = true;
      this.#write(encodeTraceEvent({ type: 'gap', t: passed.t, reason }));
      return;
    }
    this.#write(encodeTraceFrame(passed, this.#options));
  }

  #findReasonToSkip(line: string): 'max-bytes' | 'slow-disk' | undefined {
    const { maxFrameBytes, maxBytes } = this.#options;
    // A UTF-16 unit has at most three bytes in UTF-8, so the bytes of most lines need not be counted.
    const isNear = this.#bytes + Math.min(line.length * 3, maxFrameBytes) > maxBytes;
    if (isNear && this.#bytes + Math.min(Buffer.byteLength(line), maxFrameBytes) > maxBytes)
      return 'max-bytes';
    return isLineSink(this.#options.sink) && this.#options.sink.isBehind() ? 'slow-disk' : undefined;
  }

  #write({ event, line }: EncodedEvent): void {
    const { sink } = this.#options;
    this.#bytes += Buffer.byteLength(line) + 1;
    if (isLineSink(sink)) sink.writeLine(line);
    // A sink may be asynchronous. Its writes are not awaited, but a write that fails later also ends the recording.
    else callListener(() => sink.write(event), this.fail);
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#passed = [];
    this.#forgetExit();
    // An error of the close is ignored, because the recording is over anyway.
    callListener(
      () => this.#options.sink.close?.(),
      () => {},
    );
  }
}
