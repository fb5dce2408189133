// The limit of Node's timers.

/** The longest a timer can be set to, in milliseconds; more would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
