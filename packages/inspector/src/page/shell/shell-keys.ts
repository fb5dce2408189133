// The keys that work in every view.
import { defineKeys } from '../store/keys.js';

export const SHELL_KEYS = defineKeys('Everywhere', {
  story: { keys: ['1'], says: 'Story' },
  timeline: { keys: ['2'], says: 'Timeline' },
  wire: { keys: ['3'], says: 'Wire' },
  tools: { keys: ['4'], says: 'Tools' },
  cost: { keys: ['5'], says: 'Cost' },
  fleet: { keys: ['6'], says: 'Fleet' },
  audit: { keys: ['7'], says: 'Audit, of a cluster' },
  sessions: { keys: ['s'], says: 'Choose another session' },
  questions: { keys: ['q'], says: 'Go to the first open question' },
  theme: { keys: ['t'], says: 'Light, dark or system theme' },
  help: { keys: ['?'], says: 'This help' },
  close: { keys: ['Escape'], says: 'Close what is open' },
});
