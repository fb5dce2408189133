// The tones of words and shapes: `tone-…` in the styles.
export type Tone =
  'neutral' | 'accent' | 'model' | 'permission' | 'code' | 'cli' | 'overhead' | 'error' | 'good';
