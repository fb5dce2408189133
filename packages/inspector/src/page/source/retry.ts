// How often the page asks again while its server does not answer.

/** How long until what failed is tried again, in milliseconds: the last for every further time. */
const RETRY_MS = [500, 1000, 2000, 5000, 10_000];

/** How long to wait after so many failures in a row. */
export function retryAfter(failures: number): number {
  return RETRY_MS[failures] ?? 10_000;
}
