// Wraps a transport so that a listener sees every line in both directions. No line is changed.
import { callListener, warnOfCallback } from '../../../util/call-listener.js';
import type { Transport } from '../../../wire/transport/transport.js';

/** Is told of each line. The direction `out` is to the CLI, and `in` is from it. */
export type WireListener = (direction: 'in' | 'out', line: string) => void;

/**
 * Wraps a transport so that `listener` sees each line before it is passed on. An error of the listener goes to `onError`
 * and has no other effect.
 */
export function tapTransport(
  transport: Transport,
  listener: WireListener,
  onError: (error: unknown) => void,
): Transport {
  const report = (cause: unknown): void => {
    callListener(
      () => onError(cause),
      (error) => warnOfCallback('tapTransport onError', error),
    );
  };
  const show: WireListener = (direction, line) => {
    callListener(() => listener(direction, line), report);
  };
  return {
    get pid() {
      return transport.pid;
    },
    open: (receiver) =>
      transport.open({
        line: (text) => {
          show('in', text);
          receiver.line(text);
        },
        fault: (error) => receiver.fault(error),
        closed: (end) => receiver.closed(end),
      }),
    write: (line) => {
      show('out', line);
      return transport.write(line);
    },
    drained: () => transport.drained(),
    guarded: () => transport.guarded?.(),
    endInput: () => transport.endInput(),
    terminate: (options) => transport.terminate(options),
  };
}
