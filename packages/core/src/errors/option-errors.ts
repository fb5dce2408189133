// Errors of wrong arguments, options and schemas. They are thrown before anything is started.
import { InboardError, type ErrorFacts } from './base.js';

/** An argument or option is wrong, or two contradict each other. The call that throws this error has done nothing. */
export class InvalidOptionsError extends InboardError {
  static override readonly name: string = 'InvalidOptionsError';
  declare readonly code: 'INVALID_OPTIONS';
  /** The names of the wrong options. */
  readonly options: readonly string[];

  constructor(options: readonly string[], message: string, facts: ErrorFacts = {}) {
    super('INVALID_OPTIONS', message, { phase: 'options', ...facts });
    this.options = options;
  }
}

/** An option needs a newer CLI than the one found; thrown before anything is started. */
export class UnsupportedOptionError extends InboardError {
  static override readonly name: string = 'UnsupportedOptionError';
  declare readonly code: 'UNSUPPORTED_OPTION';
  /** The option that is too new for the CLI. */
  readonly option: string;
  /** The version of the CLI that was found. */
  readonly versionFound: string;
  /** The oldest version that has the option. */
  readonly versionNeeded: string;

  constructor(option: string, versionFound: string, versionNeeded: string, hint = '') {
    super(
      'UNSUPPORTED_OPTION',
      `The option "${option}" needs Claude CLI ${versionNeeded} or newer, but the CLI found is ${versionFound}. ` +
        `Update the CLI or leave the option out.${hint && ` ${hint}`}`,
      { phase: 'options' },
    );
    this.option = option;
    this.versionFound = versionFound;
    this.versionNeeded = versionNeeded;
  }
}

/**
 * The schema of a tool, a prompt or `output` cannot be shown to the model, or cannot be used to check values. Thrown where
 * the schema is given.
 */
export class SchemaError extends InboardError {
  static override readonly name: string = 'SchemaError';
  declare readonly code: 'SCHEMA_UNCONVERTIBLE';
  /** The tool or prompt whose schema it is; `output` for the option `output`. */
  readonly tool: string;
  /** The place in the schema, as in `filter.tags[].when`; empty for the schema as a whole. */
  readonly path: string;

  constructor(where: { tool: string; path: string }, message: string, facts: ErrorFacts = {}) {
    super('SCHEMA_UNCONVERTIBLE', message, { phase: 'options', ...facts });
    this.tool = where.tool;
    this.path = where.path;
  }
}
