// The entries after the results of a turn that was stopped. With them, no CLI goes on with the turn.
import { digest } from '../../util/digest.js';
import type { SessionStoreEntry } from '../../wire/protocol/config/session-store.js';

/**
 * The entries that stop a turn, to be appended after the planned ones. There are none if no result was planned. `text`
 * is what the CLI itself writes when a turn is stopped.
 */
export function createStopEntry(planned: readonly SessionStoreEntry[], text: string): SessionStoreEntry[] {
  const last = planned.findLast(({ type }) => type === 'user');
  const note = planned.findLast(({ type }) => type === 'last-prompt');
  if (last?.uuid === undefined || !note) return [];
  const { toolUseResult: _result, sourceToolAssistantUUID: _source, ...rest } = last;
  // The uuid is derived, so that writing the entry again gives the same entry.
  const uuid = `${last.uuid.slice(0, 24)}${digest(last.uuid).slice(0, 12)}`;
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
