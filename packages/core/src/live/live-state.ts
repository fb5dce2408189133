// What a live CLI and its parts both need to know about the one process they serve. It is made before either of
// them and handed to both, so that neither holds the other.
import type { ErrorPhase } from '../errors.js';
import { createDeferred, createQuietDeferred, type Deferred } from '../util/deferred.js';
import type { WireTap } from './watch/inspected-session.js';
import type { TerminateOptions, Transport } from '../wire/transport/transport.js';
import type { EndCause } from './ending.js';
import { LiveVersion } from './live-version.js';

/** One per live CLI, which writes it; the parts read it, move `phase` on and ask for the end. */
export class LiveState {
  /** Resolves when control requests can be sent; rejects when none ever can. */
  readonly launched: Deferred<void> = createQuietDeferred();
  /** Whether `launched` has resolved: whoever sends then need not wait, not even for a microtask. */
  isLaunched = false;
  transport: Transport | undefined;
  /** Hears everything that passes, while somebody inspects the session. */
  tap: WireTap | undefined;
  #isTerminating = false;
  readonly version = new LiveVersion();
  phase: ErrorPhase = 'launch';
  /** Why it ends, once that was asked for. */
  cause: EndCause | undefined;
  isOver = false;
  /** Whether a first prompt may still come, which keeps the input open: true until `begin` or the given prompt opens one. */
  isPromptDue = true;
  /** Whether text streams are wanted of a CLI that is not started yet. */
  wantsText = false;
  /** Whether the reader of the messages takes partial ones too, asked for or not, and tells them apart. */
  readsPartials = false;
  /** Whether the CLI was started with partial messages for the sake of text streams. */
  streamsText = false;
  /** Whether messages come from a prompt, and not through `streamInput` alone. */
  hasPrompt = false;
  /** Whether its first message is there already, as in a text; what another source gives, and when, nobody knows. */
  isPromptAtHand = false;
  /** How many wait for something before they write: calls of `ready()`, requests that need the version. The input stays open for them. */
  inputHolds = 0;
  #promptHolds = 0;
  #promptReleased: Deferred<void> | undefined;
  /** Whether the pipe had room left after the last line. */
  pipeHasRoom = true;
  /** Uuids of messages that the CLI did not take up. */
  readonly ignored: string[] = [];
  /** Called for each of them. */
  onIgnored: (uuid: string) => void = () => {};
  readonly #endListeners: ((cause: EndCause) => void)[] = [];

  /** Whether it is over, or on its way there. */
  get isEnding(): boolean {
    return this.isOver || this.cause !== undefined;
  }

  /** The CLI has begun to work, perhaps before it answered the handshake. */
  noteRunning(): void {
    if (this.phase === 'handshake') this.phase = 'running';
  }

  /** Whether the first prompt must wait. */
  get isPromptHeld(): boolean {
    return this.#promptReleased !== undefined;
  }

  /** Settles when nothing holds the first prompt back any more. */
  async promptReleased(): Promise<void> {
    while (this.#promptReleased) await this.#promptReleased.promise;
  }

  /** Holds the first prompt back, where it is not written yet, until the function it gives is called. */
  holdPrompt(): () => void {
    let isHeld = true;
    this.#promptHolds += 1;
    this.#promptReleased ??= createDeferred();
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#promptHolds -= 1;
      if (this.#promptHolds > 0) return;
      this.#promptReleased?.resolve();
      this.#promptReleased = undefined;
    };
  }

  /** From now on control requests can be sent. */
  noteLaunched(): void {
    this.isLaunched = true;
    this.launched.resolve();
  }

  /** Writes a line to the CLI; dropped when none has been started. */
  write(line: string): void {
    if (this.tap !== undefined) this.tap.line('out', line);
    this.pipeHasRoom = this.transport?.write(line) ?? true;
  }

  /** Ends the CLI's input, after what was written. */
  endInput(): void {
    this.tap?.mark('input-end');
    this.transport?.endInput();
  }

  /** Begins to end the CLI, or ends it sooner. */
  terminate(options: TerminateOptions): void {
    if (!this.#isTerminating) this.tap?.mark('terminate');
    this.#isTerminating = true;
    this.transport?.terminate(options).catch(() => {});
  }

  /** Asks the owner of the CLI to end it. */
  requestEnd(cause: EndCause): void {
    for (const listener of this.#endListeners) listener(cause);
  }

  /** The CLI is idle and has not taken up these messages. */
  noteIgnored(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      this.ignored.push(uuid);
      this.onIgnored(uuid);
    }
  }

  onEndRequest(listener: (cause: EndCause) => void): void {
    this.#endListeners.push(listener);
  }
}
