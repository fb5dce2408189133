// What a session's state is called, and in which tone.
import type { SessionState } from '../../model/session-summary.js';
import type { Tone } from './badge.js';

export const STATE_WORDS: Readonly<Record<SessionState, { word: string; tone: Tone }>> = {
  starting: { word: 'starting', tone: 'neutral' },
  working: { word: 'working', tone: 'accent' },
  waiting: { word: 'waits for you', tone: 'permission' },
  idle: { word: 'idle', tone: 'neutral' },
  ended: { word: 'ended', tone: 'good' },
  failed: { word: 'failed', tone: 'error' },
  cut: { word: 'cut off', tone: 'error' },
};
