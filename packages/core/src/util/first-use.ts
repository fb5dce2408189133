// Tells a part that is loaded late that the program has begun to use this package: what every program needs next can be read
// from disk while the program goes on. Who notes a use knows nothing of who listens, and need not.

let listener: (() => void) | undefined;

/** Has `begin` called at the first use after this. */
export function onFirstUse(begin: () => void): void {
  listener = begin;
}

/** The program uses the package. */
export function noteUse(): void {
  if (listener === undefined) return;
  const begin = listener;
  listener = undefined;
  begin();
}
