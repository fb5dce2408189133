// The pipes of a fake CLI: what it can do to them, and their form without a process, in memory. They know bytes and
// signals; what is written to them is decided by the run.
import { WireError } from '../../../errors.js';
import { createLineSplitter } from '../../../wire/protocol/line-splitter.js';
import { createMemoryTransport } from '../../../wire/transport/memory-transport.js';
import type { Transport } from '../../../wire/transport/transport.js';

/** The session's way out. After `end` nothing has an effect. */
export interface FakePipes {
  write(bytes: Buffer): void;
  stderr(text: string): void;
  end(how: { readonly exitCode?: number; readonly signal?: string }): void;
  closeInput(): void;
  closeOutput(): void;
  setReading(isReading: boolean): void;
  ignoreTerm(): void;
}

/** The session's way in; lines before `start` belong to it as well. */
export interface FakeProgram {
  line(text: string): void;
  inputEnded(): void;
  /** The process is gone, however that came about. */
  gone(): void;
}

/** Pipes in memory, as a transport; `start` gives the program behind them. */
export function createMemoryPipes(start: (pipes: FakePipes) => FakeProgram): Transport {
  // Looked at when a signal comes, so that a step can change it.
  const peerOptions = { ignoresTerm: false };
  const { transport, peer } = createMemoryTransport(peerOptions);
  const splitter = createLineSplitter({ onLine: (line) => peer.send(line), onOversized: () => {} });
  let stderrTail = '';
  let isOutputOpen = true;
  let isInputOpen = true;

  const pipes: FakePipes = {
    write(bytes) {
      if (isOutputOpen) splitter.push(bytes);
    },
    stderr(text) {
      stderrTail += text;
    },
    end({ exitCode, signal }) {
      splitter.end();
      peer.end(signal === undefined ? { exitCode: exitCode ?? 0, stderrTail } : { signal, stderrTail });
    },
    closeInput() {
      isInputOpen = false;
      peer.breakInput();
    },
    closeOutput() {
      isOutputOpen = false;
      // A process that stays without its output is ended by its transport after a while; here, at once.
      const error = new WireError('OUTPUT_BROKEN', 'The CLI closed its output, kept running, and was ended');
      peer.end({ signal: 'SIGTERM', error, stderrTail });
    },
    setReading: (isReading) => peer.setFull(!isReading),
    ignoreTerm() {
      peerOptions.ignoresTerm = true;
    },
  };
  return {
    pid: undefined,
    open(receiver) {
      const program = start(pipes);
      peer.onLine((line) => {
        if (isInputOpen) program.line(line);
      });
      void peer.inputEnded.then(() => {
        if (isInputOpen && peer.isInputEnded && !peer.isOver) program.inputEnded();
      });
      transport.open({
        line: (text) => receiver.line(text),
        fault: (error) => receiver.fault(error),
        closed: (end) => {
          program.gone();
          receiver.closed(end);
        },
      });
    },
    write: (line) => transport.write(line),
    drained: () => transport.drained(),
    endInput: () => transport.endInput(),
    terminate: (options) => transport.terminate(options),
  };
}
