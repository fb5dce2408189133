// Reports warnings to the caller's `onWarning`, or else to the process. Faults in what the CLI writes go only to
// `onWarning`, because the program did not cause them. A warning never becomes an error.
import { InboardError } from '../../errors.js';
import {
  CALLBACK_FAILED,
  callbackKey,
  callListener,
  describeCallbackFault,
  warnOfCallback,
} from '../../util/call-listener.js';
import { messageOf } from '../../util/message-of.js';
import { warnOnce } from '../../util/warn-once.js';
import { checkOptions } from './check-options.js';
import type { Options } from '../options.js';
import type { InboardWarning } from './warning.js';

/** Reports the warnings of one live CLI or conversation. */
export class WarningReporter {
  readonly #options: Options;
  /** Callbacks whose failure was reported. */
  readonly #failed = new Set<string>();
  /** Warnings that wait because `onWarning` must not be called yet; undefined if none must wait. */
  #held: Array<() => void> | undefined;
  /** Called with every warning while the session is inspected. `isFault` marks faults of the pipe or the CLI's lines. */
  listener: ((warning: InboardWarning, isFault: boolean) => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Checks the options: throws for wrong ones, warns of doubtful ones. */
  checkOptions(): void {
    for (const warning of checkOptions(this.#options)) this.emit(warning);
  }

  /**
   * Reports an error that does not end the session. Without `onWarning` it becomes a process warning, once per `key`.
   * The default for `key` is the text of the warning.
   */
  report(error: Error, key?: string): void {
    this.emit(toWarning(error), key);
  }

  /** Passes a fault of the pipe or of the CLI's lines to `onWarning`, never to the process. If it matters, an error follows. */
  observe(error: Error): void {
    const warning = toWarning(error);
    this.listener?.(warning, true);
    this.#pass(warning);
  }

  /**
   * Reports that a callback threw or rejected, once for each callback, because a broken callback may fail on every line.
   * The session continues.
   */
  fault(callback: string, cause: unknown): void {
    if (this.#failed.has(callback)) return;
    this.#failed.add(callback);
    const message = describeCallbackFault(callback, cause);
    this.report(new InboardError(CALLBACK_FAILED, message, { cause }), callbackKey(callback));
  }

  /** Calls a callback whose result is not used. What it throws, now or later, is only reported. */
  call(callback: string, listen: () => unknown): void {
    callListener(listen, (cause) => this.fault(callback, cause));
  }

  /** Calls `onEnd`, because the session is over. */
  reportEnd(error: unknown): void {
    this.call('onEnd', () => this.#options.onEnd?.(error));
  }

  /** Reports a warning. Without `onWarning` it becomes a process warning, once per `key`, which is by default its text. */
  emit(warning: InboardWarning, key?: string): void {
    if (this.#held) {
      this.#held.push(() => this.emit(warning, key));
      return;
    }
    this.listener?.(warning, false);
    if (this.#options.onWarning === undefined) warnProcess(warning, key);
    else this.#pass(warning);
  }

  /** Holds back what `emit` gets until the returned function is called. `onWarning` may use objects that do not exist yet. */
  hold(): () => void {
    const held: Array<() => void> = [];
    this.#held = held;
    return () => {
      this.#held = undefined;
      for (const tell of held) tell();
    };
  }

  /** Passes a warning to `onWarning`, never to the process. If `onWarning` throws, that becomes a process warning. */
  note(warning: InboardWarning): void {
    this.listener?.(warning, false);
    this.#pass(warning);
  }

  #pass(warning: InboardWarning): void {
    callListener(
      () => this.#options.onWarning?.(warning),
      (cause) => warnOfCallback('onWarning', cause),
    );
  }
}

function toWarning(error: Error): InboardWarning {
  const code = error instanceof InboardError ? error.code : 'WARNING';
  return { code, message: error.message, error };
}

function warnProcess({ code, message, error }: InboardWarning, key?: string): void {
  const cause = error?.cause === undefined ? '' : messageOf(error.cause);
  warnOnce(message.includes(cause) ? message : `${message}: ${cause}`, code, key);
}
