// Tells one listener that the program has begun to use this package, because it defines a tool. The listener then loads
// code that the program needs next, while the program goes on. The code that notes a use does not know the listener.

let listener: (() => void) | undefined;

/** Sets the function that is called once, at the next use. */
export function onFirstUse(begin: () => void): void {
  listener = begin;
}

/** Notes that the program uses the package. */
export function noteUse(): void {
  if (listener === undefined) return;
  const begin = listener;
  listener = undefined;
  begin();
}
