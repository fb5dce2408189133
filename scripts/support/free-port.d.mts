/** A free port of loopback, below those that systems give to whoever does not choose. */
export function findPort(): Promise<number>;
