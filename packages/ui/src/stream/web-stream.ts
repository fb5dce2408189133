// The type of a stream, where the types of Node are older than the global they describe.

// The alias must be on the line after its comment: it is published with the types and lets them compile where the name is
// missing, as in @types/node 20.12 without those of browsers. The alias is then an `any` of the compiler's own.
/* oxlint-disable typescript/ban-ts-comment */

/** @ts-ignore The name may be missing. */
export type WebStream<T> = ReadableStream<T>;
