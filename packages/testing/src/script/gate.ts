// Gates for scripts. A reply waits at a gate until the test opens it, so that a test can act in the middle of a turn
// without depending on timing. The fake CLI and the scripted model both know gates.
import { createDeferred } from '@inboard/core/util/deferred.js';
import type { ModelContext } from '../scripted-model/model-request.js';
import type { ScriptContext } from './script-context.js';

/** A place where a reply waits. It is created by `gate()` and passed to `held()`. */
export interface Gate<Seen extends ScriptContext = ModelContext> {
  readonly isOpen: boolean;
  /**
   * Settles with the context of the first reply that reaches the gate. For a scripted model, it rejects if the model is
   * closed before that.
   */
  readonly reached: Promise<Seen>;
  /** Lets through all replies that wait and all that come later. Opening the gate again does nothing. */
  open(): void;
}

/** Creates a closed gate. One gate may hold several replies, and opens for all of them. */
export function gate<Seen extends ScriptContext = ModelContext>(): Gate<Seen> {
  return new ScriptGate<Seen>();
}

/** A gate as the player of the script uses it. */
export class ScriptGate<Seen extends ScriptContext = ScriptContext> implements Gate<Seen> {
  readonly #opened = createDeferred<void>();
  readonly #reached = createDeferred<Seen>();
  #isOpen = false;

  constructor() {
    // A test that does not await `reached` must not fail because of its rejection.
    this.#reached.promise.catch(() => {});
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get reached(): Promise<Seen> {
    return this.#reached.promise;
  }

  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /** Is called when a reply has reached the gate. Settles when the gate is open. */
  enter(context: Seen): Promise<void> {
    this.#reached.resolve(context);
    return this.#opened.promise;
  }

  /** Rejects `reached`, because no reply can reach the gate any more. */
  abandon(reason: Error): void {
    this.#reached.reject(reason);
  }
}
