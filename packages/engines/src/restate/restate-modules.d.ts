// What TypeScript has to know to load `@restatedev/restate-sdk`, which is an optional peer. Nothing of it gets into published types.
declare module '@restatedev/restate-sdk' {
  export const object: unknown;
  export const handlers: unknown;
  export const RestatePromise: unknown;
  export const TerminalError: unknown;
  export const CancelledError: unknown;
}
