// Finds the calls of a saved session that wait for an answer: of a person, or of a process that completes them later.
import { nameTools, type QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import {
  readUnfinishedTurn,
  type UnfinishedCallState,
} from '@inboard/core/verbs/conversation/completion/read-unfinished-turn.js';

const WAITING: ReadonlySet<UnfinishedCallState> = new Set(['asked', 'waiting', 'pending']);

/** The ids of the tool uses that wait. None if the session's last turn was finished, or was cut off while nothing waited. */
export async function findWaitingCalls(
  sessionId: string,
  options: QueryOptions,
): Promise<ReadonlySet<string>> {
  const { sessionStore, transport, spawnClaudeCodeProcess } = options;
  // The transcript is then on another machine, where nothing can be completed.
  const isElsewhere = transport !== undefined || spawnClaudeCodeProcess !== undefined;
  if (!sessionStore && isElsewhere) return new Set();
  const turn = await readUnfinishedTurn({ sessionId, options: nameTools(options) });
  const waiting = (turn?.calls ?? []).filter(({ state }) => WAITING.has(state));
  return new Set(waiting.map(({ toolUseId }) => toolUseId));
}
