// The keys of the timeline.
import { defineKeys } from '../../store/keys.js';

export const TIMELINE_KEYS = defineKeys('Timeline', {
  zoomIn: { keys: ['+', '='], says: 'Zoom in' },
  zoomOut: { keys: ['-', '_'], says: 'Zoom out' },
  fit: { keys: ['0', 'f'], says: 'Show everything' },
  left: { keys: ['ArrowLeft', 'h'], says: 'Move to the left' },
  right: { keys: ['ArrowRight', 'l'], says: 'Move to the right' },
  next: { keys: ['j'], says: 'Next bar' },
  previous: { keys: ['k'], says: 'Previous bar' },
  open: { keys: ['Enter'], says: 'Show the bar in the story' },
  fold: { keys: ['i'], says: 'Fold long idle stretches, or unfold them' },
});
