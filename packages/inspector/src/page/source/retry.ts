// How long the page waits between attempts while its server does not answer.

/** The waits after the first failures, in milliseconds; the last one applies to all further failures. */
const RETRY_MS = [500, 1000, 2000, 5000, 10_000];

/** How long to wait after a failure, in milliseconds. `failures` is the number of failures in a row before it. */
export function retryAfter(failures: number): number {
  return RETRY_MS[failures] ?? 10_000;
}
