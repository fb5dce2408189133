// Builds the steps of a fake CLI's script that are faults: crashes, stalls, broken lines, closed pipes.
import type { FakeScriptItem, FakeStep, Until } from './fake-step.js';

/** Ends the process at once, by a signal or with an exit code (default 1). */
export function crash({
  code,
  signal,
  stderr = '',
}: {
  readonly code?: number;
  readonly signal?: string;
  readonly stderr?: string;
} = {}): FakeStep {
  return { do: 'crash', code, signal, stderr };
}

/**
 * Writes nothing more until the promise settles. Without a promise, it waits until the host interrupts the turn or ends
 * the session.
 */
export function stall(until?: Until): FakeStep {
  return { do: 'stall', until };
}

/**
 * Writes a line that does not follow the protocol. Without `text`, it writes several lines of kinds that have broken
 * hosts before.
 */
export function garbage(text?: string): FakeStep {
  return { do: 'raw', text: `${text ?? GARBAGE.join('\n')}\n` };
}

const GARBAGE = [
  'not json',
  'null',
  '5',
  '"text"',
  '[]',
  '',
  ' \r',
  '{"half":',
  '{"type":"control_response"}',
  '{"type":"control_response","response":{"subtype":"success","request_id":"nobody"}}',
  '{"type":"control_cancel_request","request_id":"nobody"}',
];

/** Writes exactly this text to stdout, for example half a line, or two lines in one. */
export function raw(text: string): FakeStep {
  return { do: 'raw', text };
}

/** Plays the steps. Everything that they write is cut into chunks of this many bytes, even in the middle of characters. */
export function inChunks(bytes: number, ...steps: readonly FakeScriptItem[]): FakeStep {
  return { do: 'inChunks', bytes, steps };
}

/** The model says a text that makes a line of about this many bytes. */
export function hugeLine(bytes: number): FakeStep {
  return { do: 'say', text: 'x'.repeat(bytes) };
}

/** Sends the fake's last message, request or response again, with the same ids. */
export function repeat(what: 'message' | 'request' | 'response' = 'message'): FakeStep {
  return { do: 'repeat', what };
}

/** From here on, the host's control requests are carried out, but the answers are held back. */
export function holdAnswers(): FakeStep {
  return { do: 'holdAnswers' };
}

/** Sends the answers that were held back, in the order of the requests or reversed. Later answers are sent at once again. */
export function releaseAnswers(order: 'kept' | 'reversed' = 'kept'): FakeStep {
  return { do: 'releaseAnswers', order };
}

/** Writes to stderr. */
export function stderr(text: string): FakeStep {
  return { do: 'stderr', text };
}

/** Closes stdin, so that nothing the host writes arrives any more. */
export function closeInput(): FakeStep {
  return { do: 'closeInput' };
}

/** Closes stdout and stays alive. In memory, where there is no process, the run ends instead. */
export function closeOutput(): FakeStep {
  return { do: 'closeOutput' };
}

/** Stops reading its input, so that the pipe fills up. */
export function stopReading(): FakeStep {
  return { do: 'stopReading' };
}

/** Reads its input again. */
export function readOn(): FakeStep {
  return { do: 'readOn' };
}

/** From here on, ignores SIGTERM or the end of its input. */
export function ignore(what: 'SIGTERM' | 'end of input'): FakeStep {
  return { do: 'ignore', what };
}
