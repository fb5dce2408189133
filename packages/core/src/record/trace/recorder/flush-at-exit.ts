// Flushes all recorded sessions when the host exits. They share one exit listener, because Node warns of a leak at
// eleven listeners.

const flushes = new Set<() => void>();

function flushAll(): void {
  for (const flush of flushes) flush();
}

/** Calls `flush` when the host exits, unless a signal kills it. The returned function removes `flush`. */
export function flushAtExit(flush: () => void): () => void {
  const entry = (): void => flush();
  if (flushes.size === 0) process.on('exit', flushAll);
  flushes.add(entry);
  return () => {
    if (flushes.delete(entry) && flushes.size === 0) process.off('exit', flushAll);
  };
}
