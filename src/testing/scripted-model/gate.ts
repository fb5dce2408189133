// A gate in a script: a reply waits at it until the test opens it, so that a test can act in the middle of a turn
// without depending on timing.
import { createDeferred } from '../../util/deferred.js';
import type { ModelRequest } from './model-request.js';

/** Something a reply waits at; made by `gate()`, given to `held()`. */
export interface Gate {
  readonly isOpen: boolean;
  /** Settles with the first request that came to the gate; rejects when the model closes before one did. */
  readonly reached: Promise<ModelRequest>;
  /** Lets everything through that waits and everything that comes later; opening again does nothing. */
  open(): void;
}

/** Creates a closed gate. One gate may hold several replies; it opens for all of them. */
export function gate(): Gate {
  return new ScriptGate();
}

/** The model's side of a gate. */
export class ScriptGate implements Gate {
  readonly #opened = createDeferred<void>();
  readonly #reached = createDeferred<ModelRequest>();
  #isOpen = false;

  constructor() {
    // A test that never looks at `reached` must not be failed by its rejection.
    this.#reached.promise.catch(() => {});
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get reached(): Promise<ModelRequest> {
    return this.#reached.promise;
  }

  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /** A request has come; settles when the gate is open. */
  enter(request: ModelRequest): Promise<void> {
    this.#reached.resolve(request);
    return this.#opened.promise;
  }

  /** No request can come any more. */
  abandon(reason: Error): void {
    this.#reached.reject(reason);
  }
}
