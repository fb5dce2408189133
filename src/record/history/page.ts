// `limit` and `offset`, as every list of this room takes them.

/** Which part of a list is asked for. */
export interface PageOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** The bounds for `slice`; what is not a positive number means no bound. */
export function readPage({ limit, offset }: PageOptions): { start: number; end: number } {
  const start = Number(offset) > 0 ? Number(offset) : 0;
  return { start, end: Number(limit) > 0 ? start + Number(limit) : Number.POSITIVE_INFINITY };
}
