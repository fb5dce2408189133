// Finds a turn in the transcript of its conversation: whether it has ended, was cut off, or has not begun. Attempts and the workers
// of a cluster begin with this.
import {
  beginsTurn,
  transcriptState,
  type TranscriptState,
} from '@inboard/core/record/history/transcript/transcript-state.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';

/** How a turn goes on. */
export type FoundTurn =
  /** The conversation has no turn yet. */
  | { found: 'new' }
  /** The conversation has other turns, and all of them are over. */
  | { found: 'resumed' }
  /** The turn was cut off. */
  | { found: 'continued' }
  | { found: 'answered'; text: string }
  /** The turn was stopped on request. */
  | { found: 'stopped' }
  /** Other turns follow it, and it has no answer. */
  | { found: 'passed' };

/** Finds the turn whose message has this uuid. */
export function findTurn(entries: readonly SessionStoreEntry[], uuid: string): FoundTurn {
  const own = describeTurn(transcriptState(entries), uuid);
  if (own.found !== 'resumed') return own;
  const begin = entries.findIndex((entry) => entry.uuid === uuid);
  if (begin < 0) return own;
  // Other turns follow. The transcript up to the next of them ends with this turn.
  const length = entries.slice(begin + 1).findIndex((entry) => entry.type === 'user' && beginsTurn(entry));
  const until = length < 0 ? entries.length : begin + 1 + length;
  const earlier = describeTurn(transcriptState(entries.slice(0, until)), uuid);
  return earlier.found === 'answered' || earlier.found === 'stopped' ? earlier : { found: 'passed' };
}

function describeTurn(state: TranscriptState, uuid: string): FoundTurn {
  if (state.state === 'empty') return { found: 'new' };
  if (state.uuid !== uuid) return { found: 'resumed' };
  if (state.state === 'answered') return { found: 'answered', text: state.text };
  return state.stopped ? { found: 'stopped' } : { found: 'continued' };
}
