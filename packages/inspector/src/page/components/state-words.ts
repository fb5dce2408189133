// The word and the tone for a session's state.
import type { SessionActivity, SessionSummary } from '../../model/session-summary.js';
import type { Tone } from './tone.js';

export interface StateWord {
  word: string;
  tone: Tone;
}

const WORDS: Readonly<Record<SessionActivity, StateWord>> = {
  starting: { word: 'starting', tone: 'neutral' },
  queued: { word: 'queued', tone: 'neutral' },
  working: { word: 'working', tone: 'accent' },
  waiting: { word: 'waiting for you', tone: 'permission' },
  idle: { word: 'idle', tone: 'neutral' },
  ended: { word: 'ended', tone: 'good' },
  failed: { word: 'failed', tone: 'error' },
  cut: { word: 'cut off', tone: 'error' },
};

/** The words for conversations of a cluster are those of its journal, as in `inboard cluster ls`. */
const WORDS_OF_A_CLUSTER: Readonly<Partial<Record<SessionActivity, StateWord>>> = {
  working: { word: 'running', tone: 'accent' },
  ended: { word: 'closed', tone: 'neutral' },
};

export function wordOfState({
  state,
  conversation,
  waitsFor = [],
  isSuspended = false,
  read,
}: Pick<SessionSummary, 'state' | 'conversation' | 'waitsFor' | 'isSuspended' | 'read'>): StateWord {
  // Of a recording, only the last line says how it ended.
  if (read !== undefined) return { word: 'being read', tone: 'neutral' };
  const { word, tone } = (conversation && WORDS_OF_A_CLUSTER[state]) ?? WORDS[state];
  // A result may come from any process, so a person need not act.
  const isForResult = waitsFor.includes('pending') && !waitsFor.includes('person');
  const said = isForResult ? 'waiting for a result' : word;
  return { word: said + (isSuspended ? ', no CLI' : ''), tone };
}
