// Where warnings go: to the caller's `onWarning`, and those about the caller's own options also to the
// process, as nobody may be listening. A warning never becomes an error.
import { InboardError } from '../../errors.js';
import { checkOptions } from './check-options.js';
import type { Options } from '../options.js';
import type { InboardWarning } from './warning.js';

/** One per session. */
export class WarningReporter {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Checks the options: throws for wrong ones, warns of doubtful ones. */
  checkOptions(): void {
    for (const warning of checkOptions(this.#options)) this.emit(warning);
  }

  /** Something about the wire or the machine went wrong and the session goes on. */
  report(error: Error): void {
    const code = error instanceof InboardError ? error.code : 'WARNING';
    this.#tell({ code, message: error.message, error });
  }

  /** A callback of the caller's failed, and the session goes on without what it would have done. */
  fault(option: string, cause: unknown): void {
    this.report(new Error(`A callback of the option "${option}" threw`, { cause }));
  }

  /** Calls a callback of the caller's that answers nothing; what it throws, at once or later, ends nothing. */
  call(option: string, callback: () => unknown): void {
    try {
      const given = callback();
      if (given instanceof Promise) given.catch((cause: unknown) => this.fault(option, cause));
    } catch (cause) {
      this.fault(option, cause);
    }
  }

  /** The session is over. */
  tellEnd(error: unknown): void {
    this.call('onEnd', () => this.#options.onEnd?.(error));
  }

  /** Something about the caller's options is doubtful. */
  emit(warning: InboardWarning): void {
    if (this.#options.onWarning === undefined) warnOnce(warning);
    else this.#tell(warning);
  }

  /** Worth knowing, and no fault: told to whoever listens, and to nobody else. */
  note(warning: InboardWarning): void {
    this.#tell(warning);
  }

  #tell(warning: InboardWarning): void {
    try {
      this.#options.onWarning?.(warning);
    } catch {
      // A listener that fails must not end the session it was told about.
    }
  }
}

const told = new Set<string>();

/** A process warning, once for each text: a program that starts a thousand queries need not hear it a thousand times. */
function warnOnce({ code, message }: InboardWarning): void {
  if (told.has(message)) return;
  told.add(message);
  process.emitWarning(message, { code });
}
