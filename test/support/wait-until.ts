// Waits for something outside this process, by asking again and again, with an end.

/** Far longer than anything takes that comes at all, however busy the machine is. */
export const PATIENCE_MS = 15_000;

/** Resolves when `predicate` holds; throws with `what` when it does not within `deadlineMs`. */
export async function waitUntil(
  predicate: () => boolean | Promise<boolean>,
  deadlineMs = PATIENCE_MS,
  what: string = predicate.toString(),
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await predicate())) {
    if (performance.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
