// The error for a part of Inboard, or a package that it uses, that could not be loaded on first use.
import { InboardError, type ErrorFacts } from './base.js';

/** Why a part was not loaded. */
export type LoadFault = 'PART_MISSING' | 'PART_UNREADABLE' | 'TOO_MANY_OPEN_FILES';

/** A part that is loaded on first use could not be loaded. The parts that are loaded already continue to work. */
export class PartLoadError extends InboardError {
  static override readonly name: string = 'PartLoadError';
  declare readonly code: LoadFault;
  /** The file that could not be loaded, or the name of the package. */
  readonly file: string;

  constructor(code: LoadFault, file: string, message: string, facts: ErrorFacts = {}) {
    super(code, message, facts);
    this.file = file;
  }
}
