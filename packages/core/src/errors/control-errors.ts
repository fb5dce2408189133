// Errors of requests that a running CLI refuses, or does not answer.
import { InboardError } from './base.js';

/** The CLI answered a control request with an error; `errorCode` is the CLI's own code, if it gave one. */
export class ControlRequestError extends InboardError {
  static override readonly name: string = 'ControlRequestError';
  declare readonly code: 'CONTROL_REQUEST_FAILED';
  readonly errorClass = 'control_request_failed';
  /** The name of the request on the wire, as in `set_model`. */
  readonly subtype: string;
  /** The CLI's own code, if it gave one. */
  declare readonly errorCode?: string;
  /** The oldest CLI known to support the request; set if the CLI in use does not. */
  declare readonly versionNeeded?: string;

  constructor(subtype: string, message: string, errorCode?: string, versionNeeded?: string) {
    super('CONTROL_REQUEST_FAILED', message);
    this.subtype = subtype;
    if (errorCode !== undefined) this.errorCode = errorCode;
    if (versionNeeded !== undefined) this.versionNeeded = versionNeeded;
  }
}

/**
 * The CLI did not answer a control request within the caller's `timeoutMs`, or was idle for long without answering it.
 * The session continues.
 */
export class ControlTimeoutError extends InboardError {
  static override readonly name: string = 'ControlTimeoutError';
  declare readonly code: 'CONTROL_TIMEOUT';
  /** The name of the request on the wire, as in `set_model`. */
  readonly subtype: string;
  /** How long Inboard waited for the answer, in milliseconds. */
  readonly limitMs: number;

  constructor(subtype: string, limitMs: number, which = '(timeoutMs)') {
    super(
      'CONTROL_TIMEOUT',
      `The CLI did not answer the control request "${subtype}" within ${limitMs} ms ${which}. It may still carry it out.`,
      { retryable: true },
    );
    this.subtype = subtype;
    this.limitMs = limitMs;
  }
}
