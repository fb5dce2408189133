// Checks the output of a live CLI that was given a schema. Each result is read when it arrives, so that the caller
// can ask for the value before, during or after the iteration.
import type { Options } from '../../options/options.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKResultMessage } from '../../wire/protocol/messages/messages.js';
import { TurnMeter } from '../../record/usage/turn-meter.js';
import { createQuietDeferred } from '../../util/deferred.js';
import { measuredOutcomeOf, outputOrThrow, type Outcome } from './outcome.js';
import { createOutputReader, missingOutput, type OutputReader } from './structured-output.js';
import type { OutputReading } from './read-output.js';

/** A result, and what was read from it. */
interface ReadResult {
  outcome: Outcome;
  reading: OutputReading<unknown>;
}

/** One per live CLI. */
export class OutputChecker {
  readonly #reader: OutputReader<unknown> | undefined;
  readonly #meter = new TurnMeter();
  readonly #first = createQuietDeferred<ReadResult>();
  #latest: Promise<ReadResult> = this.#first.promise;

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
    const result = message as unknown as SDKResultMessage;
    const outcome = measuredOutcomeOf(result, this.#meter.measure(result));
    this.#latest = this.#reader.read(result).then((reading) => ({ outcome, reading }));
    this.#first.resolve(this.#latest);
  }

  /** The output of the last result. If there is no result yet, the output of the first one to come. */
  async value(): Promise<unknown> {
    if (!this.#reader) throw missingOutput();
    const { outcome, reading } = await this.#latest;
    return outputOrThrow(outcome, reading);
  }

  /** Notes that no more results will come. */
  close(error: Error): void {
    this.#first.reject(error);
  }
}
