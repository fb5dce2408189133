// Wraps a transport so that a recorder sees every line, every fault and the end. All of them pass unchanged.
import type { Transport } from '../../../wire/transport/transport.js';
import type { Recorder } from './recorder.js';

/** The facts of a session that are not on the wire. */
export interface RecordedSession {
  claudeCodeVersion: string | undefined;
  cwd: string | undefined;
  /** Messages for calls that were completed before the transport was opened. */
  completed?: readonly object[] | undefined;
}

/** Wraps a transport so that it is recorded. The recorder ends when the transport closes. */
export function recordTransport(
  transport: Transport,
  recorder: Recorder,
  session: RecordedSession,
): Transport {
  let isOpen = false;
  let isInputEnded = false;
  let isTerminating = false;
  return {
    get pid() {
      return transport.pid;
    },
    open: (receiver) => {
      transport.open({
        line: (text) => {
          recorder.line('in', text);
          receiver.line(text);
        },
        fault: (error) => {
          recorder.fault(error.code, error.message);
          receiver.fault(error);
        },
        closed: (end) => {
          recorder.end(end);
          receiver.closed(end);
        },
      });
      isOpen = true;
      recorder.begin({
        claudeCodeVersion: session.claudeCodeVersion ?? transport.claudeCodeVersion ?? null,
        pid: transport.pid ?? null,
        cwd: session.cwd ?? null,
      });
      for (const message of session.completed ?? []) recorder.completed(message);
    },
    write: (line) => {
      recorder.line('out', line);
      return transport.write(line);
    },
    drained: () => transport.drained(),
    guarded: () => transport.guarded?.(),
    endInput: () => {
      const isFirst = !isInputEnded;
      // This is set before `mark`, because a sink may end the session inside `mark`. Then `endInput` is called again.
      isInputEnded = true;
      if (isFirst) recorder.mark('input-end');
      transport.endInput();
    },
    terminate: (options) => {
      const isFirst = !isTerminating;
      isTerminating = true;
      if (isOpen && isFirst) recorder.mark('terminate');
      return transport.terminate(options);
    },
  };
}
