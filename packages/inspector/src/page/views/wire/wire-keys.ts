// The keys of the wire view.
import { defineKeys } from '../../store/keys.js';

export const WIRE_KEYS = defineKeys('Wire', {
  next: { keys: ['j'], says: 'Next row' },
  previous: { keys: ['k'], says: 'Previous row' },
  open: { keys: ['Enter'], says: 'Show the exact line' },
  search: { keys: ['/'], says: 'Search' },
  fold: { keys: ['f'], says: 'Fold or unfold streamed pieces' },
  unfold: { keys: ['ArrowRight'], says: 'Open the pieces of this row' },
  close: { keys: ['ArrowLeft'], says: 'Close them' },
  error: { keys: ['e'], says: 'Next error' },
});
