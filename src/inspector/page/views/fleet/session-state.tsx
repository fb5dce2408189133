// What a session is doing: a dot and a word, the same wherever sessions are listed.
import { StateMark, type Tone } from '../../components/badge.js';
import type { SessionState, SessionSummary } from '../../../model/session-summary.js';

const LOOK: Record<SessionState, { tone: Tone; word: string }> = {
  starting: { tone: 'neutral', word: 'Starting' },
  working: { tone: 'accent', word: 'Working' },
  waiting: { tone: 'permission', word: 'Waiting' },
  idle: { tone: 'neutral', word: 'Idle' },
  ended: { tone: 'good', word: 'Ended' },
  failed: { tone: 'error', word: 'Failed' },
  cut: { tone: 'error', word: 'Cut off' },
};

export function SessionStateMark({ session: { state, waiting } }: { session: SessionSummary }) {
  const { tone, word } = LOOK[waiting > 0 ? 'waiting' : state];
  return <StateMark tone={tone}>{word}</StateMark>;
}
