// One real listener per abort signal, however many sessions use it. Node warns of a leak at eleven listeners, and one
// controller for a whole program is common.

interface Fanout {
  reactions: Set<() => void>;
  listener: () => void;
}

const fanouts = new WeakMap<AbortSignal, Fanout>();

/** Calls `react` once when the signal aborts, in a microtask if it already has. The returned function cancels that. */
export function onAbort(signal: AbortSignal, react: () => void): () => void {
  // A new function per call, so that a reaction that was added twice is cancelled one at a time.
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
