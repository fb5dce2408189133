// The error for a source that could not be read.

/** `refused`: the server no longer knows this browser. `unreachable`: the server gave no answer, or none that makes sense. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly kind: 'refused' | 'unreachable';

  constructor(kind: 'refused' | 'unreachable', message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
