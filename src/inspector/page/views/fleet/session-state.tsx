// What a session is doing: a dot and a word. One that waits says so, whatever else it does.
import { StateMark } from '../../components/badge.js';
import { STATE_WORDS } from '../../components/state-words.js';
import type { SessionSummary } from '../../../model/session-summary.js';

export function SessionStateMark({ session: { state, waiting } }: { session: SessionSummary }) {
  const { tone, word } = STATE_WORDS[waiting > 0 ? 'waiting' : state];
  return <StateMark tone={tone}>{word}</StateMark>;
}
