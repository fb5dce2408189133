// The type of a stream, also for programs whose types of Node do not have the global `ReadableStream` yet.

// The alias must be on the line after its comment. The comment is published with the types, and lets them compile where the
// name is missing, as in @types/node 20.12 without the types of browsers. The compiler then treats the alias as `any`.
/* oxlint-disable typescript/ban-ts-comment */

/** @ts-ignore The name may be missing. */
export type WebStream<T> = ReadableStream<T>;
