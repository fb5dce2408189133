// The state of a session: a dot and a word.
import { StateMark } from '../../components/badge.js';
import { wordOfState } from '../../../model/state-words.js';
import type { SessionSummary } from '../../../model/session-summary.js';

export function SessionStateMark({ session }: { session: SessionSummary }) {
  const { tone, word } = wordOfState(session);
  return <StateMark tone={tone}>{word}</StateMark>;
}
