// The keys of the story.
import { defineKeys } from '../../store/keys.js';

export const STORY_KEYS = defineKeys('Story', {
  next: { keys: ['j'], says: 'Next item' },
  previous: { keys: ['k'], says: 'Previous item' },
  open: { keys: ['Enter'], says: 'Unfold or fold the item' },
  line: { keys: ['o'], says: 'Show the exact line of the item' },
  error: { keys: ['e'], says: 'Next error' },
  errorBefore: { keys: ['E'], says: 'Previous error' },
  turn: { keys: [']'], says: 'Next turn' },
  turnBefore: { keys: ['['], says: 'Previous turn' },
  search: { keys: ['/'], says: 'Search the story' },
});
