// What it takes to try a reader of foreign bytes, and which errors it may throw: typed ones, which say what is wrong.
import { InboardError } from '../../packages/core/src/errors.js';

/** A reader of foreign bytes. */
export interface FuzzedReader {
  name: string;
  /** Good bytes, from which hostile ones are made. */
  examples: readonly (string | Buffer)[];
  /** Reads bytes to the end. Whatever it gives is a value; what it throws must be typed. */
  read: (bytes: Buffer) => unknown;
  /** Good bytes of about `count` times the length of one, of which each part has to be read. */
  grow: (count: number) => string | Buffer;
  /** How often a run tries it; those that need a server or files are tried less often. */
  runs?: number;
  close?: () => Promise<void>;
}

/** Errors of one part, which its caller turns into an answer. */
const OWN_ERRORS = new Set(['ChatRefusal', 'BadAction', 'AcpRefusal', 'RpcRefusal']);

/** Whether an error is one that a reader may throw. */
export function isTyped(error: unknown): boolean {
  return (
    error instanceof InboardError ||
    (error instanceof Error && (OWN_ERRORS.has(error.name) || OWN_ERRORS.has(error.constructor.name)))
  );
}
