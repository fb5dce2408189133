// The entries that stop a turn: after the results of its calls, or after whatever it came to last. With them, no CLI goes on with the
// turn.
import { findPrompt } from '../../record/history/transcript/prompt-text.js';
import { digest } from '../../util/digest.js';
import type { SessionStoreEntry } from '../../wire/protocol/config/session-store.js';
import { bodyOf } from '../../wire/protocol/messages/message-content.js';
import { createLeafNote, pickSurroundings } from './completion-entry.js';
import type { TranscriptIndex } from './transcript-index.js';

/**
 * The entries that stop a turn, to be appended after the planned ones. There are none if no result was planned. `text`
 * is what the CLI itself writes when a turn is stopped.
 */
export function createStopEntry(planned: readonly SessionStoreEntry[], text: string): SessionStoreEntry[] {
  const last = planned.findLast(({ type }) => type === 'user');
  const note = planned.findLast(({ type }) => type === 'last-prompt');
  if (last?.uuid === undefined || !note) return [];
  const { toolUseResult: _result, sourceToolAssistantUUID: _source, ...rest } = last;
  const uuid = stopUuid(last.uuid);
  const content = [{ type: 'text', text }];
  const stop: SessionStoreEntry = {
    ...rest,
    parentUuid: last.uuid,
    message: { role: 'user', content },
    uuid,
    timestamp: new Date(Date.parse(String(last.timestamp)) + 1).toISOString(),
  };
  return [stop, { ...note, leafUuid: uuid }];
}

/** What stops a turn that has no results to write. */
export interface LoneStop {
  readonly index: TranscriptIndex;
  /** The uuid of the turn's message. */
  readonly turn: string;
  readonly sessionId: string;
  /** What the CLI itself writes when a turn is stopped. */
  readonly text: string;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}

/** The entries that stop a turn where it is: behind the entry from which a CLI would go on. */
export function createLoneStop({ index, turn, sessionId, text, now }: LoneStop): SessionStoreEntry[] {
  const leaf = index.findNamedLeaf();
  if (!leaf) return [];
  const uuid = stopUuid(leaf.uuid);
  const prompt = index.nodes.get(turn)?.location.entry;
  const asked = prompt && findPrompt(bodyOf(prompt)['content']).prompt;
  const stop: SessionStoreEntry = {
    parentUuid: leaf.uuid,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    uuid,
    // Older CLIs go on from the newest entry.
    timestamp: new Date(Math.max(now, index.newestTime + 1)).toISOString(),
    ...pickSurroundings(leaf.location.entry),
    sessionId,
  };
  return [stop, createLeafNote(index.lastPrompt ?? asked ?? '', uuid, sessionId)];
}

/** The uuid is derived, so that writing the entry again gives the same entry. */
function stopUuid(before: string): string {
  return `${before.slice(0, 24)}${digest(before).slice(0, 12)}`;
}
