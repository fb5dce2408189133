// The pipes of a fake CLI that has no process: a transport in memory.
import { WireError } from '@inboard/core/errors.js';
import { createLineSplitter } from '@inboard/core/wire/protocol/line-splitter.js';
import { createMemoryTransport } from '@inboard/core/wire/transport/memory-transport.js';
import type { Transport } from '@inboard/core/wire/transport/transport.js';
import type { FakePipes, FakeProgram } from './fake-pipes.js';

/** Creates the transport. `start` is called when the transport is opened, and returns the program behind the pipes. */
export function createMemoryPipes(start: (pipes: FakePipes) => FakeProgram): Transport {
  // The peer reads the option when a signal comes, so a step can change it at any time.
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
      // The transport of a process would end the process after a while. Here it ends at once.
      const error = new WireError(
        'OUTPUT_BROKEN',
        'The CLI closed its output but kept running, and was ended',
      );
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
