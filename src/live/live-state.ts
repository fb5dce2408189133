// What a live CLI and its parts both need to know about the one process they serve. It is made before either of
// them and handed to both, so that neither holds the other.
import type { ErrorPhase } from '../errors.js';
import { createQuietDeferred, type Deferred } from '../util/deferred.js';
import type { Transport } from '../wire/transport/transport.js';
import type { EndCause } from './ending.js';

/** One per live CLI, which writes it; the parts read it, move `phase` on and ask for the end. */
export class LiveState {
  /** Resolves when control requests can be sent; rejects when none ever can. */
  readonly launched: Deferred<void> = createQuietDeferred();
  transport: Transport | undefined;
  /** The CLI's version, once it is known. */
  version: string | undefined;
  phase: ErrorPhase = 'launch';
  /** Why it ends, once that was asked for. */
  cause: EndCause | undefined;
  isOver = false;
  /** Whether a first prompt may still come, which keeps the input open: true until `begin` or the given prompt opens one. */
  isPromptDue = true;
  /** Whether the pipe had room left after the last line. */
  pipeHasRoom = true;
  readonly #endListeners: ((cause: EndCause) => void)[] = [];

  /** Whether it is over, or on its way there. */
  get isEnding(): boolean {
    return this.isOver || this.cause !== undefined;
  }

  /** The CLI has begun to work, perhaps before it answered the handshake. */
  noteRunning(): void {
    if (this.phase === 'handshake') this.phase = 'running';
  }

  /** Writes a line to the CLI; dropped when none has been started. */
  write(line: string): void {
    this.pipeHasRoom = this.transport?.write(line) ?? true;
  }

  /** Asks the owner of the CLI to end it. */
  requestEnd(cause: EndCause): void {
    for (const listener of this.#endListeners) listener(cause);
  }

  onEndRequest(listener: (cause: EndCause) => void): void {
    this.#endListeners.push(listener);
  }
}
