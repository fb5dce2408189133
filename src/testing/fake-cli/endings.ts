// How waiting ends in a fake CLI when what was waited for does not come.

/** Thrown through everything that plays: the session is over. */
export const OVER = new Error('The session is over');

/** Thrown through everything that plays a turn: it was interrupted. */
export const INTERRUPTED = new Error('The turn was interrupted');
