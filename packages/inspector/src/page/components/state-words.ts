// What a session's state is called, and in which tone.
import type { SessionState, SessionSummary } from '../../model/session-summary.js';
import type { Tone } from './badge.js';

export interface StateWord {
  word: string;
  tone: Tone;
}

const WORDS: Readonly<Record<SessionState, StateWord>> = {
  starting: { word: 'starting', tone: 'neutral' },
  queued: { word: 'queued', tone: 'neutral' },
  working: { word: 'working', tone: 'accent' },
  waiting: { word: 'waiting for you', tone: 'permission' },
  idle: { word: 'idle', tone: 'neutral' },
  ended: { word: 'ended', tone: 'good' },
  failed: { word: 'failed', tone: 'error' },
  cut: { word: 'cut off', tone: 'error' },
};

/** Conversations of a cluster are called what its journal calls them, as `inboard cluster ls` does. */
const WORDS_OF_A_CLUSTER: Readonly<Partial<Record<SessionState, StateWord>>> = {
  working: { word: 'running', tone: 'accent' },
  ended: { word: 'closed', tone: 'neutral' },
};

/** The word for what a session is doing. */
export function wordOfState({
  state,
  conversation,
}: Pick<SessionSummary, 'state' | 'conversation'>): StateWord {
  return (conversation && WORDS_OF_A_CLUSTER[state]) ?? WORDS[state];
}
