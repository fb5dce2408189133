// Completes one pending call in the records of its session. Any number of processes may try; the order of the facts decides
// which one was first.
import { errorResult } from '../../answer/mcp/result/content-helpers.js';
import { finishValue } from '../../answer/mcp/result/finish-value.js';
import { isPendingResult } from '../../answer/mcp/result/pending.js';
import type { CallToolResult } from '../../answer/mcp/result/tool-content.js';
import { compileSchema } from '../../answer/schema/compile-schema.js';
import { CallError } from '../../errors.js';
import { MAX_RESULT_CHARACTERS } from '../../record/calls/file/call-lines.js';
import { foldFacts, type KnownCallState } from '../../record/calls/fold-facts.js';
import { measureJson } from '../../util/measure-json.js';
import { messageOf } from '../../util/message-of.js';
import { randomUUID } from '../../util/random-uuid.js';
import { clock } from '../../util/system/clock.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { CallRecords } from '../../wire/protocol/config/call-records.js';

/** What a call is completed with: a value as a handler would return it, or the error that a handler would throw. */
export type PendingValue = { readonly value: unknown } | { readonly error: unknown };

/** Which call is completed, and by whom. */
export interface CompletedBy {
  readonly callKey: string;
  readonly sessionId: string;
  readonly by?: string | undefined;
}

/**
 * Resolves when the result is recorded and counts. Rejects with a CallError where it does not count, and with the error of
 * the records.
 */
export async function completeCall(
  records: CallRecords,
  call: CompletedBy,
  outcome: PendingValue,
): Promise<void> {
  const state = foldFacts(await records.load()).get(call.callKey);
  if (!state) throw describeUnknownKey(call.callKey, call.sessionId);
  refuseEnded(state, call);
  const result = await convert(state, call, outcome);
  const { callKey, by } = call;
  const completion = randomUUID();
  const at = clock.Date.now();
  const fact = withoutUndefined({ type: 'ended' as const, callKey, result, by, completion, at });
  let failure: { readonly error: unknown } | undefined;
  try {
    await records.add(fact);
  } catch (error) {
    // The fact may be stored nevertheless, as after a time-out.
    failure = { error };
  }
  const facts = await records.load();
  const own = facts.findIndex((each) => each.type === 'ended' && each.completion === completion);
  if (own < 0) {
    // Records that take one result only, such as a journal, have that of another process.
    const now = foldFacts(facts).get(callKey);
    if (now) refuseEnded(now, call);
    throw failure ? failure.error : lost(call);
  }
  const then = foldFacts(facts.slice(0, own + 1)).get(callKey);
  if (then?.ended?.completion !== completion) refuseEnded(then ?? state, call);
}

/** The error for a key that is in no records. */
export function describeUnknownKey(callKey: string, sessionId?: string): CallError {
  const where = sessionId === undefined ? 'No session in these records' : `The session ${sessionId}`;
  const verb = sessionId === undefined ? 'has' : 'has no record of';
  return new CallError(
    'CALL_UNKNOWN',
    callKey,
    `${where} ${verb} a call "${callKey}". Check the key, and that createCalls() has the "sessionStore", "dir" and "env" of the program that made the call.`,
    withoutUndefined({ sessionId }),
  );
}

function refuseEnded(state: KnownCallState, { callKey, sessionId }: CompletedBy): void {
  const { pending, ended, toolName, begun } = state;
  const name = `The call "${callKey}"${toolName === undefined ? '' : ` of the tool "${toolName}"`}`;
  if (!pending) {
    const how = ended ? 'has ended by itself' : begun ? 'is still running' : 'has not begun';
    const message = `${name} is not pending: its handler ${how}. Only a call whose handler returned pending() can be completed.`;
    throw new CallError('CALL_NOT_PENDING', callKey, message, { sessionId, retryable: !ended });
  }
  if (ended) {
    const { by, at } = ended;
    const message = `${name} was completed already, at ${new Date(at).toISOString()}${by === undefined ? '' : ` by ${by}`}. This result is not used.`;
    throw new CallError('CALL_ENDED', callKey, message, withoutUndefined({ sessionId, endedAt: at, by }));
  }
  if (pending.withdrawnAt === undefined) return;
  const message = `${name} was withdrawn at ${new Date(pending.withdrawnAt).toISOString()}, because its turn was stopped. This result is not used.`;
  throw new CallError('CALL_ENDED', callKey, message, { sessionId, endedAt: pending.withdrawnAt });
}

async function convert(
  { toolName, pending }: KnownCallState,
  { callKey, sessionId }: CompletedBy,
  outcome: PendingValue,
): Promise<CallToolResult> {
  const { server = '', tool = toolName ?? '', schema } = pending?.output ?? {};
  try {
    if ('error' in outcome) return errorResult(outcome.error);
    const { value } = outcome;
    if (isPendingResult(value)) throw new TypeError('A pending call cannot be completed with pending()');
    const output = schema && compileSchema(schema, { tool, side: 'output' });
    // Whoever completes the call can correct the value, which a handler that has returned cannot.
    const result = await finishValue(value, { server, tool, output, isStrict: true });
    const characters = measureJson(result, MAX_RESULT_CHARACTERS);
    if (characters > MAX_RESULT_CHARACTERS)
      throw new RangeError(`The result has more than ${MAX_RESULT_CHARACTERS} characters`);
    return result;
  } catch (cause) {
    const message = `The call "${callKey}" stays pending, because it cannot be completed with this value: ${messageOf(cause)}`;
    throw new CallError('CALL_VALUE', callKey, message, { sessionId, cause });
  }
}

function lost({ callKey, sessionId }: CompletedBy): CallError {
  const message = `The records of the session ${sessionId} were deleted while the call "${callKey}" was being completed.`;
  return new CallError('CALL_UNKNOWN', callKey, message, { sessionId });
}
