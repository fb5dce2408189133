// Finds the calls of a saved session that wait for an answer: of a person, or of a process that completes them later. Reads the
// transcript and the call records, and changes neither.
import { nameTools, type QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { buildEnvironment } from '@inboard/core/options/launch/environment.js';
import { chooseProjectKey } from '@inboard/core/options/elsewhere.js';
import { foldFacts, isOpenPending, type KnownCallState } from '@inboard/core/record/calls/fold-facts.js';
import { findCallRecords } from '@inboard/core/record/history/store/find-call-records.js';
import { matchRecords } from '@inboard/core/verbs/conversation/completion/match-records.js';
import { findTranscriptPlace } from '@inboard/core/verbs/conversation/completion/transcript-place.js';

/** Questions of these built-in tools need a CLI, because a yes is not their whole answer. */
const NEED_CLI = new Set(['AskUserQuestion', 'ExitPlanMode', 'EnterPlanMode']);

/** The ids of the tool uses that wait. None if the session's last turn was finished, or was cut off while nothing waited. */
export async function findWaitingCalls(
  sessionId: string,
  given: QueryOptions,
): Promise<ReadonlySet<string>> {
  const options = nameTools(given);
  const { sessionStore, cwd, persistSession, transport, spawnClaudeCodeProcess } = options;
  const hasFiles = transport === undefined && spawnClaudeCodeProcess === undefined;
  // The transcript is then on another machine, where nothing can be completed.
  if (!sessionStore && !hasFiles) return new Set();
  const found = await findCallRecords({
    sessionId,
    sessionStore,
    projectKey: chooseProjectKey(options),
    dir: cwd,
    env: buildEnvironment({ options, hostEnv: process.env }),
    persistSession,
    isResumed: true,
    hasFiles,
  });
  if (!found) return new Set();
  try {
    const known = foldFacts(await found.records.load());
    // Most sessions have nothing that waits, and their transcripts need not be read.
    if (!known.list().some(isWaiting)) return new Set();
    const cut = await findTranscriptPlace({ sessionId, options, cliVersion: undefined }).open();
    const calls = matchRecords(cut?.calls ?? [], cut?.keys ?? new Set(), known);
    const waiting = calls.filter(({ toolUseId, callKey }) => {
      const state = known.findByToolUseId(toolUseId) ?? known.get(callKey);
      return state !== undefined && isWaiting(state);
    });
    return new Set(waiting.map(({ toolUseId }) => toolUseId));
  } finally {
    await found.close();
  }
}

function isWaiting(state: KnownCallState): boolean {
  const { asked, answered, withdrawn, begun, ended, toolName = '' } = state;
  if (isOpenPending(state)) return true;
  if (ended !== undefined) return false;
  if (begun !== undefined) return state.isWaiting;
  const isAsked = asked !== undefined && answered === undefined && withdrawn === undefined;
  return isAsked && asked.question.agentID === undefined && !NEED_CLI.has(toolName);
}
