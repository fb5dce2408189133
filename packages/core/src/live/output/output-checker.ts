// Checks the output of a live CLI that was given a schema. Each result is read when it arrives, so that the caller
// can ask for the value before, during or after the iteration.
import type { Options } from '../../options/options.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage } from '../../wire/protocol/messages/messages.js';
import { createQuietDeferred } from '../../util/deferred.js';
import { createOutputReader, missingOutput, type OutputReader } from './structured-output.js';
import type { OutputReading } from './read-output.js';

/** One per live CLI. */
export class OutputChecker {
  readonly #reader: OutputReader<unknown> | undefined;
  readonly #first = createQuietDeferred<OutputReading<unknown>>();
  #latest: Promise<OutputReading<unknown>> = this.#first.promise;

  /** Throws if the schema cannot be given to a model. */
  constructor(schema: Options['output']) {
    this.#reader = schema === undefined ? undefined : createOutputReader(schema);
  }

  /** Returns the options with the schema's `outputFormat`. */
  apply(options: Options): Options {
    return this.#reader ? { ...options, outputFormat: this.#reader.outputFormat } : options;
  }

  observe(message: WireObject): void {
    if (!this.#reader || message['type'] !== 'result') return;
    this.#latest = this.#reader.read(message as unknown as SDKResultMessage);
    this.#first.resolve(this.#latest);
  }

  /** The output of the last result. If there is no result yet, the output of the first one to come. */
  async value(): Promise<unknown> {
    if (!this.#reader) throw missingOutput();
    const reading = await this.#latest;
    if (reading.ok) return reading.value;
    throw reading.error;
  }

  /** Notes that no more results will come. */
  close(error: Error): void {
    this.#first.reject(error);
  }
}
