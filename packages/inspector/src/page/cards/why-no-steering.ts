// Explains in a few words why the chosen session takes no messages at all.
import { isOverState } from '../../model/is-over-state.js';
import { isOfSession, type Store } from '../store/store.js';

/**
 * Whether the page shows what can be sent to the chosen session, or that nothing can. The fleet is about all sessions. In the
 * tools view, and beside questions of other sessions, it would not be true that nothing can be done here.
 */
export function hasSteering(store: Store): boolean {
  if (store.selected.value === undefined || !isOfSession(store.view.value)) return false;
  if (whyNoSteering(store) === undefined) return true;
  return store.view.value !== 'tools' && store.questions.value.length === 0;
}

/** The reason; undefined if the session takes messages or changes, now or later. */
export function whyNoSteering(store: Store): string | undefined {
  const state = store.state.value;
  if (state?.isReadOnly) return 'This page is read-only';
  if (state?.kind === 'files') return 'This is a recording: nothing runs behind it';
  if (isOverState(store.summary.value?.state)) return 'The session is over';
  return store.end.value && 'Nothing is behind this page any more';
}
