// Errors of finding a CLI, starting it, its handshake, and claiming a prewarmed one.
import { InboardError, type ErrorFacts } from './base.js';

/** No CLI was found; `tried` lists every place that was searched, in order. */
export class ExecutableNotFoundError extends InboardError {
  static override readonly name: string = 'ExecutableNotFoundError';
  declare readonly code: 'EXECUTABLE_NOT_FOUND';
  readonly errorClass = 'executable_not_found';
  /** Every place that was searched, in order. */
  readonly tried: readonly string[];

  constructor(message: string, tried: readonly string[], facts: ErrorFacts = {}) {
    super('EXECUTABLE_NOT_FOUND', message, { phase: 'launch', ...facts });
    this.tried = tried;
  }
}

/** Why a CLI that was found could not be started. */
export type LaunchFailure =
  | 'CWD_NOT_FOUND'
  | 'RUNTIME_NOT_FOUND'
  | 'EXECUTABLE_NOT_PERMITTED'
  | 'WRONG_PLATFORM'
  | 'ARGUMENTS_TOO_LONG'
  | 'ENVIRONMENT_TOO_LONG'
  | 'TEMPORARY_FOLDER_UNUSABLE'
  | 'SESSION_RUNNING'
  | 'SPAWN_FAILED';

/** The CLI was found but could not be started. */
export class LaunchError extends InboardError {
  static override readonly name: string = 'LaunchError';
  declare readonly code: LaunchFailure;
  readonly errorClass = 'executable_launch_failed';

  constructor(code: LaunchFailure, message: string, facts: ErrorFacts = {}) {
    super(code, message, { phase: 'launch', ...facts });
  }
}

/** The CLI did not answer the opening handshake, or refused it. */
export class HandshakeError extends InboardError {
  static override readonly name: string = 'HandshakeError';
  declare readonly code: 'HANDSHAKE_TIMEOUT' | 'HANDSHAKE_REFUSED';
  readonly errorClass: string;

  constructor(code: 'HANDSHAKE_TIMEOUT' | 'HANDSHAKE_REFUSED', message: string, facts: ErrorFacts = {}) {
    super(code, message, { phase: 'handshake', ...facts });
    this.errorClass = code === 'HANDSHAKE_TIMEOUT' ? 'initialize_timeout' : 'control_request_failed';
  }
}

/** Why a prewarmed CLI was not claimed, or not with all that was asked. If the CLI refused, this is the CLI's own code. */
export type ClaimRefusal =
  | 'not_a_spare'
  | 'env_key_not_claimable'
  | 'cwd_not_found'
  | 'project_settings_not_claimable'
  | 'permission_mode_not_claimable'
  | 'claim_failed'
  | 'settings_not_applied'
  | 'option_not_applied'
  | 'spare_exited'
  | 'spare_closed';

/** A prewarmed CLI could not be claimed as asked. The prompt does not run, except with `option_not_applied`. */
export class ClaimError<Claim = unknown> extends InboardError {
  static override readonly name: string = 'ClaimError';
  declare readonly code: 'CLAIM_REFUSED';
  /** Why it failed; if the CLI refused, this is the CLI's own code. */
  readonly refusal: ClaimRefusal;
  /** What was claimed before an option was refused. */
  declare readonly claim?: Claim;

  constructor(refusal: ClaimRefusal, message: string, facts: ErrorFacts & { claim?: Claim } = {}) {
    super('CLAIM_REFUSED', `${refusal}: ${message}`, { phase: 'handshake', ...facts });
    this.refusal = refusal;
    if (facts.claim !== undefined) this.claim = facts.claim;
  }
}
