// Adds only one real listener to an abort signal, however many sessions use the signal. Node warns of a leak at eleven
// listeners, and many programs use one controller for everything.

interface Fanout {
  reactions: Set<() => void>;
  listener: () => void;
}

const fanouts = new WeakMap<AbortSignal, Fanout>();

/**
 * Calls `react` once when the signal aborts. If it has aborted already, calls `react` in a microtask. The returned
 * function cancels the call.
 */
export function onAbort(signal: AbortSignal, react: () => void): () => void {
  // Each call makes a new function. So if `react` was added twice, each of the two can be cancelled alone.
  let wanted = true;
  const entry = (): void => {
    if (wanted) react();
  };
  if (signal.aborted) queueMicrotask(entry);
  else attach(signal).reactions.add(entry);
  return () => {
    wanted = false;
    detach(signal, entry);
  };
}

function attach(signal: AbortSignal): Fanout {
  const known = fanouts.get(signal);
  if (known) return known;
  const reactions = new Set<() => void>();
  const listener = (): void => {
    fanouts.delete(signal);
    for (const react of reactions) react();
  };
  const fanout = { reactions, listener };
  fanouts.set(signal, fanout);
  signal.addEventListener('abort', listener, { once: true });
  return fanout;
}

function detach(signal: AbortSignal, entry: () => void): void {
  const fanout = fanouts.get(signal);
  if (!fanout?.reactions.delete(entry) || fanout.reactions.size > 0) return;
  fanouts.delete(signal);
  signal.removeEventListener('abort', fanout.listener);
}
