/** A free port of loopback, below those that systems assign by themselves. */
export function findPort(): Promise<number>;
