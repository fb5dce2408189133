// Where warnings go: to the caller's `onWarning`, and those about the caller's own options also to the
// process, as nobody may be listening. A warning never becomes an error.
import { InboardError } from '../../errors.js';
import { checkOptions } from './check-options.js';
import type { Options } from '../options.js';
import type { InboardWarning } from './warning.js';

/** Reports the warnings of one live CLI or conversation. */
export class WarningReporter {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Checks the options: throws for wrong ones, warns of doubtful ones. */
  checkOptions(): void {
    for (const warning of checkOptions(this.#options)) this.emit(warning);
  }

  /** Reports an error that does not end the session. */
  report(error: Error): void {
    const code = error instanceof InboardError ? error.code : 'WARNING';
    this.note({ code, message: error.message, error });
  }

  /** Reports that a callback in the options threw; the session continues without its result. */
  fault(option: string, cause: unknown): void {
    this.report(new Error(`A callback of the option "${option}" threw`, { cause }));
  }

  /** Calls a callback whose result is not used; what it throws, now or later, is only reported. */
  call(option: string, callback: () => unknown): void {
    try {
      const given = callback();
      if (given instanceof Promise) given.catch((cause: unknown) => this.fault(option, cause));
    } catch (cause) {
      this.fault(option, cause);
    }
  }

  /** Calls `onEnd`: the session is over. */
  reportEnd(error: unknown): void {
    this.call('onEnd', () => this.#options.onEnd?.(error));
  }

  /** Warns about the caller's options; without `onWarning`, as a process warning. */
  emit(warning: InboardWarning): void {
    if (this.#options.onWarning === undefined) warnOnce(warning);
    else this.note(warning);
  }

  /** Passes a warning to `onWarning` only. */
  note(warning: InboardWarning): void {
    try {
      this.#options.onWarning?.(warning);
    } catch {
      // A listener that throws must not end the session.
    }
  }
}

const emitted = new Set<string>();

/** A process warning, once per text: a program that starts a thousand queries needs it only once. */
function warnOnce({ code, message }: InboardWarning): void {
  if (emitted.has(message)) return;
  emitted.add(message);
  process.emitWarning(message, { code });
}
