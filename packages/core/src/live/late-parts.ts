// Makes the parts of a live CLI when the first of them is needed: when there is a process, or earlier if the caller asks for
// more than messages. Making them takes as long as starting the process, so the start does not wait for them.
import { AsyncResource } from 'node:async_hooks';
import type { WarningReporter } from '../options/check/warning-reporter.js';
import { createDeferred, type Deferred } from '../util/deferred.js';
import type { SDKMessage } from '../wire/protocol/messages/messages.js';
import type { LiveParts } from './live-parts.js';

type Step = IteratorResult<SDKMessage, void>;

/**
 * Makes the parts in the asynchronous context in which this object was made, because handlers of tools run in that
 * context.
 */
export class LateParts {
  readonly #make: () => LiveParts;
  readonly #warnings: WarningReporter;
  readonly #onBroken: (error: unknown) => void;
  #made: LiveParts | undefined;
  #broken: { error: unknown } | undefined;
  readonly #asked: Deferred<Step>[] = [];

  constructor(make: () => LiveParts, warnings: WarningReporter, onBroken: (error: unknown) => void) {
    this.#make = AsyncResource.bind(make);
    this.#warnings = warnings;
    this.#onBroken = onBroken;
  }

  /** Returns the parts. Throws if they could not be made, which the earlier checks should have prevented. */
  get(): LiveParts {
    if (this.#made) return this.#made;
    if (this.#broken) throw this.#broken.error;
    // A listener of warnings may close the CLI, which needs the parts. Warnings are therefore held until the parts
    // are made.
    const release = this.#warnings.hold();
    try {
      this.#made = this.#make();
    } catch (error) {
      this.#broken = { error };
      release();
      for (const asked of this.#asked.splice(0)) asked.reject(error);
      this.#onBroken(error);
      throw error;
    }
    const made = this.#made;
    for (const asked of this.#asked.splice(0)) asked.resolve(made.messages.next());
    release();
    return made;
  }

  /** Returns the next message. Callers ask for it before anything else, so this does not make the parts. */
  next(): Promise<Step> {
    if (this.#made) return this.#made.messages.next();
    const asked = createDeferred<Step>();
    if (this.#broken) asked.reject(this.#broken.error);
    else this.#asked.push(asked);
    return asked.promise;
  }
}
