// Waits by asking again and again, with an end. In JavaScript, so that programs that Node runs as they are wait the same way.

/** Far longer than anything takes that comes at all, however busy the machine is. */
export const PATIENCE_MS = 15_000;

/**
 * Whether `predicate` comes to hold within `limitMs`. It is asked at least once.
 *
 * @param {() => boolean | Promise<boolean>} predicate
 * @param {number} limitMs
 * @returns {Promise<boolean>}
 */
export async function holdsWithin(predicate, limitMs) {
  const deadline = performance.now() + limitMs;
  while (!(await predicate())) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}

/**
 * Resolves when `predicate` holds; throws with `what` when it does not within `deadlineMs`.
 *
 * @param {() => boolean | Promise<boolean>} predicate
 * @param {number} [deadlineMs] PATIENCE_MS, or what the project in vitest.config.ts says.
 * @param {string | (() => string)} [what] As a function: what is so at the end.
 * @returns {Promise<void>}
 */
export async function waitUntil(
  predicate,
  deadlineMs = Number(process.env['TEST_PATIENCE_MS'] ?? PATIENCE_MS),
  what = predicate.toString(),
) {
  if (await holdsWithin(predicate, deadlineMs)) return;
  throw new Error(`Waited ${deadlineMs} ms in vain for: ${typeof what === 'string' ? what : what()}`);
}
