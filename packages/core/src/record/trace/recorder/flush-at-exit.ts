// One listener for the exit of the host, however many sessions are recorded: Node warns of a leak at eleven.

const flushes = new Set<() => void>();

function flushAll(): void {
  for (const flush of flushes) flush();
}

/** Calls `flush` when the host exits by itself; the returned function takes it back. */
export function flushAtExit(flush: () => void): () => void {
  const entry = (): void => flush();
  if (flushes.size === 0) process.on('exit', flushAll);
  flushes.add(entry);
  return () => {
    if (flushes.delete(entry) && flushes.size === 0) process.off('exit', flushAll);
  };
}
