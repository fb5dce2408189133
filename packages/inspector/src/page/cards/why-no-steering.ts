// Explains in a few words why the chosen session takes no messages at all.
import type { Store } from '../store/store.js';

const OVER: ReadonlySet<string> = new Set(['ended', 'failed', 'cut']);

/** The reason; undefined if the session takes messages or changes, now or later. */
export function whyNoSteering(store: Store): string | undefined {
  const state = store.state.value;
  if (state?.isReadOnly) return 'This page is read-only';
  if (state?.kind === 'files') return 'This is a recording: nothing runs behind it';
  return OVER.has(store.summary.value?.state ?? '') ? 'The session is over' : undefined;
}
