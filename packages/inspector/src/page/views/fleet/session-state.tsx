// The state of a session: a dot and a word. An open question comes before any other state.
import { StateMark } from '../../components/badge.js';
import { wordOfState } from '../../../model/state-words.js';
import type { SessionSummary } from '../../../model/session-summary.js';

export function SessionStateMark({ session }: { session: SessionSummary }) {
  const { tone, word } = wordOfState(session.waiting > 0 ? { ...session, state: 'waiting' } : session);
  return <StateMark tone={tone}>{word}</StateMark>;
}
