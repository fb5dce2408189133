// Reads which calls of a saved session wait for an answer or a result, from its transcript and its call records. It only
// reads: it starts nothing, claims nothing and writes nothing. So a page can show the questions of a session that has no CLI.
import type { Options } from '../../../options/options.js';
import { buildEnvironment } from '../../../options/launch/environment.js';
import { chooseProjectKey } from '../../../options/elsewhere.js';
import { foldFacts, type KnownCalls, type KnownCallState } from '../../../record/calls/fold-facts.js';
import { findCallRecords, type FoundCallRecords } from '../../../record/history/store/find-call-records.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { RecordedQuestion } from '../../../wire/protocol/config/call-records.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import { isDialog } from './decide-call.js';
import { matchRecords } from './match-records.js';
import { findTranscriptPlace, type CutTranscript } from './transcript-place.js';

/** A session, and where it is kept. The options are those that the session is opened with. */
export interface UnfinishedTurnInput {
  readonly sessionId: string;
  readonly options?:
    | Pick<
        Options,
        'sessionStore' | 'projectKey' | 'cwd' | 'env' | 'extendEnv' | 'transport' | 'spawnClaudeCodeProcess'
      >
    | undefined;
}

/**
 * What is known of an unfinished call.
 * - `asked`: a permission question waits for a person.
 * - `answered`: the question was answered, and the call has not begun.
 * - `waiting`: the handler asked a person, and did nothing else yet.
 * - `begun`: the handler began, and no result is recorded.
 * - `pending`: the handler returned, and the result comes later.
 * - `ended`: the result is recorded, and the model does not have it yet.
 * - `withdrawn`: the question was removed, or has expired.
 * - `unknown`: no record says anything about the call.
 */
export type UnfinishedCallState =
  'asked' | 'answered' | 'waiting' | 'begun' | 'pending' | 'ended' | 'withdrawn' | 'unknown';

/** A call of the last turn that the model has no true result of. */
export interface UnfinishedCall {
  /** The key of the call. A permission question about the call has it as its id. */
  readonly callKey: string;
  readonly toolUseId: string;
  readonly toolName: string;
  /** The input that the model asked for. */
  readonly input: Record<string, unknown>;
  readonly state: UnfinishedCallState;
  readonly attempt: number;
  /** The permission question, and the input that it is about. A hook may have changed what the model asked for. */
  readonly asked?: {
    readonly question: RecordedQuestion;
    readonly input: Record<string, unknown>;
    readonly at: number;
  };
  readonly answered?: { readonly answer: PermissionResult; readonly by?: string; readonly at: number };
}

/** The last turn of a session, if it was cut off. */
export interface UnfinishedTurn {
  readonly sessionId: string;
  /** The uuid of the user's message that the turn answers. */
  readonly message: string;
  /** In the order in which the model made them. */
  readonly calls: readonly UnfinishedCall[];
}

/**
 * Reads the unfinished calls of a session's last turn. Undefined if there is no such session, or no call of it is
 * unfinished. Rejects with the error of the file system or the store.
 */
export async function readUnfinishedTurn({
  sessionId,
  options = {},
}: UnfinishedTurnInput): Promise<UnfinishedTurn | undefined> {
  const transcript = await findTranscriptPlace({ sessionId, options, cliVersion: undefined }).open();
  if (!transcript) return undefined;
  const known = await readFacts({ sessionId, options });
  const calls = matchRecords(transcript.calls, transcript.keys, known);
  const [message = ''] = transcript.messages;
  return { sessionId, message, calls: calls.map((call) => describeCall(call, known)) };
}

/** The records of a session that this process does not have open. The caller closes them. */
export async function findRecordsToRead({
  sessionId,
  options = {},
}: UnfinishedTurnInput): Promise<FoundCallRecords | undefined> {
  const { sessionStore, cwd, transport, spawnClaudeCodeProcess } = options;
  return await findCallRecords({
    sessionId,
    sessionStore,
    projectKey: chooseProjectKey(options),
    dir: cwd,
    env: buildEnvironment({ options, hostEnv: process.env }),
    isResumed: true,
    hasFiles: transport === undefined && spawnClaudeCodeProcess === undefined,
  });
}

/** What the records say about all calls of a session. */
export async function readFacts(session: UnfinishedTurnInput): Promise<KnownCalls> {
  const found = await findRecordsToRead(session);
  if (!found) return foldFacts([]);
  try {
    return foldFacts(await found.records.load());
  } finally {
    await found.close();
  }
}

function describeCall(call: CutTranscript['calls'][number], known: KnownCalls): UnfinishedCall {
  const { callKey, toolUseId, toolName, input, attempt } = call;
  const state = known.findByToolUseId(toolUseId) ?? known.get(callKey);
  const { asked, answered } = state ?? {};
  return {
    callKey,
    toolUseId,
    toolName,
    input,
    attempt,
    state: nameState(toolName, state),
    ...(asked && { asked: { ...asked, input: state?.input ?? input } }),
    ...(answered && {
      answered: withoutUndefined({ answer: answered.answer, by: answered.by, at: answered.at }),
    }),
  };
}

function nameState(toolName: string, state: KnownCallState | undefined): UnfinishedCallState {
  if (!state || state.asked?.question.agentID !== undefined) return 'unknown';
  if (state.ended) return 'ended';
  if ((state as { pending?: unknown }).pending !== undefined) return 'pending';
  if (state.begun) return state.isWaiting ? 'waiting' : 'begun';
  if (state.answered) return 'answered';
  if (state.withdrawn) return 'withdrawn';
  // A dialog of the CLI needs more than a yes, so it is not asked again.
  return state.asked && !isDialog(toolName) ? 'asked' : 'unknown';
}
