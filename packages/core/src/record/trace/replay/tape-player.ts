// Plays the CLI's side of a trace. It sends the CLI's frames in order, each as soon as everything required before it on the
// tape has happened again. Every wait for the program has a limit, unless `waitMs` is 0.
import { parseRecord } from '../../../util/guards.js';
import { InboardError, ReplayError, TraceError } from '../../../errors.js';
import { createMemoryTransport, type MemoryPeer } from '../../../wire/transport/memory-transport.js';
import type { Transport, TransportEnd } from '../../../wire/transport/transport.js';
import { createDeferred, type Deferred } from '../../../util/deferred.js';
import { messageOf } from '../../../util/message-of.js';
import { nameExpected, nameItem } from './format-report.js';
import { findLine, incompleteAt } from './tape-line.js';
import type { TapeMatches } from './tape-matches.js';
import type { Trace, TraceStep } from '../trace-event.js';
import { readWireQuestion } from '../timeline/wire-question.js';

export interface TapePlayerOptions {
  trace: Trace;
  matches: TapeMatches;
  /** How many milliseconds to wait for a frame that the tape expects. With 0, there is no limit. */
  waitMs: number;
}

/** Plays a tape once. */
export class TapePlayer {
  readonly transport: Transport;
  /**
   * One promise for each user message of the tape, and one for the end of the messages. Each resolves when its message or
   * the end is due.
   */
  readonly userDue: readonly Deferred<void>[];
  readonly #options: TapePlayerOptions;
  readonly #peer: MemoryPeer;
  #position = 0;
  #usersDue = 0;
  #timer: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #isOver = false;
  #finished = false;
  #error: Error | undefined;

  constructor(options: TapePlayerOptions) {
    this.#options = options;
    this.userDue = Array.from({ length: options.matches.users.length + 1 }, () => createDeferred<void>());
    const { transport, peer } = createMemoryTransport();
    this.#peer = peer;
    this.transport = {
      pid: undefined,
      open: (receiver) => {
        transport.open(receiver);
        peer.onLine((line) => this.#receive(line));
        void peer.inputEnded.then(() => this.#schedule());
        this.#schedule();
      },
      write: (line) => transport.write(line),
      drained: () => transport.drained(),
      endInput: () => transport.endInput(),
      terminate: (times) => {
        this.#finished ||= this.#isLeftAsRecorded();
        this.#end({ exitCode: 0 });
        return transport.terminate(times);
      },
    };
  }

  /** Whether the tape was played to its end, or to the place where the recorded host left. */
  get isFinished(): boolean {
    return this.#finished;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Why the replay could not continue. */
  get error(): Error | undefined {
    return this.#error;
  }

  get #steps(): readonly TraceStep[] {
    return this.#options.trace.steps;
  }

  get #time(): number {
    return this.#steps[Math.min(this.#position, this.#steps.length - 1)]?.t ?? 0;
  }

  #receive(line: string): void {
    if (this.#isOver) return;
    const frame = parseRecord(line);
    if (!frame) return;
    const { matches } = this.#options;
    try {
      const reply = matches.take(frame, this.#time);
      if (reply) this.#peer.send(reply);
    } catch (cause) {
      // If this threw, the error would be lost in the transport and would be missing from the report.
      const message = `The replay cannot continue at ${Math.round(this.#time)} ms of the tape: ${messageOf(cause)}`;
      this.#fail(new TraceError('TRACE_INCOMPLETE', message, { cause }));
    }
    this.#schedule();
  }

  /** Delivers one frame in each turn of the event loop, like a process, so that the consumer is not starved. */
  #schedule(): void {
    if (this.#isScheduled || this.#isOver) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#isOver) this.#play();
    });
  }

  #play(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let step = this.#steps[this.#position]; step; step = this.#steps[this.#position]) {
      const expected = this.#findWait(step);
      if (expected !== undefined) {
        this.#waitFor(expected);
        return;
      }
      this.#position += 1;
      if (step.type === 'gap') {
        this.#fail(incompleteAt(step.t, `frames after this point were not recorded (${step.reason}).`));
        return;
      }
      if (step.type !== 'frame' || step.dir !== 'in') continue;
      const line = findLine(step, this.#options.matches);
      if (line === undefined) continue;
      if (line instanceof InboardError) this.#fail(line);
      else this.#peer.send(line);
      this.#schedule();
      return;
    }
    this.#playEnd();
  }

  /** Describes what a step waits for; undefined if it waits for nothing. */
  #findWait(step: TraceStep): string | undefined {
    if (step.type === 'input-end') this.#releasePrompts();
    if (step.type === 'terminate') {
      this.#releasePrompts();
      // After the end of input, the CLI was about to exit anyway, so the recorded `terminate` is not waited for.
      const isLate = this.#steps.slice(0, this.#position).some(({ type }) => type === 'input-end');
      return isLate ? undefined : 'the end of the query (the recorded program left or closed it here)';
    }
    if (step.type !== 'frame' || step.dir !== 'out') return undefined;
    const { matches } = this.#options;
    const expected = matches.script.expected.get(this.#position);
    if (!expected || matches.isMatched(this.#position)) return undefined;
    if (expected.item.kind === 'prompt') {
      this.userDue[matches.users.indexOf(expected)]?.resolve();
      return nameExpected(expected.item);
    }
    if (!expected.isRequired || matches.isTaped(expected)) return undefined;
    return nameExpected(expected.item);
  }

  /** Whether the recorded host ended the CLI about here, with nothing in between that must happen again. */
  #isLeftAsRecorded(): boolean {
    const left = this.#steps.findIndex(({ type }, index) => index >= this.#position && type === 'terminate');
    const { matches } = this.#options;
    for (let index = this.#position; index < left; index += 1) {
      const step = this.#steps[index];
      if (step?.type !== 'frame' || !step.frame) continue;
      const expected = matches.script.expected.get(index);
      if (expected?.isRequired && !matches.isTaped(expected)) return false;
      if (step.dir === 'in' && readWireQuestion(step.frame)) return false;
    }
    return left >= 0;
  }

  #waitFor(expected: string): void {
    const { waitMs } = this.#options;
    if (waitMs === 0) return;
    const stuck = (): void => {
      const others = this.#options.matches.unexpected.map((item) => nameItem(item));
      const message =
        `The replay is stuck at ${Math.round(this.#time)} ms of the tape: it is waiting for ${expected}, which did not come within ${waitMs} ms.` +
        (others.length === 0 ? '' : ` What came instead: ${others.slice(-3).join('; ')}.`);
      this.#fail(new ReplayError(message, expected));
    };
    this.#timer = setTimeout(stuck, waitMs);
  }

  #playEnd(): void {
    this.#releasePrompts();
    const { trace, waitMs } = this.#options;
    const { end } = trace;
    if (!end) {
      const message = `The tape ends at ${Math.round(this.#time)} ms: its recording was cut off there.`;
      this.#fail(new TraceError('TRACE_INCOMPLETE', message));
      return;
    }
    const hadInputEnd = this.#steps.some(({ type }) => type === 'input-end');
    const leave = (): void => {
      this.#finished = true;
      const { exitCode, signal, stderrTail, error } = end;
      this.#end({
        exitCode,
        signal,
        stderrTail,
        ...(error && { error: new InboardError(error.code, error.message) }),
      });
    };
    if (!hadInputEnd || this.#peer.isInputEnded) leave();
    // The recorded CLI has ended by now, so the replay must not hang if the program does not end the input.
    else this.#timer = setTimeout(leave, waitMs === 0 ? 30_000 : waitMs);
  }

  #releasePrompts(): void {
    for (; this.#usersDue < this.userDue.length; this.#usersDue += 1) this.userDue[this.#usersDue]?.resolve();
  }

  #fail(error: InboardError): void {
    this.#error = error;
    this.#end({ exitCode: null, error });
  }

  #end(end: Partial<TransportEnd>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#releasePrompts();
    this.#peer.end(end);
  }
}
